// The documentation site: the documents of the repository as pages, with search. `npm run site` builds it into
// docs/.vitepress/dist; a link to a page that does not exist fails the build.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { type DefaultTheme, defineConfig } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

/** Beside `docs/security.md`, which file systems that ignore case could not keep apart from it. */
const POLICY = 'security-policy.md';

/** Where the pages of the repository stand on the site: those of `docs` at the top. */
const address = (path: string): string =>
  `/${path
    .replace(/^SECURITY\.md$/, POLICY)
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')}`;

/** A page by its path in the repository, under the heading that it begins with. */
function page(path: string): Item {
  const title = /^# (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1];
  if (title === undefined) throw new Error(`${path} has no heading; accepted: a line "# Title"`);
  return { text: title.replaceAll('`', ''), link: address(path) };
}

const docs = (...names: readonly string[]): Item[] => names.map((name) => page(`docs/${name}.md`));

const DECISIONS = readdirSync('docs/decisions')
  .filter((name) => name.endsWith('.md'))
  .map((name) => page(`docs/decisions/${name}`));

const SIDEBAR: Item[] = [
  { text: 'Tutorial', items: docs('tutorial', 'strategies', 'not-filling', 'glossary') },
  {
    text: 'How to',
    items: docs(
      ...['systemd', 'compose', 'kubernetes', 'tls', 'several-daemons', 'load-balancer', 'standby'],
      ...['log-rotation', 'time-sync', 'capacity', 'upgrade', 'notifications'],
      ...[
        'deribit',
        'recording',
        'scenarios',
        'sweep',
        'rehearse',
        'export',
        'reconcile',
        'python',
      ],
      ...['add-a-venue', 'kept-ledgers'],
    ),
  },
  {
    text: 'Reference',
    items: [
      ...docs('configuration', 'interface', 'order-methods', 'deribit-wire', 'controls'),
      ...docs('blotter', 'page', 'report', 'operations', 'security'),
    ],
  },
  {
    text: 'Explanation',
    items: [
      page('ARCHITECTURE.md'),
      ...docs('reliability', 'invariants', 'faults', 'testing', 'mutants'),
      { text: 'Decisions', collapsed: true, items: DECISIONS },
    ],
  },
  {
    text: 'Project',
    items: ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].map(page),
  },
];

/** The documents name each other by path, as code; on the site such a name is a link. */
const PAGE_NAME = /^(?:docs\/[\w/-]+|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/;

/** Where the site is served, ending with a slash. */
const BASE = process.env['TWAPD_SITE_BASE'] ?? '/';

export default defineConfig({
  base: BASE,
  title: 'twapd',
  description: 'TWAP execution daemon for crypto options, perpetuals, dated futures and spot',
  lang: 'en',
  srcDir: '..',
  cacheDir: '../node_modules/.cache/vitepress',
  srcExclude: [
    'README.md',
    'examples/**',
    'test/**',
    'src/**',
    'dist/**',
    'monitoring/**',
    'bench/**',
  ],
  rewrites: { 'docs/:path*': ':path*', 'SECURITY.md': POLICY },
  cleanUrls: false,
  // Addresses of the reader's own machine.
  ignoreDeadLinks: ['localhostLinks'],
  markdown: {
    config: (md) => {
      const { code_inline: plain } = md.renderer.rules;
      if (plain === undefined) throw new Error('the renderer has no rule for code');
      md.renderer.rules.code_inline = (tokens, index, options, env, self) => {
        const name = tokens[index]?.content ?? '';
        const code = plain(tokens, index, options, env, self);
        return PAGE_NAME.test(name) && existsSync(name)
          ? `<a href="${BASE}${address(name).slice(1)}.html">${code}</a>`
          : code;
      };
    },
  },
  themeConfig: {
    sidebar: SIDEBAR,
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Operations', link: '/operations' },
      { text: 'Interface', link: '/interface' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
