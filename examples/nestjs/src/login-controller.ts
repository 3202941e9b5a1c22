import { Controller, Get, Redirect, type Type, UseGuards } from '@nestjs/common';
import { loginGuard } from './login-guard.js';

/** Creates the controller with one network's sign-in and callback routes. */
export function loginController(name: string): Type {
  const Guard = loginGuard(name);

  @Controller('api/auth')
  class LoginController {
    @Get(`signin/${name}`)
    @UseGuards(Guard)
    @Redirect('/')
    signIn(): void {
      // The guard has redirected everybody who is not signed in to the network.
    }

    @Get(`callback/${name}`)
    @UseGuards(Guard)
    @Redirect('/')
    finish(): void {
      // The guard has logged the user in.
    }
  }
  return LoginController;
}
