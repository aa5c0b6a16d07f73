// The report as one page: self-contained, escaped, and small however many slices there are.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PortfolioReport } from '../../../src/core/report/report-shapes.ts';
import { reportPage } from '../../../src/gateway/report/report-page.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { MINUTE_MS } from '../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import { DISTINCT_REPORT } from '../../support/distinct-report.ts';
import { form, legForm, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote, spot } from '../../support/engine/markets.ts';
import { reported } from '../../support/engine/reported.ts';
import { GatewayUnderTest, perpetualBody } from '../gateway-under-test.ts';

const HOSTILE = `</style><script>alert(1)</script><svg onload="alert(1)">'`;

async function runReport(): Promise<PortfolioReport> {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  one.venue.show(quote(perpetual(), [99_990, 100_000]));
  await one.engine.start();
  const portfolio = await submitted(one, form({ strategy: 'accumulate' }));
  await one.run(40 * MINUTE_MS);
  return reported(one, record, portfolio);
}

test('The page loads nothing, runs nothing, and its policy allows its own style alone.', async () => {
  const page = reportPage(await runReport());
  expect(page).not.toMatch(/<script|https?:|url\(|@import|<link|<img|\son\w+=|\sstyle=/i);
  const style = must(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1], 'a style');
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(`default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;`);
  expect(page.match(/<svg /g)).toHaveLength(5);
});

test('Text of clients is shown and never becomes markup.', async () => {
  const report = await runReport();
  const [slice] = report.slices;
  const [leg] = report.legs;
  const page = reportPage({
    ...report,
    strategy: HOSTILE,
    account: HOSTILE,
    notes: [HOSTILE],
    status: HOSTILE,
    reason: HOSTILE,
    slices: [{ ...must(slice, 'a slice'), isSent: false, reasons: [HOSTILE], due: HOSTILE }],
    legs: [{ ...must(leg, 'a leg'), instrument: HOSTILE, unit: HOSTILE }],
  });
  expect(page).not.toMatch(/<script|<svg onload/);
  expect(page.match(/&lt;\/style&gt;&lt;script&gt;/g)?.length).toBeGreaterThan(6);
});

