import { SHORT_VIDEO } from '../applications.js';
import type { Call } from '../call.js';
import type { Clock } from '../clock.js';
import { sameText } from '../secrets.js';
import { shortVideoRefusal } from './refusals.js';

/**
 * Checks that a token, refresh or revocation request is a form that holds the client's credentials.
 *
 * @throws Refusal when it is not: neither JSON nor HTTP Basic is read.
 */
export function checkShortVideoClient(clock: Clock, { form, isForm }: Call): void {
  if (!isForm) {
    const description = 'Only `application/x-www-form-urlencoded` is accepted as Content-Type.';
    throw shortVideoRefusal(clock, 'invalid_request', description, 'the body is not labelled as a form');
  }
  if (form.get('client_key') !== SHORT_VIDEO.id || !sameText(form.get('client_secret'), SHORT_VIDEO.secret)) {
    const reason = 'client_key or client_secret is missing from the body, or wrong';
    throw shortVideoRefusal(clock, 'invalid_client', 'Client key or secret is incorrect.', reason);
  }
}
