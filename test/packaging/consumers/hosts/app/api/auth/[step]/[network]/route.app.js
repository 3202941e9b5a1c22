import { logIn } from '../../../../../src/fetch-login.mjs';
import { signIn } from '../../../../../strategies.js';

export const GET = async (request, { params }) => logIn(request, (await params).network, signIn);
