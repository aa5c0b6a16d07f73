// The documentation site, built as `npm run site` builds it and read in a browser: every document is a page that the menu leads
// to, names of documents are links, and the search finds what they say.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launch, NARROW, visit, WIDE } from '../page/browser.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BASE = '/manual/';
const KINDS: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
let folder: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-site-'));
  execFileSync(
    process.execPath,
    [join(ROOT, 'node_modules/vitepress/bin/vitepress.js'), 'build', 'docs', '--outDir', folder],
    { cwd: ROOT, env: { ...process.env, TWAPD_SITE_BASE: BASE }, stdio: 'pipe' },
  );
  server = createServer((request, response) => {
    const path =
      new URL(request.url ?? '/', 'http://site').pathname.slice(BASE.length) || 'index.html';
    try {
      const content = readFileSync(join(folder, resolve('/', path)));
      response.setHeader('content-type', KINDS[extname(path)] ?? 'application/octet-stream');
      response.end(content);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`;
}, 300_000);
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const html = (page: string): string => readFileSync(join(folder, page), 'utf8');

test('the menu leads to every document, and each of its links to a page', () => {
  const links = [...html('tutorial.html').matchAll(/href="\/manual\/([\w./-]+\.html)"/g)];
  const linked = new Set(links.map(([, path = '']) => path));
  const written = globSync(['docs/*.md', 'docs/decisions/*.md'], { cwd: ROOT })
    .filter((path) => path !== 'docs/index.md')
    .map((path) => path.replace(/^docs\//, '').replace(/\.md$/, '.html'));
  expect(written.length).toBeGreaterThan(60);
  expect(written.filter((path) => !linked.has(path))).toEqual([]);
  const pages = new Set(globSync('**/*.html', { cwd: folder }));
  expect([...linked].filter((path) => !pages.has(path))).toEqual([]);
});

test('a document that is named as a file is a link to its page', () => {
  expect(html('tutorial.html')).toContain(
    '<a href="/manual/blotter.html"><code>docs/blotter.md</code>',
  );
});

describe.runIf(hasBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  test.each([
    ['wide', WIDE],
    ['narrow', NARROW],
  ])(
    'a reader finds the section on a blackout window by searching, on a %s screen',
    async (_, viewport) => {
      const { page, faults, close } = await visit(browser, origin, { viewport });
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('searchbox').fill('blackout window');
      await page.locator('.VPLocalSearchBox .results a').first().click();
      await page.waitForURL(/\/manual\/[\w/-]+\.html/);
      await page.locator('main h1').waitFor();
      expect(await page.locator('main').textContent()).toMatch(/blackout window/i);
      expect(faults).toEqual([]);
      await close();
    },
  );
});
