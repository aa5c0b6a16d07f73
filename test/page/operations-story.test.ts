// The screens next to the blotter, each from its link to what was wanted.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { perpetualBody, TAKER } from '../gateway/gateway-under-test.ts';
import type { RidStage } from '../gateway/order-api/rid-stage.ts';
import { hasBrowser, launch, NARROW, type Visit, violations, visit, WIDE } from './browser.ts';
import { type OperationsStage, operationsStage } from './operations-stage.ts';

const TRADING = '/tt/broker/openapi/trading';
const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
const VIEWPORTS = [
  ['wide, light', WIDE, 'light'],
  ['wide, dark', WIDE, 'dark'],
  ['phone, light', NARROW, 'light'],
  ['phone, dark', NARROW, 'dark'],
] as const;

describe.runIf(hasBrowser)('the screens of operations', () => {
  let browser: Browser;
  let stage: RidStage;
  let operations: OperationsStage;
  const visits: Visit[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    operations = await operationsStage();
    stage = operations.stage;
  });
  afterEach(async () => {
    const faults = visits.flatMap((one) => one.faults);
    for (const one of visits.splice(0)) await one.close();
    await stage.close();
    expect(faults).toEqual([]);
  });

  async function show(screen: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const url = `${stage.gateway.url}/#code=${await operations.codeOf('open')}`;
    const opened = await visit(browser, url, options);
    visits.push(opened);
    await opened.page.getByRole('link', { name: screen }).click();
    await opened.page.getByRole('heading', { name: screen, level: 1 }).waitFor();
    return opened.page;
  }

  test('what is wrong stands first, the urgent before the rest, with its runbook', async () => {
    stage.gateway.notReady = ['venue deribit: not connected'];
    const page = await show('Risk and operations');
    const wrong = page.getByRole('region', { name: /^What is wrong/ });
    await wrong.getByText('4 urgent, 3 to look at').waitFor();
    const said = await wrong.getByRole('listitem').allTextContents();
    expect(said.map((one) => one.replace(/ ?Runbook: .*/, ''))).toEqual([
      '▲ not ready: venue deribit: not connected',
      '▲ 10001, position with its orders filled (PT-8), BTC-PERPETUAL: no limit is set, which blocks orders',
      '▲ 20001, position with its orders filled (PT-8), BTC-PERPETUAL: no limit is set, which blocks orders',
      '▲ deribit cannot be traded on',
      '△ 10001, working and traded today (PT-9): 90% of the limit used',
      '△ 20001, working and traded today (PT-9): 90% of the limit used',
      '△ deribit: its clock is -0.250 s off',
    ]);
    const first = page.getByRole('main').getByRole('heading', { level: 2 }).first();
    expect(await first.textContent()).toMatch(/^What is wrong/);
    await page.getByText('deribit cannot be traded on').waitFor();
    const link = page.getByRole('link', { name: 'Runbook: TwapdVenueDown' });
    expect(await link.getAttribute('href')).toBe('https://runbook.test/ops#twapdvenuedown');
    const venue = page.getByRole('row', { name: /^deribit/ });
    await venue.getByText('venue deribit: not connected').waitFor();
    expect(await venue.textContent()).toContain('-0.250 s');
    expect(await venue.textContent()).toContain('15%');
  });

  test('an account is halted on a phone with two taps and a word, and activated with a fresh code only', async () => {
    const page = await show('Risk and operations', { viewport: NARROW, hasTouch: true });
    await page.getByLabel('Which account').fill('10001');
    await page.getByRole('button', { name: 'Halt this account…' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Cancels every open order of account 10001').waitFor();
    await dialog.getByLabel('Type HALT').fill('halt');
    await dialog.getByRole('button', { name: 'Halt now' }).tap();
    await dialog.getByText(/^Halted since .* by taker desk/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('cell', { name: 'orders behave unexpectedly' }).nth(1).waitFor();
    const { json } = await stage.gateway.request(`${TRADING}/switches`);
    expect(json.value).toMatchObject([{ scope: 'account', of: '10001', state: 'halted' }]);
    await page.getByText('1 narrower held back').waitFor();
    await page.getByRole('button', { name: 'Reduce account 10001' }).tap();
    await dialog.getByLabel('One-time code').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).tap();
    await page.getByRole('button', { name: 'Activate account 10001' }).tap();
    await dialog.getByLabel('Reason').fill('all clear');
    await dialog.getByLabel('One-time code').fill('AAAA-AAAA');
    await dialog.getByRole('button', { name: 'Activate' }).tap();
    await dialog.getByText(/^Refused: .*fresh one/).waitFor();
    await dialog.getByLabel('One-time code').fill(await operations.codeOf('confirm'));
    await dialog.getByRole('button', { name: 'Activate' }).tap();
    await dialog.getByText(/^Active since .* by taker desk: all clear$/).waitFor();
  });

  test('orders and trades that a restored ledger does not know are listed with what to run next', async () => {
    const page = await show('Risk and operations');
    await page.getByText('no order and no trade of these accounts').waitFor();
    operations.unaccounted();
    await page.reload();
    const gone = page.getByRole('row', { name: /^10001 1795000000000001 no: it is gone/ });
    await gone.waitFor();
    expect(await gone.textContent()).toMatch(/2.*BTC-PERPETUAL.*buy.*500 in 2.*1,250\.5 in 3/);
    await page.getByText('twapd ledger unaccounted --orders leave').waitFor();
    await page.getByText('twapd switch activate --account 10001 --reason TEXT').waitFor();
  });

  test('limits and protection show what is used, and protection is reset with a fresh code', async () => {
    await operations.protect();
    await operations.buyProtected('100000');
    const page = await show('Risk and operations');
    await page.getByLabel('90% used').first().waitFor();
    await page.getByText('none set: blocks').first().waitFor();
    const group = page.getByRole('row', { name: /^10001 btc_usd/ });
    expect(await group.textContent()).toMatch(/[1-9]\d* of 5 .*3600 s, ends 20/);
    await page.getByRole('button', { name: 'Reset btc_usd of 10001' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('One-time code').fill(await operations.codeOf('confirm'));
    await dialog.getByRole('button', { name: 'Reset', exact: true }).click();
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('cell', { name: 'private/reset_mmp' }).waitFor();
    await group.getByText('0 of 5').waitFor();
  });

  test('actions go back into the past page by page, and keys and sessions are listed without secrets', async () => {
    for (let at = 0; at < 25; at += 1) {
      stage.gateway.nowMs += 1_000;
      await stage.gateway.submit(perpetualBody());
    }
    const page = await show('Risk and operations');
    const rows = page.getByRole('cell', { name: 'portfolios/submit' });
    await rows.first().waitFor();
    expect(await rows.count()).toBe(20);
    await page.getByRole('button', { name: 'Older' }).click();
    await expect.poll(() => rows.count()).toBe(5);
    await page.getByRole('button', { name: 'Newest' }).click();
    await expect.poll(() => rows.count()).toBe(20);
    await page.getByRole('row', { name: /^stranger/ }).waitFor();
    expect(await page.content()).not.toContain(TAKER.secret);
    await page.getByRole('button', { name: 'End the session of taker' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
  });

  test('strategies show the faults of files by line, and are switched off at once and on with a code', async () => {
    const page = await show('Strategies');
    await page.getByText('bad.yaml:3:5').waitFor();
    await page.getByRole('button', { name: 'Switch one off' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('One-time code').count()).toBe(0);
    await dialog.getByLabel('Reason').fill(MARKUP);
    await dialog.getByRole('button', { name: 'Switch one off' }).click();
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText(`by taker desk: ${MARKUP}; its file says on`).waitFor();
    await page.getByRole('button', { name: 'Switch one on' }).click();
    await dialog.getByLabel('Reason').fill('again');
    await dialog.getByLabel('One-time code').fill(await operations.codeOf('confirm'));
    await dialog.getByRole('button', { name: 'Switch one on' }).click();
    await dialog.getByText('Done.').waitFor();
    expect(operations.strategies.set.map(({ state }) => state)).toEqual(['off', 'on']);
    expect(await page.locator('img, main script').count()).toBe(0);
  });

  test('positions show margin and greeks, and accounts their equity by currency', async () => {
    await operations.buy();
    const page = await show('Positions');
    const row = page.getByRole('row', { name: /BTC-PERPETUAL/ });
    await row.getByText('▲ long').waitFor();
    await row.getByText(/^1,000\s*USD ≈ 0\.01\d+ BTC$/).waitFor();
    await row.getByRole('img', { name: /^initial 0\.0%, maintenance 0\.0% of equity$/ }).waitFor();
    await page.getByRole('row', { name: /^10001 BTC \d/ }).waitFor();
  });

  test('the tables of positions are not cut in a window of 1,024 pixels', async () => {
    await operations.buy();
    const options = await stage.post(
      'public/get_instruments',
      { currency: 'BTC', kind: 'option' },
      null,
    );
    const names: string[] = options.result.map(
      (one: { instrumentName: string }) => one.instrumentName,
    );
    const option = names.find((name) => /^BTC-25DEC26-9\d{4}-C$/.test(name)) ?? '';
    stage.holdTime();
    const ticker = await stage.post('public/ticker', { instrumentName: option }, null);
    const bought = await stage.post('private/buy', {
      instrumentName: option,
      quantity: '0.1',
      price: ticker.result.bestAskPrice,
    });
    expect(bought.result?.order.filledQuantity, JSON.stringify(bought)).toBe('0.1');
    const page = await show('Positions', { viewport: { width: 1_024, height: 768 } });
    const row = page.getByRole('row', { name: new RegExp(option) });
    await row.getByRole('img', { name: /of equity$/ }).waitFor();
    const cut =
      "[...document.querySelectorAll('.scrolls')].map((one) => one.scrollWidth - one.clientWidth)";
    expect(await page.evaluate(cut)).toEqual([0, 0, 0]);
  });

  test('totals of positions are in dollars at the index, and not known while one has no price', async () => {
    await operations.buy();
    stage.holdTime();
    const indexOf = async (indexName: string): Promise<number> =>
      Number((await stage.post('public/get_index_price', { indexName }, null)).result.indexPrice);
    const equityOf = async (currency: string): Promise<number> =>
      Number((await stage.post('private/get_account_summary', { currency })).result.equity);
    const [btc, eth] = [await indexOf('btc_usd'), await indexOf('eth_usd')];
    const usd = (await equityOf('BTC')) * btc + (await equityOf('ETH')) * eth + 5_000_000;
    const [{ delta }] = (await stage.post('private/get_positions')).result;
    const page = await show('Positions');
    const total = (name: string) => page.locator('.strip > div').filter({ hasText: name });
    await total('Equity')
      .getByText(`${Math.round(usd).toLocaleString('en-US')} USD`)
      .waitFor();
    await total('Net delta')
      .getByText(`${Number(delta).toFixed(4)} BTC`)
      .waitFor();
    const worth = Number(delta) * btc;
    const inUsd = worth < 1_000 ? worth.toFixed(2) : Math.round(worth).toLocaleString('en-US');
    await total('Net delta').getByText(`${inUsd} USD`).waitFor();
    const coin = page.getByRole('region', { name: 'Greeks by coin', exact: true });
    expect(await coin.getByRole('row', { name: /^BTC 1 / }).textContent()).toContain(
      Number(delta).toFixed(4),
    );
    await page.route('**/page/api/public/get_index_price', (route) =>
      route.request().postData()?.includes('eth_usd') ? route.abort() : route.fallback(),
    );
    await page.reload();
    await total('Equity').getByText('not known').waitFor();
    await total('Equity')
      .getByText(/^price of ETH not known; .*1,000 ETH/)
      .waitFor();
  });

  test('markup in the nickname of a key stays text in the bar, in keys, actions and switches', async () => {
    stage.gateway.keys.set(TAKER.id, { ...TAKER, nickname: MARKUP });
    await stage.gateway.request(`${TRADING}/switch`, {
      body: { scope: 'account', of: '10001', state: 'reducing', reason: 'drill' },
    });
    const page = await show('Risk and operations');
    await page.getByText(`${MARKUP} (`).first().waitFor();
    for (const title of ['Keys', 'Actions', 'Switches']) {
      const sheet = page.getByRole('region', { name: title, exact: true });
      await sheet.getByText(MARKUP).first().waitFor();
    }
    expect(await page.locator('img, main script, header script').count()).toBe(0);
  });

  test('a session that is ended elsewhere while a dialog is open shows nothing of it any more', async () => {
    await operations.protect();
    const page = await show('Risk and operations');
    await page.getByRole('button', { name: 'Reset btc_usd of 10001' }).click();
    await page.getByRole('dialog').waitFor();
    const { json } = await stage.gateway.request(`${TRADING}/page-sessions`);
    await stage.gateway.request(`${TRADING}/page-session-end`, { body: { id: json.value[0].id } });
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByText('btc_usd').count()).toBe(0);
  });

  test.each(VIEWPORTS)(
    'every screen of operations is accessible: %s',
    async (_name, viewport, colorScheme) => {
      await operations.protect();
      await operations.buy();
      await stage.gateway.request(`${TRADING}/switch`, {
        body: { scope: 'account', of: '10001', state: 'halted', reason: MARKUP },
      });
      const page = await show('Risk and operations', { viewport, colorScheme });
      await page.getByRole('button', { name: 'End the session of taker' }).waitFor();
      await checkScreen(page);
      for (const name of ['Activate account 10001', 'Reset btc_usd of 10001']) {
        await page.getByRole('button', { name }).click();
        await page.getByRole('dialog').waitFor();
        await checkScreen(page);
        await page.keyboard.press('Escape');
      }
      await page.getByRole('button', { name: 'End the session of taker' }).click();
      await page.getByRole('dialog').waitFor();
      await checkScreen(page);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Strategies' }).click();
      await page.getByText('bad.yaml:3:5').waitFor();
      await checkScreen(page);
      await page.getByRole('button', { name: 'Switch one off' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Positions' }).click();
      await page
        .getByRole('img', { name: /maintenance 0\.0% of equity$/ })
        .first()
        .waitFor();
      await checkScreen(page);
    },
  );
});

async function checkScreen(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  const isWider = 'document.documentElement.scrollWidth > innerWidth';
  expect(await page.evaluate(isWider)).toBe(false);
  const scrolled =
    "innerWidth > 700 ? 0 : [...document.querySelectorAll('.scrolls')].filter((one) => one.scrollWidth > one.clientWidth).length";
  expect(await page.evaluate(scrolled), 'a phone shows cards').toBe(0);
}
