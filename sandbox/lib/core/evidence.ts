/**
 * How a belief is known.
 *
 * - `documented`: by the network, in its documentation, its SDK or its API description, or as the form of a response.
 * - `observed`: by users, in a report that the source names.
 * - `supposed`: neither, or contradicted by a client that is known to work.
 */
export type Mark = 'documented' | 'observed' | 'supposed';

export interface Belief {
  readonly says: string;
  readonly mark: Mark;
  /** A page, or a report as `owner/repository#number`. For a supposed belief also who contradicts it, if anyone does. */
  readonly source: string;
}

/** Makes a belief of a text: what it says, a bar, and its source. */
const marked =
  (mark: Mark) =>
  (parts: TemplateStringsArray, ...pages: readonly string[]): Belief => {
    const [says = '', source = ''] = String.raw({ raw: parts }, ...pages).split(/ \|\s+/);
    return { says, mark, source };
  };

export const documented = marked('documented');
export const observed = marked('observed');
export const supposed = marked('supposed');

export const COMMON_BELIEFS = {
  repeats: supposed`An authorization request has no parameter twice. |
    https://www.rfc-editor.org/rfc/rfc6749#section-3.1; no report says what the networks do`,
  decision: documented`auto, person and the buttons of the consent page are the sandbox's own: auto is allow or deny, and person is one of its people. |
    docs/testing.md in the repository`,
  redirectAddress: documented`redirect_uri or oauth_callback is registered for the application. The sandbox accepts any, unless its settings list the addresses. |
    https://developers.tiktok.com/doc/login-kit-web, https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)`,
};
