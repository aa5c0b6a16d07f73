// Every screen of the page as it is now, for a person to look at: wide, in between and narrow, light and dark.
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { centre, NARROW, type Visit, visit, WIDE } from '../browser.ts';
import { deskStage } from '../desk-stage.ts';
import { ticketStage } from '../ticket-stage.ts';
import { blotterStage } from './blotter-stage.ts';

const WIDTHS = [WIDE, { width: 1_024, height: 768 }, NARROW];
const THEMES = ['light', 'dark'] as const;
const MINUTE_MS = 60_000;

/** Names of the screens, with the link that leads to each. */
const SCREENS: readonly (readonly [string, string])[] = [
  ['blotter', 'Blotter'],
  ['ticket', 'Ticket'],
  ['risk', 'Risk and operations'],
  ['strategies', 'Strategies'],
  ['positions', 'Positions'],
  ['chain', 'Option chain'],
  ['orders', 'Ladder and orders'],
  ['rfq', 'Block RFQ'],
];

const PORTFOLIOS = ['portfolio', 'package'];
const WRITTEN = 'ticket-written';
const QUOTED = 'rfq-quoted';
const APART: readonly string[] = [...PORTFOLIOS, WRITTEN, QUOTED];

/** `only`: names of screens; empty: all. */
export async function writeEveryScreen(
  browser: Browser,
  folder: string,
  only: readonly string[],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);
  if (only.length === 0 || only.some((name) => !APART.includes(name))) {
    await writeScreens(browser, folder, isWanted);
  }
  if (isWanted('portfolio') || isWanted('package')) {
    await writePortfolios(browser, folder, isWanted);
  }
  if (isWanted(WRITTEN)) await writeTicket(browser, folder);
  if (isWanted(QUOTED)) await writeQuotes(browser, folder);
}

/** A Block RFQ that a maker has quoted on. */
async function writeQuotes(browser: Browser, folder: string): Promise<void> {
  const desk = await deskStage();
  await desk.createRfq();
  await desk.quote();
  desk.stage.holdTime();
  await eachVariant(
    (options) => entered(browser, desk, options),
    async (page, name) => {
      await page.getByRole('link', { name: 'Block RFQ', exact: true }).click();
      await page.getByRole('button', { name: /^Buy at / }).waitFor();
      await page.getByText(/^quantity .* mark \d/).waitFor();
      await page.screenshot({ path: `${folder}/${QUOTED}-${name}.png` });
    },
  );
  await desk.stage.close();
}

/** A hedged option, whole and in words; then what is under Advanced, and a size that is refused. */
async function writeTicket(browser: Browser, folder: string): Promise<void> {
  const { stage, close } = await ticketStage();
  const of = { codeOf: (purpose: 'open') => stage.codeOf(purpose), stage };
  await eachVariant(
    (options) => entered(browser, of, options),
    async (page, name) => {
      const shoot = (what: string) => page.screenshot({ path: `${folder}/${what}-${name}.png` });
      const field = (path: string) => page.locator(`[data-field="${path}"]`);
      await page.getByRole('link', { name: 'Ticket', exact: true }).click();
      await field('legs[0].instrument').fill('btc 100000 c');
      await page.getByRole('listbox').getByRole('option').first().waitFor();
      await shoot('ticket-found');
      await field('legs[0].instrument').fill('btc 25dec26 100000 c');
      await page.getByRole('option', { name: 'BTC-25DEC26-100000-C' }).click();
      await field('legs[0].side').getByRole('radio', { name: 'Buy' }).check();
      await field('legs[0].quantity').fill('6');
      await page.getByRole('checkbox', { name: 'Hedge the delta' }).check();
      await page.getByText(/^Sell BTC-PERPETUAL: up to/).waitFor();
      await shoot(WRITTEN);
      await page.getByRole('heading', { name: 'Plan' }).scrollIntoViewIfNeeded();
      await shoot(`${WRITTEN}-plan`);
      await field('legs[0].quantity').fill('0.05');
      await page.getByText('Advanced').click();
      await page.locator('.wrong').first().waitFor();
      await shoot('ticket-refused');
      await centre(page.getByText('Advanced'));
      await shoot('ticket-advanced');
    },
  );
  await close();
}

