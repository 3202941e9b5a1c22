// fastify.ts
import fastifyCookie from '@fastify/cookie';
import fastifySession from '@fastify/session';
import { ConfigService } from '@nestjs/config';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import passport from 'passport';
import { exposeResponse } from 'passport-social-networks';

/** Passport calls Node's methods on the response. Gives them to Fastify's replies, and the reply to the strategies. */
export function usePassport(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', exposeResponse);
  fastify.addHook('onRequest', async (_request, reply) => {
    Object.assign(reply, {
      setHeader: (name: string, value: string) => reply.header(name, value),
      end: (body?: string) => reply.send(body),
    });
  });
}

/** Adds sessions to an application on Fastify. */
export async function useFastifySessions(app: NestFastifyApplication): Promise<void> {
  usePassport(app);
  const secret: string = app.get(ConfigService).getOrThrow('SESSION_SECRET'); // at least 32 characters
  await app.register(fastifyCookie);
  await app.register(fastifySession, {
    secret,
    saveUninitialized: false,
    cookie: { sameSite: 'lax', secure: 'auto' },
  });
  app.getHttpAdapter().getInstance().addHook('preValidation', passport.session());
}
