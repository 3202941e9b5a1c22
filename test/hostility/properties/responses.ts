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
  user,
} from '../world/subjects.js';
import { expectNoSecrets, nextTurns, Violation, type World } from '../world/world.js';
import { expectedLogin } from './expected-login.js';

/** Request timeouts in milliseconds. `usual` is too short for a retry. */
const DEADLINES = { usual: 190, hanging: 40, retrying: 2_000 };
/** Milliseconds after which a call counts as hanging, and a connection as left. */
const TIME_LIMIT = 16_000;
const OWNER = 1;

export function checksOfResponses(world: World<FakeNetwork>, subject: Subject) {
  const { network, agent, figures } = world;
  let verified: { readonly token: string; readonly id: string }[] = [];

  const make = (timeout: number): readonly [Application, NamedStrategy] => {
    const verify = verifyAnyone((token, id) => verified.push({ token, id }));
    const strategy = strategyOf(subject, network.url, verify, { timeout, agent });
    return [new Application([strategy]), strategy];
  };
  const { usual, hanging, retrying } = DEADLINES;
  const applications = { usual: make(usual), hanging: make(hanging), retrying: make(retrying) };

  const checkLogin = async (application: Application, { plan }: ResponsesRun) => {
    const { title } = subject;
    const browser = new Browser();
    const start = await application.run(title, { url: '/login', browser });
    const key = start.kind === 'redirect' ? keyOf(start.location) : undefined;
    if (key === undefined) return checkEnding(start, start);
    network.registerState(key);
    const url = `/callback?${textOf(callbackQuery(subject, key, OWNER))}`;
    const ending = await application.run(title, { url, browser });
    checkEnding(start, ending);
    checkUser(ending, Object.keys(plan).length === 0);
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

  const checkUser = (ending: Ending, isHonest: boolean) => {
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
    if (!isHonest || login?.id === user(OWNER).id) return;
    if ((ending.error as { code?: string } | undefined)?.code === 'timeout') figures.late += 1;
    else throw new Violation('wrongOutcomes', `a login at an honest network ends in ${shownBy(ending)}`);
  };

  const checkCall = async ({ name, call }: TokenCall, strategy: NamedStrategy) => {
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
    if (call) await checkCall(call, strategy);
    else await checkLogin(application, run);
    const end = Date.now() + TIME_LIMIT;
    const isBusy = () => Object.keys(agent.sockets).length > 0;
    while (isBusy() && Date.now() < end) await nextTurns();
    if (isBusy()) throw new Violation('socketsLeft', 'a connection stays busy');
    if (network.hostileResponses() > 0) agent.destroy();
    await world.settle(application.secondOutcomes, network.fresh());
    figures.responses += network.hostileResponses();
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
