import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Headings get the anchors that GitHub gives them, because the guides link to those. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Each README is the index of its folder. */
const placeOf = (file) => file.replace(/README\.md$/, 'index.md');

/** Turns a link that works in the repository into one that works in the site. Returns `undefined` if the site has no such page. */
function siteLink(href, page) {
  if (/^(\w+:|#|\/)/.test(href) || page.startsWith('api/')) return href;
  const [path, ...anchor] = href.split(/(?=#)/);
  const target = posix.join(posix.dirname(page), path).replace(/\/$/, '');
  const candidates = [target, `${target}/README.md`];
  const found = candidates.find((file) => file.endsWith('.md') && existsSync(join(ROOT, file)));
  if (found !== undefined) return `/${placeOf(found)}${anchor.join('')}`;
  return undefined;
}

/**
 * Rewrites links before VitePress checks them. A link to what the site does not have becomes its text. Headers of tables without
 * text become cells, for axe. Relative pictures in HTML get the `./` without which Vue does not bundle them.
 */
function adapt(md) {
  md.core.ruler.push('site', ({ tokens, env }) => {
    for (const [place, { type, children, content }] of tokens.entries()) {
      for (const token of [tokens[place], ...(children ?? [])])
        if (token.type.startsWith('html_'))
          token.content = token.content.replace(/\b(src|srcset)="(?!\w+:|[./])/g, '$1="./');
      if (type === 'inline' && content === '' && tokens[place - 1].type === 'th_open')
        for (const side of [tokens[place - 1], tokens[place + 1]]) side.tag = 'td';
      for (const [index, token] of children?.entries() ?? []) {
        if (token.type !== 'link_open') continue;
        const link = siteLink(token.attrGet('href'), env.relativePath);
        const close = children.findIndex(({ type }, place) => place > index && type === 'link_close');
        if (link !== undefined) token.attrSet('href', link);
        else
          for (const side of [token, children[close]])
            Object.assign(side, { tag: 'span', attrs: [], type: 'span' });
      }
    }
  });
}

/** The guides that README leads to, in its order. */
function guideItems() {
  const [, section] = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n## Guides\n');
  const found = section.matchAll(/\[([^\]]+)\]\((docs\/[\w-]+\.md)\)/g);
  return Array.from(found, ([, text, path]) => ({ text, link: `/${path}` }));
}

const guides = [
  { text: 'Start here', link: '/' },
  { text: 'Guides', items: guideItems() },
  { text: 'Sandbox', link: '/sandbox/' },
  { text: 'Security', link: '/SECURITY' },
  { text: 'Contributing', link: '/CONTRIBUTING' },
  { text: 'Maintaining', link: '/MAINTAINING' },
];

/** The sidebar of a part of the reference. Groups have links, because VitePress nests buttons in those without. */
function referenceSidebar(entries, page) {
  return entries.map(({ title, path = `${page}#${slugify(title)}`, children }) => ({
    text: title,
    link: `/api/${path}`,
    ...(children && { collapsed: true, items: referenceSidebar(children, path) }),
  }));
}
const navigation = readFileSync(join(ROOT, 'tools/site/dist/navigation.json'), 'utf8');
const reference = referenceSidebar(JSON.parse(navigation), 'index.md');

export default {
  title: 'passport-social-networks',
  description:
    'Passport strategies for TikTok, X and VK, and a sandbox that simulates the three networks offline.',
  lang: 'en',
  // GitHub Pages serves a project's site at the repository's name.
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'dist/pages',
  srcExclude: ['.github/**', 'template/**'],
  rewrites: placeOf,
  outDir: 'dist/site',
  head: [
    // The site has no icon. Without this line browsers ask for one.
    ['link', { rel: 'icon', href: 'data:,' }],
    // What axe reports about the default theme: the contrast of code, and a button whose name does not say its shortcut.
    ['style', {}, 'html:root { --vp-code-lang-color: var(--vp-c-text-2) }'],
    ['style', {}, 'button.DocSearch-Button .DocSearch-Button-Keys { display: none }'],
  ],
  markdown: {
    anchor: { slugify },
    config: adapt,
    languageAlias: { console: 'shellsession', mjs: 'js' },
    // The contrast that axe asks for.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/docs/start', activeMatch: '^/(docs|lib|sandbox)/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    sidebar: { '/': guides, '/api/': [{ text: 'API reference', link: '/api/', items: reference }] },
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // Long tables of results and of rules hold so many words that they would be found for everything.
        _render: (text, env, md) =>
          /^(bench|interop|test)\//.test(env.relativePath) ? '' : md.render(text, env),
        // Whoever pastes a message looks for what to do about it.
        miniSearch: { searchOptions: { boostDocument: (id) => (id.includes('troubleshooting') ? 2 : 1) } },
      },
    },
  },
  // The search index is one file, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
};
