// Requests that a client's README leaves to the application.

/**
 * @param {string | URL} url
 * @param {string} accessToken
 * @returns {Promise<unknown>}
 */
export async function getJSON(url, accessToken) {
  return readJSON(await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } }));
}

/** @param {string} url @param {Record<string, string>} form @returns {Promise<unknown>} */
export async function postForm(url, form) {
  return readJSON(await fetch(url, { method: 'POST', body: new URLSearchParams(form) }));
}

/**
 * A value within JSON, as text.
 *
 * @param {unknown} json
 * @param {(string | number)[]} path
 * @returns {string}
 * @throws {Error} when there is none.
 */
export function textAt(json, ...path) {
  let value = json;
  for (const key of path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Error(`no ${path.join('.')} in ${JSON.stringify(json)}`);
}

/** @param {Response} response @returns {Promise<unknown>} */
async function readJSON(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}
