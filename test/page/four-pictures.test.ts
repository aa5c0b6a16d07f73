// Each screen through its four pictures: being read, not read, read and empty, and no longer current. What is not known is never
// shown as nothing.
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BTC } from '../gateway/order-api/rid-stage.ts';
import { hasBrowser, launch, type Visit, visit } from './browser.ts';
import { type DeskStage, deskStage } from './desk-stage.ts';
import { operationsStage } from './operations-stage.ts';
import { PortfolioStage } from './portfolio-stage.ts';
import { ticketStage } from './ticket-stage.ts';

type Mode = 'hold' | 'fail' | 'pass' | 'nothing';

const LOADING = ['loading: Being read.'];
const STALE = /^stale: ▲ Not current since \d\d:\d\d:\d\d UTC/;

/** Holds back what the page requests of these addresses, until it is changed to another mode. */
async function gate(page: Page, path: RegExp): Promise<(next: Mode) => Promise<void>> {
  let mode: Mode = 'hold';
  const held: Route[] = [];
  const settle = (route: Route): Promise<void> => {
    if (mode === 'fail') return route.abort();
    return mode === 'pass' ? route.fallback() : route.fulfill({ json: { rid: '1', result: [] } });
  };
  await page.route(path, async (route) => {
    if (mode === 'hold') held.push(route);
    else await settle(route);
  });
  return async (next) => {
    mode = next;
    for (const route of held.splice(0)) await settle(route);
  };
}

/** Kinds of the pictures of a panel, each with its text. */
const picturesOf = async (panel: Locator): Promise<readonly string[]> => {
  const texts = await panel.locator('.picture').evaluateAll((all: readonly unknown[]) =>
    all.map((one) => {
      const { className, textContent } = one as { className: string; textContent: string };
      return `${className.replace('picture ', '')}: ${textContent}`;
    }),
  );
  return texts;
};

async function failed(panel: Locator): Promise<void> {
  await expect
    .poll(() => picturesOf(panel))
    .toEqual([expect.stringMatching(/^failed: ✕ Not read: ./)]);
}