test('The same report gives the same page, and colours are in its style alone.', async () => {
  const report = await runReport();
  const page = reportPage(report);
  expect(reportPage(structuredClone(report))).toBe(page);
  expect(page.slice(page.indexOf('</style>'))).not.toMatch(/#[0-9a-f]{3,6}\b(?!;)|rgb\(/i);
});

const openingOf = (report: PortfolioReport): readonly string[] =>
  [...reportPage(report).matchAll(/<(?:dt|dd|p class="verdict")[^>]*>(.*?)<\/(?:dt|dd|p)>/g)].map(
    ([, text = '']) => text,
  );

test('It opens with what was filled, the average price and the cost against arrival, and says in a sentence how it went.', async () => {
  const report = await runReport();
  // Six slices of 100 USD at the offer, 100,000; the mid at the start is 99,995: 5 / 99,995 = 0.50 bp, of 600 USD 0.03 USD.
  expect(openingOf(report)).toEqual([
    'Filled',
    '100 %',
    '600 of 600 USD',
    'Average price',
    '100,000.0',
    'arrival 99,995.0',
    'Cost against arrival',
    '+0.50 bp',
    '+0.03 USD',
    'Bought 600 of 600 USD of BTC-PERPETUAL at 100,000.0, 0.50 bp (0.03 USD) worse than the mid at the start.',
  ]);
});

test('Of a package it opens with the share of its scheduled legs, and names each leg with its own figures.', () => {
  // 12.5 of 17.5 is 71.43 %; the hedge, at 84 %, is left out. Arrival was 92.2 USD worse than the fills.
  expect(openingOf(DISTINCT_REPORT)).toEqual([
    'Filled',
    '71.4 %',
    'BTC-25DEC26-100000-P 12.5 of 17.5 BTC',
    'BTC-PERPETUAL 2,100 of 2,500 USD',
    'Average price',
    '2 legs',
    'BTC-25DEC26-100000-P 0.0511',
    'BTC-PERPETUAL 0.1',
    'Cost against arrival',
    '-92.20 USD',
    'BTC-25DEC26-100000-P -12.12 bp of the premium',
    'BTC-PERPETUAL -12.12 bp',
    '2 legs, 71.4 % filled, 92.20 USD better than at their mids at the start. It ended as cancelled (user_request). 1 of 1 slice sent nothing.',
  ]);
});

/** A sale of 15,000 contracts at work, of which `filled` are filled. */
function saleAtWork(filled: string, bps: number | null): PortfolioReport {
  const leg = must(DISTINCT_REPORT.legs[1], 'a leg');
  const { slippage } = DISTINCT_REPORT.package;
  const arrivalUsd = bps === null ? null : bps / 2;
  return {
    ...DISTINCT_REPORT,
    over: null,
    status: 'active',
    reason: null,
    slices: [],
    package: { ...DISTINCT_REPORT.package, slippage: { ...slippage, arrivalUsd } },
    legs: [
      {
        ...leg,
        side: 'sell',
        hedge: false,
        asked: '15000',
        filled,
        averagePrice: filled === '0' ? null : '99990.333333',
        slippage: { ...leg.slippage, arrivalBps: bps },
      },
    ],
  };
}

test.each([
  ['14999', 2.25, '2.25 bp (1.13 USD) worse than the mid at the start', '99.9 %'],
  ['14999', -2.25, '2.25 bp (1.13 USD) better than the mid at the start', '99.9 %'],
  ['15000', 0.004, 'the mid at the start', '100 %'],
  ['15000', null, 'its cost is not known, as no mid was recorded at the start', '100 %'],
])(
  'With %s of 15,000 sold at %s bp, the sentence is about what is so far, and a hundred percent is all.',
  (filled, bps, words, share) => {
    const opening = openingOf(saleAtWork(filled, bps));
    expect(opening[1]).toBe(share);
    const size = `${filled.slice(0, 2)},${filled.slice(2)}`;
    expect(opening.at(-1)).toBe(
      `So far: sold ${size} of 15,000 USD of BTC-PERPETUAL at 99,990.3, ${words}.`,
    );
  },
);

test('Without a fill there is neither an average nor a cost.', () => {
  const opening = openingOf(saleAtWork('0', null));
  expect([opening[1], opening[4], opening[7], opening[8]]).toEqual(['0 %', '–', '–', '–']);
  expect(opening.at(-1)).toBe('So far: nothing sold of 15,000 USD of BTC-PERPETUAL.');
});

async function twoLegs(): Promise<PortfolioReport> {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record, instruments: [perpetual(), spot()] });
  const show = (spotBid: number): void => {
    one.venue.show(quote(perpetual(), [99_990, 100_000]));
    one.venue.show(quote(spot(), [spotBid, spotBid + 10]));
  };
  show(99_990);
  await one.engine.start();
  const other = { instrument: spot().name, instrumentType: 'spot', side: 'sell' } as const;
  const legs = [legForm(), legForm({ ...other, quantity: quantity('0.006') })];
  const portfolio = await submitted(one, form({ legs }));
  await one.run(25_000);
  one.venue.show(quote(spot(), [undefined, 100_000]));
  await one.run(20_000);
  show(99_990);
  await one.run(40 * MINUTE_MS);
  return reported(one, record, portfolio);
}

const numbersIn = (path: string): readonly number[] =>
  (path.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);

const figureOf = (page: string, title: string): string =>
  must(
    page.split('<figure>').find((part) => part.includes(`<h3>${title}</h3>`)),
    title,
  );

const cellsIn = (html: string): readonly string[][] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell),
  );

