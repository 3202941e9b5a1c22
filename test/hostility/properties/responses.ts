import { ProviderError } from '../../../lib/index.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { type ResponsesRun, render } from '../generators/responses.js';
import { Application, Browser, type Ending, verifyAnyone } from '../world/application.js';
import type { FakeNetwork } from '../world/network.js';
import { CANARIES, secretsShown, shownBy } from '../world/secrets.js';
import {
  belongingTo,
  callbackQuery,
  keyOf,
  type Subject,
  strategyOf,
  type TokenCall,
  textOf,
} from '../world/subjects.js';
import { expectNoSecrets, nextTurns, Violation, type World } from '../world/world.js';
import { exactJSON, expectedLogin } from './expected-login.js';

/** Request timeouts in milliseconds. `usual` is too short for a retry. */
const DEADLINES = { usual: 190, hanging: 40, retrying: 2_000 };
/** Milliseconds after which a call counts as hanging, and a connection as left. */
const TIME_LIMIT = 16_000;
const OWNER = 1;
const UNREADABLE = 'unreadable_response';

export function checksOfResponses(
  world: World<FakeNetwork>,
  subject: Subject,
  kind: 'responses' | 'depth' | 'cuts',
) {
  const { network, agent, figures } = world;
  let verified: { readonly token: string; readonly id: string }[] = [];

  const make = (timeout: number): readonly [Application, NamedStrategy] => {
    const verify = verifyAnyone((token, id) => verified.push({ token, id }));
    const strategy = strategyOf(subject, network.url, verify, { timeout, agent });
    return [new Application([strategy]), strategy];
  };
  const { usual, hanging, retrying } = DEADLINES;
  const applications = { usual: make(usual), hanging: make(hanging), retrying: make(retrying) };

  const checkLogin = async (application: Application, { isExact = false }: ResponsesRun) => {
    const { title } = subject;
    const browser = new Browser();
    const start = await application.run(title, { url: '/login', browser });
    const key = start.kind === 'redirect' ? keyOf(start.location) : undefined;
    const isComplete = network.served().every(({ text, hasLength }) => hasLength && text !== undefined);
    if (isExact && (key !== undefined) !== isComplete)
      throw new Violation('wrongOutcomes', `a login starts: ${!isComplete}; ${shownBy(start.error)}`);
    if (key === undefined) return checkEnding(start, start);
    network.registerState(key);
    const url = `/callback?${textOf(callbackQuery(subject, key, OWNER))}`;
    const ending = await application.run(title, { url, browser });
    checkEnding(start, ending);
    checkUser(ending, isExact);
    // A repeated or overlong request token does not use up the pending login.
    const { code } = (ending.info ?? {}) as { code?: string };
    const isUsed = code !== 'used_login' && code !== 'malformed_response';
    if (isUsed && browser.pendingLogins() > 0) {
      throw new Violation('wrongOutcomes', 'the browser keeps the cookie of a used login');
    }
  };

  const checkEnding = (start: Ending, { kind, error, info, headers }: Ending) => {
    const fresh = network.fresh();
    const requests = network.requests();
    const verifiers = requests.map(({ form }) => form.get('code_verifier') ?? '').filter(Boolean);
    expectNoSecrets('the start', secretsShown(withoutKey(start.location), verifiers));
    expectNoSecrets('a URL', secretsShown(requests.map(({ url }) => url).join('\n'), fresh));
    if (kind !== 'success' && kind !== 'redirect') {
      const shown = [error, info, headers].map(shownBy).join('\n');
      expectNoSecrets('the outcome', secretsShown(shown, fresh));
    }
    if (kind === 'error') expectProviderError(error);
    if (kind === 'passed') throw new Violation('wrongOutcomes', 'the request passed without a login');
  };

  const checkUser = (ending: Ending, isExact: boolean) => {
    const [login, ...others] = verified;
    if (others.length > 0) throw new Violation('wrongOutcomes', 'verify was called twice');
    const expected = expectedLogin(subject.title, network.served());
    const isRight =
      typeof expected !== 'string' && expected.token === login?.token && expected.id === login.id;
    if (login && !isRight) {
      throw new Violation('wrongUsers', `${JSON.stringify(login)} logged in; ${JSON.stringify(expected)}`);
    }
    if ((ending.kind === 'success') !== (login !== undefined)) {
      const called = `verify ${login ? 'was' : 'was not'} called`;
      throw new Violation('wrongOutcomes', `${called}, and the outcome is ${ending.kind}`);
    }
    if (login) figures.logins += 1;
    if (!isExact || login) return;
    const { code } = (ending.error ?? {}) as { code?: string };
    if (code === 'timeout') figures.late += 1;
    else if (typeof expected !== 'string' || (kind === 'depth' && code !== UNREADABLE))
      throw new Violation('wrongOutcomes', `a login ends in ${shownBy(ending)}; ${JSON.stringify(expected)}`);
  };

  const checkCall = async ({ name, call }: TokenCall, strategy: NamedStrategy, isExact = false) => {
    const token = name === 'refresh' ? CANARIES.refreshToken : CANARIES.accessToken;
    let timer: NodeJS.Timeout | undefined;
    const onTime = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Violation('hangs', 'a call did not end')), TIME_LIMIT);
    });
    const ended = call(strategy, belongingTo(token, OWNER)).then(
      () => undefined,
      (thrown: unknown) => ({ thrown }),
    );
    const failed = await Promise.race([ended, onTime]).finally(() => clearTimeout(timer));
    const { code } = (failed?.thrown ?? {}) as { code?: string };
    const isReadable = network.served().every(({ text }) => exactJSON(text ?? '') !== undefined);
    if (isExact && code !== 'timeout' && code !== (isReadable ? undefined : UNREADABLE))
      throw new Violation('wrongOutcomes', `a call ends in ${code}, readable: ${isReadable}`);
    if (!failed) return;
    expectNoSecrets("a call's error", secretsShown(shownBy(failed.thrown), network.fresh()));
    expectProviderError(failed.thrown);
  };

  return async (run: ResponsesRun): Promise<void> => {
    const all = Object.entries(run.plan);
    const script = all.map(([step, list]) => [
      step,
      list.map((response) => (secrets: Record<string, string>) => render(response, secrets)),
    ]);
    network.startRun(Object.fromEntries(script), subject.title);
    verified = [];
    const hangs = all.some(([, list]) => list.some(({ ending }) => ending === 'hang'));
    const [application, strategy] =
      applications[hangs ? 'hanging' : run.allowsRetries ? 'retrying' : 'usual'];
    const call = subject.calls[run.call];
    if (call) await checkCall(call, strategy, run.isExact);
    else await checkLogin(application, run);
    const [first] = Object.keys(run.plan);
    if (run.isExact && network.served().every(({ step }) => step !== first && first !== undefined))
      throw new Violation('wrongOutcomes', `the network gets no request: ${first}`);
    const end = Date.now() + TIME_LIMIT;
    const isBusy = () => Object.keys(agent.sockets).length > 0;
    while (isBusy() && Date.now() < end) await nextTurns();
    if (isBusy()) throw new Violation('socketsLeft', 'a connection stays busy');
    if (network.hostileResponses() > 0) agent.destroy();
    await world.settle(application.secondOutcomes, network.fresh());
    figures[kind] += kind === 'responses' ? network.hostileResponses() : 1;
  };
}

export function expectProviderError(error: unknown): void {
  if (!(error instanceof ProviderError))
    throw new Violation('wrongOutcomes', `not a ProviderError: ${shownBy(error)}`);
}

/** A redirect's URL without the request token, which the network chooses. */
function withoutKey(location: string): string {
  if (location === '') return '';
  const url = new URL(location);
  url.searchParams.delete('oauth_token');
  return url.href;
}