async function writeScreens(
  browser: Browser,
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const own = await blotterStage();
  own.stage.holdTime();
  await own.protect();
  await own.buy();
  const open = (options: Parameters<typeof visit>[2]) => entered(browser, own, options);
  await eachVariant(open, async (page, name) => {
    const shoot = (screen: string) => page.screenshot({ path: `${folder}/${screen}-${name}.png` });
    for (const [screen, link] of SCREENS) {
      if (!isWanted(screen)) continue;
      await page.getByRole('link', { name: link, exact: true }).click();
      await settled(page);
      if (screen === 'chain') await page.locator('tr.money').waitFor();
      await shoot(screen);
    }
    if (!isWanted('blotter')) return;
    await page.getByRole('link', { name: 'Blotter', exact: true }).click();
    await page.getByLabel('Which portfolios').selectOption('ended');
    await settled(page);
    await shoot('ended');
    await page.getByLabel('Search portfolios').fill('no such portfolio');
    await shoot('empty');
  });
  if (isWanted('gone')) {
    await eachVariant(open, async (page, name) => {
      await page.getByRole('link', { name: 'Positions', exact: true }).click();
      await settled(page);
      await page.context().setOffline(true);
      await page.locator('.picture.stale').first().waitFor();
      await page.screenshot({ path: `${folder}/gone-${name}.png` });
      await page.getByRole('link', { name: 'Strategies', exact: true }).click();
      await page.locator('.picture.failed').first().waitFor();
      await page.screenshot({ path: `${folder}/gone-unread-${name}.png` });
    });
  }
  if (isWanted('halted')) {
    const body = { scope: 'deployment', state: 'halted', reason: 'orders behave unexpectedly' };
    await own.stage.gateway.request('/tt/broker/openapi/trading/switch', { body });
    await eachVariant(open, async (page, name) => {
      await page.getByText('HALTED').first().waitFor();
      await settled(page);
      await page.screenshot({ path: `${folder}/halted-${name}.png` });
    });
  }
  await own.stage.close();
}

/** One leg over a market with a gap, and an option with its hedge. */
async function writePortfolios(
  browser: Browser,
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const { stage, close } = await ticketStage();
  const roll = { ...stage.resting('99980', '12000'), customizedNote: 'month-end roll' };
  const calls = { ...stage.hedged('6'), customizedNote: 'hedge of the book' };
  const ids = { portfolio: await stage.submit(roll), package: await stage.submit(calls) };
  await stage.run(12 * MINUTE_MS);
  await stage.runUnseen(MINUTE_MS);
  await stage.run(12 * MINUTE_MS);
  const of = { codeOf: (purpose: 'open') => stage.codeOf(purpose), stage };
  await eachVariant(
    (options) => entered(browser, of, options),
    async (page, name) => {
      for (const [screen, id] of Object.entries(ids)) {
        if (!isWanted(screen)) continue;
        await page.getByRole('link', { name: 'Blotter', exact: true }).click();
        await page.locator(`[data-portfolio="${id}"] a`).click();
        await page
          .getByText(/positive is a cost/)
          .first()
          .waitFor();
        await page.getByText('≈').first().waitFor();
        await page.screenshot({ path: `${folder}/${screen}-${name}.png` });
        const enlarge = page.getByRole('button', { name: 'Enlarge' });
        if (await enlarge.isVisible()) {
          await enlarge.click();
          await page.screenshot({ path: `${folder}/${screen}-whole-${name}.png` });
        }
        await centre(page.getByRole('heading', { name: 'History' }));
        await page.screenshot({ path: `${folder}/${screen}-below-${name}.png` });
      }
    },
  );
  await close();
}

interface Place {
  codeOf(purpose: 'open'): Promise<string>;
  readonly stage: { readonly gateway: { readonly url: string } };
}

async function entered(
  browser: Browser,
  of: Place,
  options: Parameters<typeof visit>[2],
): Promise<Visit> {
  const url = `${of.stage.gateway.url}/#code=${await of.codeOf('open')}`;
  const opened = await visit(browser, url, options);
  await opened.page.getByText('live', { exact: true }).waitFor();
  return opened;
}

async function eachVariant(
  open: (options: Parameters<typeof visit>[2]) => Promise<Visit>,
  picture: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  for (const viewport of WIDTHS) {
    for (const colorScheme of THEMES) {
      const { page, close } = await open({ viewport, colorScheme });
      await picture(page, `${viewport.width}-${colorScheme}`);
      await close();
    }
  }
}

/** Until no panel waits for its first answer. */
const settled = (page: Page): Promise<void> =>
  page.getByText('Being read.').first().waitFor({ state: 'detached' });