test('Every fact and every cell of a figure is its own, of each leg and of the package.', () => {
  const [opening = '', head = '', option = '', perpetual = '', together = '', unsent = ''] =
    reportPage(DISTINCT_REPORT).split('<h2>');
  expect(cellsIn(opening)).toEqual([
    ['part', 'BTC'],
    ['delay', '0.01'],
    ['market', '-0.02'],
    ['schedule', '0.03'],
    ['spread', '0.04'],
    ['unsplit', '0.05'],
    ['residual', '0.19'],
    ['fees', '0.06'],
    ['total', '0.36'],
  ]);
  expect(cellsIn(head)).toEqual([
    ['account', '10001'],
    ['strategy', 'hedged-sale'],
    ['status', 'cancelled'],
    ['reason', 'user_request'],
    ['start (UTC)', '2026-11-30 12:00:00'],
    ['end of the schedule', '2026-11-30 12:01:00'],
    ['over', '2026-11-30 12:00:50'],
    ['figures', 'provisional: markouts are not over'],
  ]);
  expect(cellsIn(option)).toEqual([
    ['filled', '12.5 of 17.5 BTC'],
    ['average price', '0.0511'],
    ['against the mid at the submit', '11.11 bp of the premium'],
    ['against arrival', '-12.12 bp of the premium'],
    ['against TWAP', '13.13 bp of the premium'],
    ['against VWAP', '-14.14 bp of the premium'],
    ['shortfall', '0.36 BTC'],
    ['shortfall in USD', '36,001.50'],
    ['shortfall of the underlying', '23.03 bp'],
    ['spread and schedule', '22.02 bp'],
    ['expected by the plan', '15.15 bp of the premium'],
    ['effective spread', '31.31 bp of the premium'],
    ['quoted spread', '32.32 bp of the premium'],
    ['realised spread, 1 minute', '-33.33 bp of the premium'],
    ['improvement (+ is better)', '34.34 bp of the premium'],
    ['maker share', '71.25 %'],
    ['taker share', '28.75 %'],
    ['fees', '0.00375 BTC, -1.25 USDC'],
    ['resting children', '19, of which 54.54 % filled'],
    ['mid against maker fills, 10 s later', '51.51 bp of the premium'],
    ['maker fills that the market ran through', '52.52 %'],
    ['mid against what was closed unfilled', '-53.53 bp of the premium'],
    ['participation', '8.25 %'],
    ['mean distance from the schedule', '1.81 %'],
    ['due to decided', '71 ms median, 72 ms at the 99th percentile, 73 ms at most'],
    ['due to answered', '74 ms median, 75 ms at the 99th percentile, 76 ms at most'],
    ['time with a recorded market', '91.50 %'],
    ['nothing recorded', '2026-11-30 12:00:10 to 2026-11-30 12:00:20 UTC'],
    [
      'option against mid',
      '-0.0123 BTC of premium, -61.31 USD, 62.32 bp of the underlying, 1.234 volatility points of 645.50 USD vega',
    ],
    [
      'option against mark',
      '0.0456 BTC of premium, 67.37 USD, -68.38 bp of the underlying, – volatility points of – USD vega',
    ],
    ['after', 'all', '± error', 'maker', 'taker', 'fills', 'missing'],
    ['-10s', '41.41', '1.42', '-44.44', '45.45', '9', '4'],
    ['1m', '-46.46', '', '', '48.48', '8', '5'],
  ]);
  expect(opening).toContain(
    '<p>BTC-25DEC26-100000-P: 0.36 BTC, 21.01 basis points of the order, 23.03 basis points of the underlying</p>',
  );
  expect(option).toContain('<p>a minute later fills cost -46.46 basis points</p>');
  expect(cellsIn(perpetual)).toContainEqual([
    'funding paid',
    '-0.00027 BTC, 88.88 % of the time recorded',
  ]);
  expect(cellsIn(perpetual)).toContainEqual(['shortfall', 'no mid at the arrival']);
  expect(cellsIn(perpetual)).toContainEqual(['against arrival', '-12.12 bp']);
  expect(cellsIn(together)).toEqual([
    ['shortfall in USD', '81.50'],
    ['against the mids at the submit, in USD', '91.10'],
    ['against arrival, in USD', '-92.20'],
    ['against TWAP, in USD', '93.30'],
    ['against VWAP, in USD', '-94.40'],
    ['greatest participation of a leg', '9.51 %'],
    [
      'options against mid',
      '-61.31 USD, 62.32 bp of the underlying, 1.234 volatility points of 645.50 USD vega',
    ],
    ['largest imbalance', '29.61 %'],
    ['mean imbalance', '9.71 %'],
    [
      'hedge, leg 2',
      '-99.49 bp against its mid when the delta arose, 995 ms later (median); 0.991 coins covered, -0.0992 open, at most 0.0993 hedged too much',
    ],
    ['part', 'USD'],
    ['delay', '1.811'],
    ['market', '-2.822'],
    ['schedule', '3.833'],
    ['spread', '4.844'],
    ['unsplit', '5.855'],
    ['residual', '61.111'],
    ['fees', '6.867'],
    ['total', '81.499'],
    ['at', 'Leg imbalance'],
    ['2026-11-30 12:00:40', '30 %'],
    ['at', 'Net delta of what was filled, in coins'],
    ['2026-11-30 12:00:40', '-0.981'],
  ]);
  expect(together).toContain('<p>81.50 USD</p>');
  expect(together).toContain(
    '<p>filled shares of two legs are 30 % apart at most, 10 % on average</p>',
  );
  expect(together).toContain(
    '<p>farthest from zero at -0.981, 0.0982 away on average, 0.0983 at the end</p>',
  );
  expect(cellsIn(unsent)).toEqual([
    ['leg', 'slice', 'due (UTC)', 'why'],
    ['1', '5', '2026-11-30 12:00:05', 'no_price, spread'],
  ]);
});

