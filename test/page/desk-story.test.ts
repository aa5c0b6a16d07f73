// The screens of a trader's desk, each from its link to what was wanted: the chain, the ladder with orders, and Block RFQs.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BTC } from '../gateway/order-api/rid-stage.ts';
import { hasBrowser, launch, NARROW, type Visit, violations, visit, WIDE } from './browser.ts';
import { type DeskStage, deskStage, MAKER } from './desk-stage.ts';

const MARKUP = '<img src=x onerror="alert(1)">';
const VIEWPORTS = [
  ['wide, light', WIDE, 'light'],
  ['wide, dark', WIDE, 'dark'],
  ['phone, light', NARROW, 'light'],
  ['phone, dark', NARROW, 'dark'],
] as const;

describe.runIf(hasBrowser)('the desk', () => {
  let browser: Browser;
  let desk: DeskStage;
  const visits: Visit[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    desk = await deskStage();
  });
  afterEach(async () => {
    const faults = visits.flatMap((one) => one.faults);
    for (const one of visits.splice(0)) await one.close();
    await desk.stage.close();
    expect(faults).toEqual([]);
  });

  async function show(
    screen: string,
    options: Parameters<typeof visit>[2] = {},
    by = desk.taker,
  ): Promise<Page> {
    const url = `${desk.stage.gateway.url}/#code=${await desk.codeOf('open', by)}`;
    const opened = await visit(browser, url, options);
    visits.push(opened);
    await opened.page.getByRole('link', { name: screen }).click();
    await opened.page.getByRole('heading', { name: screen, level: 1 }).waitFor();
    return opened.page;
  }

  /** Fills in the form of an order. */
  async function write(page: Page, size: string, price?: string): Promise<void> {
    await page.getByLabel('Size in USD').fill(size);
    if (price === undefined) await page.getByLabel('Type').selectOption('market');
    else await page.getByLabel('Limit price').fill(price);
  }

  test('a screen whose gateway is gone says since when it is not current, and never that there is nothing', async () => {
    await desk.rest('kept');
    const page = await show('Ladder and orders');
    const orders = page.getByRole('region', { name: 'Open orders', exact: true });
    await orders.getByText('kept').waitFor();
    const bar = page.getByRole('banner');
    await expect.poll(() => bar.getAttribute('class')).toBe('bar');
    await desk.stage.gateway.close();
    await orders.getByText(/▲ Not current since \d\d:\d\d:\d\d UTC/).waitFor();
    // What was read last stays, as something of the past.
    await orders.getByText('kept').waitFor();
    await page.getByText('When last read: No fills in the last 24 hours.').waitFor();
    await orders.locator('.picture.stale').waitFor();
    await page.locator('.picture.empty').getByText('∅').first().waitFor();
    await bar
      .getByText(/reconnecting, data .* old, not current since \d\d:\d\d:\d\d UTC/)
      .waitFor();
    expect(await bar.getAttribute('class')).toBe('bar stale');
    expect(await page.title()).toBe('not current (TRADING) · twapd');
    // Never read before the gateway went.
    await page.getByRole('link', { name: 'Block RFQ' }).click();
    await page.getByRole('heading', { name: 'Block RFQ', level: 1 }).waitFor();
    const asked = page.getByRole('region', { name: 'Asked' });
    await asked.locator('.picture.loading').getByText('Being read.').waitFor();
    expect(await asked.locator('.picture').count()).toBe(1);
    expect(await page.getByText('No Block RFQs.').count()).toBe(0);
    expect(await page.getByText('No quotes.').count()).toBe(0);
    await page.getByRole('link', { name: 'Positions' }).click();
    await page
      .locator('.picture.failed')
      .getByText(/Not read: /)
      .first()
      .waitFor();
    expect(await page.getByText('No open positions.').count()).toBe(0);
  });

  test('nothing is asked of a dummy account, and no request is refused', async () => {
    const [asked, refused]: [string[], string[]] = [[], []];
    const page = await show('Positions');
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    for (const screen of ['Ladder and orders', 'Block RFQ', 'Risk and operations', 'Positions']) {
      await page.getByRole('link', { name: screen }).click();
      await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
      const all = () => page.locator('section.sheet').getByText('Being read.').count();
      await expect.poll(all).toBe(0);
    }
    await page.getByText('No open positions.').waitFor();
    const ofDummy = asked.filter((one) => one.includes('20001') && one.includes('/private/'));
    expect([ofDummy, refused]).toEqual([[], []]);
  });

  test('the chain shows the calls and puts of an expiry live, and leads to the ladder of an option', async () => {
    const page = await show('Option chain');
    const bid = page.getByRole('link', { name: /^Bid of BTC-.*-C: \d/ }).first();
    await bid.waitFor();
    const [, name] = /^Bid of (\S+):/.exec((await bid.getAttribute('aria-label')) ?? '') ?? [];
    const before = page.getByRole('group', { name: 'Expiry' }).getByRole('button');
    expect(await before.count()).toBeGreaterThan(1);
    expect(await before.nth(0).textContent()).toMatch(
      /^20\d\d-\d\d-\d\d\d+ (h|min|d) \d\d (min|s|h)$/,
    );
    await before.nth(1).click();
    await expect.poll(() => before.nth(1).getAttribute('aria-pressed')).toBe('true');
    await page
      .getByRole('link', { name: /^Ask of BTC-.*-P: \d/ })
      .first()
      .waitFor();
    await before.nth(0).click();
    await bid.click();
    await page.getByRole('heading', { name: `Book of ${name}` }).waitFor();
    await page.getByLabel('Size in BTC').waitFor();
  });

  test('the chain opens at the money, whose strikes are below those that are hidden', async () => {
    const page = await show('Option chain');
    const table = page.getByRole('region', { name: 'Chain, table' });
    await table.locator('tr.money').waitFor();
    const scrolled = () => table.evaluate((box: { scrollTop: number }) => box.scrollTop);
    await expect.poll(scrolled).toBeGreaterThan(0);
    const [frame, row] = [await table.boundingBox(), await table.locator('tr.money').boundingBox()];
    if (frame === null || row === null) throw new Error('the chain has no place on the page');
    expect(row.y).toBeGreaterThan(frame.y);
    expect(row.y + row.height).toBeLessThan(frame.y + frame.height);
  });

  test('the chain has sizes, marks and volatility, and shades calls below and puts above the forward', async () => {
    desk.stage.holdTime();
    const page = await show('Option chain');
    const table = page.getByRole('region', { name: 'Chain, table' });
    await table.locator('tr.money').waitFor();
    const name = await table
      .getByRole('link', { name: /^Bid of BTC-.*-C: \d/ })
      .first()
      .getAttribute('aria-label');
    const [, instrumentName = '', , strike = ''] =
      /^Bid of ((\w+-\w+)-(\d+)-C):/.exec(name ?? '') ?? [];
    const { result } = await desk.stage.post('public/ticker', { instrumentName }, null);
    const row = table.locator('tbody tr').filter({
      has: page.getByRole('rowheader', {
        name: Number(strike).toLocaleString('en-US'),
        exact: true,
      }),
    });
    const calls = () => row.locator('td.calls').allTextContents();
    await expect
      .poll(async () => (await calls()).slice(3, 7))
      .toEqual([
        Number(result.markIv).toFixed(1),
        Number(result.markPrice).toFixed(4),
        Number(result.bestBidAmount).toFixed(1),
        Number(result.bestBidPrice).toFixed(4),
      ]);
    const forward = Number(result.underlyingPrice);
    const shaded = (side: string): Promise<readonly number[]> =>
      table
        .locator('tbody tr')
        .filter({ has: page.locator(`td.${side}.in-money`) })
        .getByRole('rowheader')
        .allTextContents()
        .then((all) => all.map((text) => Number(text.replaceAll(',', ''))));
    const [callsIn, putsIn] = [await shaded('calls'), await shaded('puts')];
    expect(callsIn.length * putsIn.length).toBeGreaterThan(0);
    expect(Math.max(...callsIn)).toBeLessThan(forward);
    expect(Math.min(...putsIn)).toBeGreaterThan(forward);
  });

  test('the ladder has its spread between asks and bids, and each bar begins at its price', async () => {
    const page = await show('Ladder and orders');
    desk.stage.holdTime();
    const ladder = page.getByRole('region', { name: `Book of ${BTC}` });
    const ask = ladder.getByRole('row', { name: /ask$/ }).last();
    await ask.waitFor();
    const priceIn = async (side: 'ask' | 'bid', at: 'first' | 'last'): Promise<number> => {
      const row = ladder.getByRole('row', { name: new RegExp(`${side}$`) })[at]();
      return Number((await row.getByRole('button').textContent())?.replaceAll(',', ''));
    };
    const [best, bid] = [await priceIn('ask', 'last'), await priceIn('bid', 'first')];
    const spread = ladder.locator('tr.spread');
    expect(await spread.textContent()).toContain(`spread ${String(best - bid)} (`);
    const [bar, cell] = [
      await ask.locator('.depth').boundingBox(),
      await ask.locator('td.size').boundingBox(),
    ];
    if (bar === null || cell === null) throw new Error('the level has no place on the page');
    expect(Math.abs(bar.x + bar.width - (cell.x + cell.width))).toBeLessThan(2);
    const [over, mid, under] = [ask, spread, ladder.getByRole('row', { name: /bid$/ }).first()];
    const tops = [over, mid, under].map(async (row) => (await row.boundingBox())?.y ?? Number.NaN);
    const [a = 0, b = 0, c = 0] = await Promise.all(tops);
    expect(a < b && b < c).toBe(true);
  });

  test('quotes stand above the request form, with their distance from the mark', async () => {
    await desk.createRfq();
    await desk.quote();
    desk.stage.holdTime();
    const page = await show('Block RFQ', { viewport: NARROW });
    await page.getByRole('button', { name: /^Buy at / }).waitFor();
    const asked = page.getByRole('region', { name: 'Asked' });
    const level = asked.getByRole('region', { name: /^▼ Asks of/ });
    await level
      .getByText(/^([+-]?\d[\d.]*|0), [+-]?\d+\.\d\d bp$/)
      .first()
      .waitFor();
    await asked.getByText(/^quantity 200,000 · mark \d\d,\d\d\d/).waitFor();
    const [quotes, form] = [
      await asked.boundingBox(),
      await page.getByRole('heading', { name: 'Ask for quotes' }).boundingBox(),
    ];
    expect(quotes?.y).toBeLessThan(form?.y ?? 0);
  });

  test('a phone shows one side of the chain', async () => {
    const page = await show('Option chain', { viewport: NARROW, hasTouch: true });
    const call = page.getByRole('link', { name: /^Bid of BTC-.*-C:/ }).first();
    const put = page.getByRole('link', { name: /^Bid of BTC-.*-P:/ }).first();
    await call.waitFor();
    const table = page.getByRole('region', { name: 'Chain, table' });
    await table.locator('tr.money').waitFor();
    const hidden = (box: { scrollWidth: number; clientWidth: number }) =>
      box.scrollWidth - box.clientWidth;
    expect(await table.evaluate(hidden)).toBe(0);
    expect(await put.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Puts' }).tap();
    await put.waitFor();
    expect(await call.isVisible()).toBe(false);
  });

  test('an order is placed with a code, rests in the ladder, is edited and cancelled, each shown when the exchange says so', async () => {
    const page = await show('Ladder and orders');
    const price = await desk.restingPrice();
    await page.getByRole('row', { name: /ask$/ }).first().waitFor();
    await write(page, '1000', price);
    await page.getByRole('button', { name: 'Buy…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It rests in the book').waitFor();
    await dialog.getByText(/^Initial margin of 10001 in BTC: 0 now, at most 0\.0/).waitFor();
    await dialog.getByRole('button', { name: /^Buy 1000/ }).click();
    await dialog.getByText(/^Refused: .*code/).waitFor();
    expect(await desk.openOrders()).toEqual([]);
    await dialog.getByLabel('One-time code').fill(await desk.codeOf('confirm'));
    await dialog.getByRole('button', { name: /^Buy 1000/ }).dblclick();
    await dialog.getByText(/^Open at .*0 of 1000 filled/).waitFor();
    expect(await desk.openOrders()).toMatchObject([{ quantity: '1000', price }]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /^Edit order/ }).click();
    await dialog.getByLabel(/^Size/).fill('2000');
    await dialog.getByRole('button', { name: 'What it will do…' }).click();
    await dialog.getByText(`It becomes 2000 at ${price}`).waitFor();
    await dialog.getByRole('button', { name: 'Edit now' }).click();
    await dialog.getByText(/^Open at .*0 of 2000 filled/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /^Cancel order/ }).click();
    await dialog.getByRole('button', { name: 'Cancel it now' }).click();
    await dialog.getByText(/^Cancelled/).waitFor();
    expect(await desk.openOrders()).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No open orders.').waitFor();
  });

  test('an order at the best bid is shown in the level it stands in', async () => {
    const page = await show('Ladder and orders');
    const ladder = page.getByRole('region', { name: `Book of ${BTC}` });
    const best = ladder.getByRole('row', { name: /bid$/ }).first();
    await best.waitFor();
    const own = ladder.locator('.own').getByText('1,230');
    // The market may move away from an order, or fill it, before the page has shown it: then it is placed again.
    while ((await own.count()) === 0) {
      await desk.cancelAll();
      await desk.bestBid('1230');
      await own.waitFor({ timeout: 5_000 }).catch(() => undefined);
    }
  });

  test('a market order is filled, and listed with its fee; what another client does is shown too', async () => {
    const page = await show('Ladder and orders');
    await page.getByRole('row', { name: /ask$/ }).first().waitFor();
    await write(page, '500');
    await page.getByRole('button', { name: 'Sell…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^It trades at once, at about/).waitFor();
    await dialog.getByText(/a taker's fee of at most about/).waitFor();
    await dialog.getByRole('button', { name: /^Sell 500/ }).click();
    await dialog.getByLabel('One-time code').fill(await desk.codeOf('confirm'));
    await dialog.getByRole('button', { name: /^Sell 500/ }).click();
    await dialog.getByText(/^Filled.*500 of 500 filled/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const fills = page.getByRole('region', { name: 'Fills', exact: true });
    await fills.getByText('taker').first().waitFor();
    await desk.rest(MARKUP);
    await page.getByRole('cell', { name: MARKUP }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel all of 10001…' }).click();
    await dialog.getByText(/1 are known to this page/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel all now' }).click();
    await dialog.getByText('1 orders were cancelled.').waitFor();
    expect(await desk.openOrders()).toEqual([]);
  });

  test('a session that only reads sees the orders and has nothing to act with', async () => {
    await desk.rest('seen');
    const page = await show('Ladder and orders', {}, desk.reader);
    await page.getByRole('cell', { name: 'seen' }).waitFor();
    await page.getByText('Orders need a session with the scope trade.').waitFor();
    expect(await page.getByRole('button', { name: /^(Cancel|Edit|Buy|Sell)/ }).count()).toBe(0);
  });

  test('a Block RFQ is asked, quoted by a maker on another page, and traded', async () => {
    const taker = await show('Block RFQ');
    const maker = await show('Block RFQ', {}, MAKER);
    await taker.getByLabel('Instrument').fill(BTC);
    await taker.getByLabel('Size').fill('200000');
    await taker.getByRole('button', { name: 'Ask…' }).click();
    const asking = taker.getByRole('dialog');
    await asking.getByText(/^Makers see the structure/).waitFor();
    await asking.getByRole('button', { name: 'Ask now' }).click();
    await asking.getByText(/^Block RFQ \S+ is (open|created)\./).waitFor();
    await asking.getByRole('button', { name: 'Close' }).click();
    await taker.getByText(/· open · .* left/).waitFor();
    await maker.getByLabel(`Price of ${BTC}`).fill(await desk.markPrice());
    await maker.getByRole('button', { name: 'Offer…' }).click();
    const quoting = maker.getByRole('dialog');
    await quoting.getByRole('button', { name: 'Quote now' }).click();
    await quoting.getByLabel('One-time code').fill(await desk.codeOf('confirm', MAKER));
    await quoting.getByRole('button', { name: 'Quote now' }).click();
    await quoting.getByText(/^Quote \S+ is open/).waitFor();
    await quoting.getByRole('button', { name: 'Close' }).click();
    await taker.getByRole('button', { name: /^Buy at / }).click();
    await asking.getByText(/^Buys 200000 of the structure/).waitFor();
    await asking.getByRole('button', { name: /^Buy at / }).click();
    await asking.getByLabel('One-time code').fill(await desk.codeOf('confirm'));
    await asking.getByRole('button', { name: /^Buy at / }).click();
    await asking.getByText(/is filled: 200000 at/).waitFor();
    await asking.getByRole('button', { name: 'Close' }).click();
    await taker.getByText(/^▲ Bought 200,000 at/).waitFor();
    await maker.getByRole('cell', { name: 'filled' }).waitFor();
  });

  test('an alias of a maker with markup is shown as text: in the form, the dialog, the quotes and the trade', async () => {
    await desk.stage.close();
    desk = await deskStage(MARKUP);
    const taker = await show('Block RFQ');
    const noMarkup = async (): Promise<void> => expect(await taker.locator('img').count()).toBe(0);
    await taker.getByLabel('Instrument').fill(BTC);
    await taker.getByLabel('Size').fill('200000');
    await taker.getByLabel(MARKUP, { exact: true }).check();
    await noMarkup();
    await taker.getByRole('button', { name: 'Ask…' }).click();
    const dialog = taker.getByRole('dialog');
    await dialog.getByText(`Sent for account 10001 to ${MARKUP}, with your name.`).waitFor();
    await noMarkup();
    await dialog.getByRole('button', { name: 'Ask now' }).click();
    await dialog.getByText(/^Block RFQ \S+ is (open|created)\./).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await desk.quote();
    await taker.getByRole('cell', { name: MARKUP, exact: true }).waitFor();
    await noMarkup();
    await taker.getByRole('button', { name: /^Buy at / }).click();
    await dialog.getByText(/^Buys 200000 of the structure/).waitFor();
    await dialog.getByRole('button', { name: /^Buy at / }).click();
    await dialog.getByLabel('One-time code').fill(await desk.codeOf('confirm'));
    await dialog.getByRole('button', { name: /^Buy at / }).click();
    await dialog.getByText(/is filled: 200000 at/).waitFor();
    await noMarkup();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const trade = taker.getByText(/^▲ Bought 200,000 at/);
    await trade.waitFor();
    expect(await trade.textContent()).toMatch(/ with <img src=x onerror="alert\(1\)">$/);
    await noMarkup();
    // A script that had run would have opened a dialog of the browser: a fault, as is one that the policy stopped.
  });

  test('a quote is edited with a code, and the taker sees its new price', async () => {
    await desk.createRfq();
    await desk.quote();
    const taker = await show('Block RFQ');
    await taker.getByRole('button', { name: /^Buy at / }).waitFor();
    const maker = await show('Block RFQ', {}, MAKER);
    await maker.getByRole('button', { name: /^Edit quote/ }).click();
    const dialog = maker.getByRole('dialog');
    const review = dialog.getByRole('button', { name: 'What it will do…' });
    expect(await review.isDisabled()).toBe(true);
    const before = await dialog.getByLabel(`Price of ${BTC}`).inputValue();
    const after = String(Number(before) + 50);
    await dialog.getByLabel(`Price of ${BTC}`).fill(after);
    await review.click();
    await dialog.getByText(`× ${BTC} at ${after}, before: ${before}`).waitFor();
    await dialog.getByRole('button', { name: 'Edit now' }).click();
    await dialog.getByLabel('One-time code').fill(await desk.codeOf('confirm', MAKER));
    await dialog.getByRole('button', { name: 'Edit now' }).click();
    await dialog.getByText(new RegExp(`^Quote \\S+ is open at ${after}, 0 of 200000`)).waitFor();
    const shown = Number(after).toLocaleString('en-US');
    await taker.getByRole('button', { name: `Buy at ${shown}…` }).waitFor();
  });

  test('a quote and a Block RFQ are cancelled', async () => {
    await desk.createRfq();
    await desk.quote();
    const maker = await show('Block RFQ', {}, MAKER);
    await maker.getByRole('button', { name: /^Cancel quote/ }).click();
    await maker.getByRole('dialog').getByRole('button', { name: 'Cancel it now' }).click();
    await maker
      .getByRole('dialog')
      .getByText(/is cancelled/)
      .waitFor();
    const taker = await show('Block RFQ');
    await taker.getByRole('button', { name: /^Cancel Block RFQ/ }).click();
    await taker.getByRole('dialog').getByRole('button', { name: 'Cancel it now' }).click();
    await taker
      .getByRole('dialog')
      .getByText(/is cancelled/)
      .waitFor();
  });

  test.each(VIEWPORTS)(
    'every screen of the desk is accessible and fits: %s',
    async (_name, viewport, colorScheme) => {
      await desk.rest('resting');
      await desk.createRfq();
      await desk.quote();
      const page = await show('Option chain', { viewport, colorScheme });
      await page
        .getByRole('link', { name: /^Bid of BTC-.*-C: \d/ })
        .first()
        .waitFor();
      await check(page);
      await page.getByRole('link', { name: 'Ladder and orders' }).click();
      await page.getByRole('cell', { name: 'resting' }).waitFor();
      await page.getByRole('row', { name: /ask$/ }).first().waitFor();
      await check(page);
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: /^Cancel order/ }).click();
      await dialog.waitFor();
      await check(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Edit order/ }).click();
      await dialog.getByLabel(/^Size/).waitFor();
      await check(page);
      await page.keyboard.press('Escape');
      await write(page, '1000');
      await page.getByRole('button', { name: 'Buy…' }).click();
      await dialog.getByText(/^Initial margin of 10001 in BTC/).waitFor();
      await check(page);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Block RFQ' }).click();
      await page.getByRole('button', { name: /^Buy at / }).waitFor();
      await check(page);
      await page.getByRole('button', { name: /^Buy at / }).click();
      await dialog.getByText(/^Buys 200000 of the structure/).waitFor();
      await check(page);
      const maker = await show('Block RFQ', { viewport, colorScheme }, MAKER);
      await maker.getByRole('button', { name: /^Edit quote/ }).click();
      await maker.getByRole('dialog').waitFor();
      await check(maker);
    },
  );
});

async function check(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  const isWider = 'document.documentElement.scrollWidth > innerWidth';
  expect(await page.evaluate(isWider)).toBe(false);
}