describe.runIf(hasBrowser)('the four pictures', () => {
  let browser: Browser;
  const visits: Visit[] = [];
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const faults = visits.flatMap((one) => one.faults);
    for (const one of visits.splice(0)) await one.close();
    for (const end of ends.splice(0)) await end();
    expect(faults).toEqual([]);
  });

  async function enter(url: string, code: string): Promise<Page> {
    const opened = await visit(browser, `${url}/#code=${code}`);
    visits.push(opened);
    await opened.page.getByText('live', { exact: true }).waitFor();
    return opened.page;
  }

  async function enterDesk(): Promise<{ readonly desk: DeskStage; readonly page: Page }> {
    const desk = await deskStage();
    ends.push(() => desk.stage.close());
    return { desk, page: await enter(desk.stage.gateway.url, await desk.codeOf('open')) };
  }

  test.each([
    ['Blotter', undefined, /\/page\/api\/page\?/, 'pass', 'No portfolio matches.'],
    [
      'Risk and operations',
      'Market-maker protection',
      /\/private\/get_mmp_config$/,
      'pass',
      'No group is configured.',
    ],
    ['Positions', 'Open positions', /\/private\/get_positions$/, 'pass', 'No open positions.'],
    ['Option chain', undefined, /\/public\/get_instruments$/, 'nothing', 'No options in trading.'],
    ['Ladder and orders', 'Open orders', /\/private\/get_open_orders$/, 'pass', 'No open orders.'],
    ['Block RFQ', 'Asked', /\/block\/rfqs\/get_rfqs$/, 'pass', 'No Block RFQs.'],
  ] as const)(
    '%s shows what is being read, what could not be read, what is empty, and what is no longer current',
    async (screen, region, path, answer, none) => {
      const { desk, page } = await enterDesk();
      const change = await gate(page, path);
      if (screen === 'Blotter') await page.reload();
      else await page.getByRole('link', { name: screen, exact: true }).click();
      const panel =
        region === undefined
          ? page.getByRole('main')
          : page.getByRole('region', { name: region, exact: true });
      await expect.poll(() => picturesOf(panel)).toEqual(LOADING);
      await change('fail');
      await failed(panel);
      await change(answer);
      await expect.poll(() => picturesOf(panel)).toEqual([`empty: ∅ ${none}`]);
      await change('fail');
      await desk.stage.gateway.close();
      if (screen === 'Option chain') {
        // It lists what is in trading once a minute, and each time it is opened.
        await page.getByRole('link', { name: 'Blotter', exact: true }).click();
        await page.getByRole('link', { name: screen, exact: true }).click();
      }
      await expect
        .poll(() => picturesOf(panel))
        .toEqual([expect.stringMatching(STALE), `empty: ∅ When last read: ${none}`]);
    },
  );

  test('a chain without its first prices is being read, and each of its figures says so', async () => {
    const { desk, page } = await enterDesk();
    let isOpen = false;
    await page.routeWebSocket(/\/page\/ws\/api/, (socket) => {
      if (isOpen) socket.connectToServer();
      else void socket.close();
    });
    await page.getByRole('link', { name: 'Option chain' }).click();
    const main = page.getByRole('main');
    await main
      .getByRole('link', { name: /^Bid of BTC-.*-C: not known$/ })
      .first()
      .waitFor();
    expect(await picturesOf(main)).toEqual(LOADING);
    expect(await main.getByRole('link', { name: /: none$/ }).count()).toBe(0);
    const figures = await main.locator('tbody tr').first().locator('td').allTextContents();
    expect(new Set(figures)).toEqual(new Set(['…', '']));
    isOpen = true;
    await main
      .getByRole('link', { name: /^Bid of BTC-.*-C: \d/ })
      .first()
      .waitFor();
    await expect.poll(() => picturesOf(main)).toEqual([]);
    await desk.stage.gateway.close();
    await expect.poll(() => picturesOf(main)).toEqual([expect.stringMatching(STALE)]);
    await main
      .getByRole('link', { name: /^Bid of BTC-.*-C: \d/ })
      .first()
      .waitFor();
  });

  test('a ladder shows what is being read, an instrument that is not known, no trades, and an old book', async () => {
    const { desk, page } = await enterDesk();
    let isOpen = false;
    await page.routeWebSocket(/\/page\/ws\/api/, (socket) => {
      if (isOpen) socket.connectToServer();
      else void socket.close();
    });
    const change = await gate(page, /\/public\/get_instrument$/);
    await page.getByRole('link', { name: 'Ladder and orders' }).click();
    const ladder = page.getByRole('region', { name: `Book of ${BTC}` });
    await expect.poll(() => picturesOf(ladder)).toEqual(LOADING);
    await change('fail');
    await failed(ladder);
    isOpen = true;
    await change('pass');
    desk.stage.holdTime();
    await ladder.getByRole('row', { name: /bid$/ }).first().waitFor();
    const none = 'None since the page was opened.';
    await expect.poll(() => picturesOf(ladder)).toEqual([`empty: ∅ ${none}`]);
    await page.getByLabel('Size in USD').waitFor();
    await desk.stage.gateway.close();
    await expect
      .poll(() => picturesOf(ladder))
      .toEqual([expect.stringMatching(STALE), `empty: ∅ When last read: ${none}`]);
  });

  test('strategies show what is being read, what could not be read, and what is no longer current', async () => {
    const operations = await operationsStage();
    ends.push(() => operations.stage.close());
    const page = await enter(operations.stage.gateway.url, await operations.codeOf('open'));
    const change = await gate(page, /\/page\/api\/strategies$/);
    await page.getByRole('link', { name: 'Strategies' }).click();
    const panel = page.getByRole('region', { name: 'In force', exact: true });
    await expect.poll(() => picturesOf(panel)).toEqual(LOADING);
    await change('fail');
    await failed(panel);
    await change('pass');
    await panel.getByRole('cell', { name: 'one.yaml' }).waitFor();
    expect(await picturesOf(panel)).toEqual([]);
    await change('fail');
    await expect.poll(() => picturesOf(panel)).toEqual([expect.stringMatching(STALE)]);
    await panel.getByRole('cell', { name: 'one.yaml' }).waitFor();
  });

  test('a portfolio shows what is being read, what could not be read, what is empty, and what is no longer current', async () => {
    const stage = await PortfolioStage.open();
    ends.push(() => stage.close());
    // The spread is wider than that: no order is sent.
    const id = await stage.submit({ execution: { endAction: 'cancel', spreadMaxBps: 0.5 } });
    const page = await enter(stage.gateway.url, await stage.codeOf('open'));
    const change = await gate(page, /\/page\/api\/info\?/);
    await page.locator(`[data-portfolio="${id}"] a`).click();
    const panel = page.locator('.portfolio');
    await expect.poll(() => picturesOf(panel)).toEqual(LOADING);
    await change('fail');
    await failed(panel);
    await change('pass');
    await page.getByRole('heading', { name: 'History' }).waitFor();
    const orders = page.getByRole('region', { name: /^Orders at the venue/ });
    await expect
      .poll(() => picturesOf(orders))
      .toEqual(['empty: ∅ No order of this portfolio is at the venue.']);
    await stage.gateway.close();
    await expect
      .poll(() => picturesOf(orders))
      .toEqual([
        expect.stringMatching(STALE),
        'empty: ∅ When last read: No order of this portfolio is at the venue.',
      ]);
  });

  test('the plan of a ticket is empty, being read, not read, and no longer current, with what was planned last', async () => {
    const { stage, close } = await ticketStage();
    ends.push(close);
    const page = await enter(stage.gateway.url, await stage.codeOf('open'));
    const change = await gate(page, /\/page\/api\/plan$/);
    await page.getByRole('link', { name: 'Ticket', exact: true }).click();
    const field = (path: string) => page.locator(`[data-field="${path}"]`);
    const plan = page.getByRole('region', { name: /^Plan/ });
    const empty = ['empty: ∅ Choose an instrument to see the plan.'];
    await expect.poll(() => picturesOf(plan)).toEqual(empty);
    await field('legs[0].instrument').fill('btc perpetual');
    await page.getByRole('option', { name: 'BTC-PERPETUAL', exact: true }).click();
    await field('legs[0].side').getByRole('radio', { name: 'Buy' }).check();
    await field('legs[0].quantity').fill('12000');
    await expect.poll(() => picturesOf(plan)).toEqual(LOADING);
    await change('fail');
    await failed(plan);
    await change('pass');
    await plan.getByText(/^Buy BTC-PERPETUAL: \d+ slices? of /).waitFor();
    expect(await picturesOf(plan)).toEqual([]);
    await change('fail');
    await expect.poll(() => picturesOf(plan)).toEqual([expect.stringMatching(STALE)]);
    await plan.getByText(/^Buy BTC-PERPETUAL: \d+ slices? of /).waitFor();
    await change('pass');
    await expect.poll(() => picturesOf(plan)).toEqual([]);
  });
});