test('A package shows how far its legs were apart and its net delta from the start to the end.', async () => {
  const report = await twoLegs();
  const page = reportPage(report);
  const imbalance = must(report.package.imbalance, 'an imbalance');
  expect(Math.max(...imbalance.points.map(({ apart }) => apart))).toBe(imbalance.greatest);
  for (const title of ['Leg imbalance', 'Net delta of what was filled, in coins']) {
    const path = must(/class="line own" d="M([^"]*)"/.exec(figureOf(page, title))?.[1], title);
    // From the left edge of the axis to its right one.
    expect(numbersIn(path)[0]).toBe(66);
    expect(path).toMatch(/690(?:,|$)|H690/);
  }
});

test('Of a portfolio at work imbalance and delta are drawn as far as it has come.', async () => {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record, instruments: [perpetual(), spot()] });
  one.venue.show(quote(perpetual(), [99_990, 100_000]));
  one.venue.show(quote(spot(), [99_990, 100_000]));
  await one.engine.start();
  const other = { instrument: spot().name, instrumentType: 'spot', side: 'sell' } as const;
  const legs = [legForm(), legForm({ ...other, quantity: quantity('0.006') })];
  const twapTrade = { durationSec: 7_200, frequencySec: 10 };
  const portfolio = await submitted(one, form({ legs, twapTrade }));
  await one.run(60_000);
  const report = await reported(one, record, portfolio);
  expect(report.over).toBeNull();
  const figure = figureOf(reportPage(report), 'Net delta of what was filled, in coins');
  // One minute, and not two hours.
  expect(figure).toContain(`>${report.until.slice(11, 17)}`);
  expect(figure).not.toContain('>13:30');
  const path = must(/class="line own" d="M([^"]*)"/.exec(figure)?.[1], 'a line');
  expect(path).toMatch(/690(?:,|$)|H690/);
});

test('Prices stand with the children and fills, the levels that they are compared with, and the times without a record.', async () => {
  const report = await runReport();
  const [leg] = report.legs;
  const one = must(leg, 'a leg');
  const from = report.start;
  const to = new Date(Date.parse(from) + 20_000).toISOString();
  const page = reportPage({
    ...report,
    legs: [{ ...one, benchmarks: { ...one.benchmarks, holes: [{ from, to }] } }],
    children: report.children.map((child) => ({ ...child, timeInForce: 'good_til_cancelled' })),
  });
  const figure = figureOf(page, 'Market, children and fills');
  expect(figure).toContain(`${report.fills.length} fills of ${report.children.length} children`);
  expect(figure).toContain('holes of the record: 1');
  expect(figure).toContain('class="band hole"');
  const pieces = must(/class="line child" d="([^"]*)"/.exec(figure)?.[1], 'children');
  expect(pieces.match(/M/g)).toHaveLength(report.children.length);
  for (const kind of ['arrival', 'twap', 'average', 'ribbon market']) {
    expect(figure).toContain(kind);
  }
});

test('The limit of a market order, far from the market, is neither drawn nor on the scale.', async () => {
  const report = await runReport();
  const far = report.children.map((child) => ({
    ...child,
    timeInForce: 'immediate_or_cancel',
    prices: child.prices.map((one) => ({ ...one, price: '150000' })),
  }));
  const figure = figureOf(reportPage({ ...report, children: far }), 'Market, children and fills');
  expect(figure).not.toContain('class="line child"');
  expect(figure).not.toContain('>150,000.0<');
});

