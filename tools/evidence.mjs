// Prints docs/evidence.md: what the sandbox holds requests to, how it is known, and what nobody knows. The lists are in beliefs.ts, in each
// network's folder of the sandbox. Run it with `npm run docs:evidence`.
import { COMMON_BELIEFS } from '../sandbox/lib/core/evidence.js';
import { NETWORKS } from '../sandbox/lib/networks.js';

/** @typedef {import('../sandbox/lib/core/evidence.js').Belief} Belief */

console.log(
  `# Evidence

The strategies and the sandbox were written from the networks' pages, from reports of users, and from clients that log in at the networks.
This page lists what the sandbox holds a request to, and how each point is known:

- **documented**: the network says so in its documentation, its SDK or its API description.
- **observed**: users report it. The source names the reports.
- **supposed**: neither; or a client that is known to work does otherwise, and the source names it.

The sandbox rejects a request that breaks what is documented or observed, with the network's own error response. It accepts a request that breaks
what is only supposed, and notes it in \`sandbox.requests()\`, on its page and in the output of the command: "the network may refuse this". A
sandbox with \`strict: true\`, or the command with \`--strict\`, rejects these requests, too ([testing](testing.md#strict)).

An entry of \`owner/repository#number\` is an issue or a pull request on GitHub. If you know better, from a login at the network, please tell us:
the list is in \`beliefs.ts\`, in the network's folder of the sandbox. \`npm run docs:evidence\` makes this page from it.

${table('Every network', COMMON_BELIEFS)}
${NETWORKS.map(({ name, beliefs }) => table(name, beliefs)).join('\n')}
## What nobody knows

${NETWORKS.map(({ name, unknown }) => `### ${name}: open questions\n\n${unknown.map((fact) => `- ${fact}\n`).join('')}`).join('\n')}`.trimEnd(),
);

/**
 * @param {string} title
 * @param {Readonly<Record<string, Belief>>} beliefs
 */
function table(title, beliefs) {
  const rows = Object.values(beliefs).map(
    ({ says, mark, source }) => `| ${says} | ${mark} | ${linked(source)} |\n`,
  );
  return `## ${title}\n\n| belief | mark | source |\n| --- | --- | --- |\n${rows.join('')}`;
}

/**
 * Makes links of URLs, and of references such as `owner/repository#1`.
 *
 * @param {string} source
 */
function linked(source) {
  return source.replace(
    /https?:\/\/[^\s,;]+|([\w.-]+\/[\w.-]+)#(\d+)/g,
    (reference, /** @type {string | undefined} */ repository, /** @type {string | undefined} */ number) =>
      repository === undefined
        ? `<${reference}>`
        : `[${reference}](https://github.com/${repository}/issues/${number})`,
  );
}
