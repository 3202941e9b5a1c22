import MiniSearch from 'minisearch';
import { anchorsOf, markdownIn, textOf } from './pages.js';

/** What a heading begins, down to the next heading. The site's search finds sections. */
export interface Section {
  /** The page and the anchor: `docs/tokens.md#how-do-i-refresh-a-token`. */
  readonly id: string;
  readonly page: string;
  readonly title: string;
  /** The headings above this one. */
  readonly titles: readonly string[];
  /** Without markup. */
  readonly text: string;
}

/** The Markdown of the repository, as the site's search has it. The site also has the API reference, which is generated there. */
const SEARCHED = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'RELEASING.md',
  'SECURITY.md',
  ...['docs', 'examples', 'interop', 'lib', 'sandbox', 'test', 'tools'].flatMap(markdownIn),
].filter((page) => !page.includes('/dist/'));

/** Splits a page as VitePress does for its local search, with the anchors of GitHub. */
function sectionsOf(page: string): Section[] {
  const anchors = anchorsOf(page);
  // Headings are not looked for in code blocks, which the capturing group puts at the odd places.
  const lines = textOf(page)
    .split(/^(```.*?^```)$/gms)
    .flatMap((part, index) => (index % 2 === 1 ? [part] : part.split('\n')));
  const sections: { title: string; titles: string[]; lines: string[] }[] = [];
  let above: string[] = [];
  for (const line of lines) {
    const [, marks, heading = ''] = /^(#{1,6}) (.+)$/.exec(line) ?? [];
    if (marks === undefined) {
      sections.at(-1)?.lines.push(line);
      continue;
    }
    // VitePress takes what is in front of a heading's first link, and makes links of URLs.
    const [beforeLink = ''] = /^(?:`[^`]*`|(?!\[[^\]]*\]\(|https?:\/\/).)*/.exec(heading) ?? [];
    const title = withoutMarkup(beforeLink);
    above = [...Array.from({ length: marks.length - 1 }, (_, level) => above[level] ?? ''), title];
    sections.push({ title, titles: above.slice(0, -1).filter(Boolean), lines: [] });
  }
  return sections.map((section, index) => ({
    ...section,
    id: `${page}#${anchors[index]}`,
    page,
    text: withoutMarkup(section.lines.join('\n')),
  }));
}

/** The text that is left when the HTML of some Markdown loses its tags. */
function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/^```/gm, '')
    .replace(/^\|[-:| ]+\|$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|(?<!`[^`\n]*)<[^>\n]*>|`/g, '')
    .replace(/^ *(?:[|>]|- )|(?<!\\)\|/gm, ' ')
    .replace(/\\([|"_*])/g, '$1');
}

/**
 * The sections that the search of the documentation site finds, best first. Fields and options are those of VitePress 1.6, which offers
 * the first 16 of them.
 *
 * @see https://github.com/vuejs/vitepress/blob/v1.6.4/src/client/theme-default/components/VPLocalSearchBox.vue
 */
export function siteSearch(): (query: string) => Section[] {
  const sections = SEARCHED.flatMap(sectionsOf);
  const index = new MiniSearch<Section>({
    fields: ['title', 'titles', 'text'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  });
  index.addAll(sections);
  const byID = new Map(sections.map((section) => [section.id, section]));
  return (query) => index.search(query).flatMap(({ id }) => byID.get(String(id)) ?? []);
}
