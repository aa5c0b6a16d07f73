// Debian's Chromium, driven by playwright-core. Whatever a page reports against its policy, throws, or asks of another
// origin is collected: it is a fault of the page.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import type { AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Where there is none the tests of the page say so, and are not run. */
export const hasBrowser = existsSync(PROGRAM);
if (!hasBrowser) process.stderr.write(`no ${PROGRAM}: the page is not tested in a browser\n`);

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: PROGRAM, args: FLAGS, timeout: 120_000 });

export const WIDE = { width: 1_440, height: 900 };
export const NARROW = { width: 390, height: 844 };

export interface Visit {
  readonly page: Page;
  /** What the page did that it may not. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(AXE);
  const page = await context.newPage();
  const faults: string[] = [];
  const { origin } = new URL(url);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML/i.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`asks ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults, close: () => context.close() };
}

/** Into the middle of the window, below what stays at its top. */
export const centre = (of: Locator): Promise<void> =>
  of.evaluate((element: { scrollIntoView(options: object): void }) =>
    element.scrollIntoView({ block: 'center' }),
  );

/** Violations of WCAG 2.2 AA, each with the elements concerned. */
export async function violations(page: Page): Promise<readonly string[]> {
  const { violations: found } = await page.evaluate(
    (values) =>
      (globalThis as unknown as { axe: { run(options: unknown): Promise<AxeResults> } }).axe.run({
        runOnly: { type: 'tag', values },
      }),
    RULES,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