test('Markouts stand with one standard error each way, and with the number of fills of each horizon.', async () => {
  const report = await runReport();
  const [leg] = report.legs;
  const page = reportPage({
    ...report,
    legs: [
      {
        ...must(leg, 'a leg'),
        markouts: ['0s', '1s'].map((horizon, index) => ({
          horizon,
          fills: 6 - index,
          missing: index,
          bps: 2,
          standardError: 1,
          perUnit: 20,
          makerBps: null,
          takerBps: 2,
        })),
      },
    ],
  });
  const figure = figureOf(page, 'Markouts in basis points');
  expect(figure).toContain('>0s (6)</text>');
  expect(figure).toContain('>1s (5)</text>');
  const errors = must(/class="line error own" d="([^"]*)"/.exec(figure)?.[1], 'errors');
  // An upright and two ends for each horizon.
  expect(errors.match(/M/g)).toHaveLength(6);
});

test('An option has its volatilities beside its prices; other instruments have none.', async () => {
  const report = await runReport();
  expect(reportPage(report)).not.toContain('Volatility in points');
  const [leg] = report.legs;
  const at = (second: number): string =>
    new Date(Date.parse(report.start) + second * 1_000).toISOString();
  const page = reportPage({
    ...report,
    legs: [
      {
        ...must(leg, 'a leg'),
        kind: 'option',
        volatility: [
          { at: at(0), bid: 0.55, ask: 0.65, mark: 0.6 },
          { at: at(10), bid: null, ask: null, mark: null },
          { at: at(20), bid: 0.56, ask: 0.66, mark: 0.61 },
        ],
      },
    ],
    fills: report.fills.map((fill) => ({ ...fill, iv: 0.65 })),
  });
  const figure = figureOf(page, 'Volatility in points');
  expect(figure).toContain('touch between 55 and 66; 6 of 6 fills with an implied volatility');
  const mark = must(/class="line mark" d="([^"]*)"/.exec(figure)?.[1], 'the mark');
  // Broken where nothing was recorded.
  expect(mark.match(/M/g)).toHaveLength(2);
});

test('A slice that sent nothing is marked on the schedule.', async () => {
  const report = await runReport();
  const slices = report.slices.map((slice, index) => ({ ...slice, isSent: index !== 1 }));
  const figure = figureOf(reportPage({ ...report, slices }), 'Filled over time');
  expect(figure).toContain('slice that sent nothing (cross)');
  expect(figure.match(/class="mark unsent cross" d="(M[^M]*M[^M]*)"/)).not.toBeNull();
});

test('Ten thousand slices and fills take less than 3 MB.', async () => {
  const report = await runReport();
  const [slice, fill] = [must(report.slices[0], 'a slice'), must(report.fills[0], 'a fill')];
  const child = must(report.children[0], 'a child');
  const start = Date.parse(report.start);
  const at = (n: number): string => new Date(start + n * 6_000).toISOString();
  const many = Array.from({ length: 10_000 }, (_, n) => n);
  const page = reportPage({
    ...report,
    end: at(10_000),
    slices: many.map((n) => ({
      ...slice,
      slice: n,
      due: at(n),
      lateMs: n % 97,
      isSent: n % 5 > 0,
    })),
    fills: many.map((n) => ({ ...fill, slice: n, at: at(n), quantity: '0.06' })),
    children: many.map((n) => ({
      ...child,
      slice: n,
      live: at(n),
      closed: at(n + 1),
      prices: [{ at: at(n), price: '99999' }],
    })),
  });
  expect(page.length).toBeLessThan(3_000_000);
  expect(page).toContain('10,000 fills');
});

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await GatewayUnderTest.start();
});
afterAll(() => gateway.close());

test('Over REST the report is a value in the envelope, or with format=html a page.', async () => {
  const { json: answer } = await gateway.submit(perpetualBody());
  const id = answer.value.portfolioId;
  const path = `/tt/broker/openapi/portfolios/report?portfolioId=${id}`;
  const { json } = await gateway.request(path);
  expect(json).toMatchObject({
    succ: true,
    value: { schema: 'twapd.tca/1', portfolio: String(id) },
  });
  const page = await gateway.request(`${path}&format=html`);
  expect([page.status, page.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  expect(page.json).toContain(`Execution costs of portfolio ${id}`);
  const { json: refused } = await gateway.request(`${path}&format=pdf`);
  expect(refused.errors[0]).toMatchObject({ field: 'format' });
});
