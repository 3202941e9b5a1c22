import { BOOLEAN, FUNCTION, integer, type Shape, STRING } from '../core/checks.js';

/** What to look at, and for how long. */
export interface RehearsalOptions {
  /** Page that tells who is signed in, absolute or relative. Default: the page to which the first login leads. */
  readonly page?: string | undefined;
  /** Whether the application keeps users signed in with cookies. Default: `true`. */
  readonly session?: boolean | undefined;
  /** Whether a script of a page starts the login, by `fetch` and POST, and goes to the first URL in the JSON that it gets. Default: `false`. */
  readonly fetch?: boolean | undefined;
  /**
   * URL that signs the user out: by the form or link of the page that leads there, as it is, or else by GET, and by POST if GET finds no route.
   * Default: the page's own link or form that is called so.
   */
  readonly signOut?: string | undefined;
  /** URL that deletes the account of who is signed in, by POST, with the hidden fields of the page's form for it. Default: not tried. */
  readonly delete?: string | undefined;
  /**
   * URL that starts the login of another network or account, to link it to who is signed in, by POST as `delete`. A login of it starts beside
   * the rehearsed one, under a name of its path: `/signin/microblog` for `/link/microblog`. Default: not tried.
   */
  readonly link?: string | undefined;
  /** Where the application starts logins of other networks, absolute or relative. Besides that of `link`. Default: none. */
  readonly others?: readonly string[] | undefined;
  /** Two of the sandbox's people who can log in, by their IDs. Default: `['alice', 'anna']`. */
  readonly people?: readonly [string, string] | undefined;
  /** Page with the form that starts the login by POST, absolute or relative, with its hidden fields. Default: a link starts it, by GET. */
  readonly form?: string | undefined;
  /** Certificates to trust besides Node's, in PEM. Default: none. */
  readonly ca?: string | undefined;
  /** File that the application logs to. Default: logs are not read. */
  readonly log?: string | undefined;
  /**
   * How long the application may take to answer while the network is silent, in milliseconds. A slow network takes a tenth of it.
   * After the first login every response may take as long, but a quarter once one did not come in time. The whole rehearsal takes 40
   * seconds more at most: what is left then is not tried. Default: `15_000`.
   */
  readonly patience?: number | undefined;
  /** The checks to make, by name, besides `start` and `login`. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Called with each result as soon as it is known, and with the network and its protocol, such as `microblog, OAuth 2.0`. */
  readonly onCheck?: ((check: RehearsalCheck, network: string) => void) | undefined;
}

/** The result of one thing that was tried. */
export interface RehearsalCheck {
  /** Such as `two tabs`. */
  readonly name: string;
  /** `undefined` if it was not tried. */
  readonly passed: boolean | undefined;
  /** What the application did wrong, or what was not tried, and why. */
  readonly found?: string;
  /** What to change. */
  readonly remedy?: string;
}

export const OPTIONS: Shape = {
  'page?': STRING,
  'session?': BOOLEAN,
  'fetch?': BOOLEAN,
  'signOut?': STRING,
  'delete?': STRING,
  'link?': STRING,
  'others?': [Array.isArray, 'must be a list of URLs'],
  'people?': [isPair, "must be the IDs of two people, such as ['alice', 'anna']"],
  'ca?': STRING,
  'form?': STRING,
  'log?': STRING,
  'patience?': integer(1, 999_999, 'must be a number of milliseconds'),
  'only?': [Array.isArray, 'must be a list of checks'],
  'onCheck?': FUNCTION,
};

/** Longer than the strategies' timeout, in milliseconds. */
export const PATIENCE = 15_000;

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && new Set(value).size === 2 && value.every(STRING[0]);
}
