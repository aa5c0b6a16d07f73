// The short form of the ticket without a browser: how patient in words, the hedge and its size, labels, and the plan as a sentence.
import { describe, expect, test } from 'vitest';
import type { PlanRecord } from '../../../src/gateway/client/client.ts';
import { submitSchema } from '../../../src/gateway/page/submit-schema-document.ts';
import { portfolioBodySchema } from '../../../src/gateway/portfolios/submit/submit-schema.ts';
import type { Instrument, Ticker } from '../../../src/page/model/instruments/option-chain.ts';
import { labelOf } from '../../../src/page/model/ticket/field-labels.ts';
import {
  type FieldSchema,
  sentValue,
  type WrittenObject,
} from '../../../src/page/model/ticket/form-schema.ts';
import {
  type HedgedLeg,
  hedgeAgainst,
  hedgeInstrument,
  isFarFrom,
  isHedgeable,
  netDelta,
} from '../../../src/page/model/ticket/hedge-size.ts';
import {
  type Patience,
  patienceOf,
  unusedOf,
  usedOnly,
  withPatience,
  withSide,
} from '../../../src/page/model/ticket/patience.ts';
import { endSentence, legSentence, legText } from '../../../src/page/model/ticket/plan-sentence.ts';

const SCHEMA = submitSchema() as FieldSchema;
const PATIENCE: readonly Patience[] = ['now', 'mid', 'rest', 'limit'];
const [BUY, SELL] = ['1', '2'];

const leg = (change: WrittenObject = {}): WrittenObject => ({
  instrument: 'BTC-25DEC26-100000-C',
  instrumentType: 'OPTION',
  side: BUY,
  quantity: '6',
  priceOptions: { priceType: 'MARKET', priceIn: 'BTC', worst: '0.06' },
  ...change,
});

const price = ({ priceOptions }: WrittenObject) => priceOptions as Readonly<Record<string, string>>;

describe('how patient', () => {
  test.each(PATIENCE.flatMap((one) => [BUY, SELL].map((side) => [one, side] as const)))(
    'a leg that is written as "%s" on side %s reads as that, keeps its worst price, and is accepted',
    (patience, side) => {
      const made = withPatience(leg({ side }), patience);
      expect(patienceOf([made])).toBe(patience);
      expect(price(made)['worst']).toBe('0.06');
      const priced = { ...made, priceOptions: { ...price(made), price: '0.05' } };
      const written = {
        accountId: '10001',
        portfolioType: 'TWAP',
        twapTrade: { durationSec: '3600', frequencySec: '60' },
        legs: [usedOnly(priced)],
      };
      expect(portfolioBodySchema.safeParse(sentValue(written, SCHEMA)).error).toBeUndefined();
    },
  );

  test('joining the best price is the bid of a buyer and the ask of a seller, as maker only, also once the side changes', () => {
    const buys = withPatience(leg(), 'rest');
    expect([price(buys)['dynamicPriceStrategy'], buys['postOnly']]).toEqual(['BID', 'true']);
    const sells = withSide(buys, SELL);
    expect([price(sells)['dynamicPriceStrategy'], sells['side']]).toEqual(['ASK', SELL]);
    expect(patienceOf([sells])).toBe('rest');
    expect(price(withSide(withPatience(leg(), 'mid'), SELL))['dynamicPriceStrategy']).toBe('MID');
    expect(withPatience(sells, 'now')['postOnly']).toBe('');
  });

  test('what the words do not say is none of them', () => {
    const mid = withPatience(leg(), 'mid');
    const shifted = { ...mid, priceOptions: { ...price(mid), dynamicPriceOffset: '-0.0005' } };
    expect(patienceOf([shifted])).toBeUndefined();
    const zero = { ...mid, priceOptions: { ...price(mid), dynamicPriceOffset: '0.0' } };
    expect(patienceOf([zero])).toBe('mid');
    expect(patienceOf([{ ...mid, postOnly: 'true' }])).toBeUndefined();
    const asks = { ...mid, priceOptions: { ...price(mid), dynamicPriceStrategy: 'ASK' } };
    expect(patienceOf([{ ...asks, postOnly: 'true' }])).toBeUndefined();
    expect(patienceOf([leg(), mid])).toBeUndefined();
    expect(patienceOf([mid, mid])).toBe('mid');
  });

  test('a price of one kind is none of another', () => {
    const limit = withPatience(leg(), 'limit');
    const priced = { ...limit, priceOptions: { ...price(limit), price: '0.05' } };
    expect(price(withPatience(priced, 'limit'))['price']).toBe('0.05');
    expect(price(withPatience(priced, 'mid'))['price']).toBe('');
  });

  test('only fields that the price type has are shown and sent', () => {
    const all = {
      price: '0.05',
      priceIn: 'BTC',
      dynamicPriceStrategy: 'MID',
      dynamicPriceOffset: '0.0005',
      dynamicMs: '1000',
      worst: '0.06',
    };
    const of = (priceType: string) => leg({ priceOptions: { priceType, ...all } });
    expect(usedOnly(of('MARKET'))['priceOptions']).toEqual({ priceType: 'MARKET', worst: '0.06' });
    const { price: at, priceIn, worst } = all;
    expect(usedOnly(of('LIMIT'))['priceOptions']).toEqual({
      priceType: 'LIMIT',
      price: at,
      priceIn,
      worst,
    });
    // Its price is a placeholder that the interface requires.
    expect(usedOnly(of('DYNAMIC'))).toEqual(of('DYNAMIC'));
    expect(unusedOf(of('DYNAMIC'))).toEqual(['price']);
  });
});

const listed = (change: Partial<Instrument>): Instrument =>
  ({
    instrumentName: 'BTC-25DEC26-100000-C',
    kind: 'option',
    baseCurrency: 'BTC',
    quoteCurrency: 'BTC',
    quantityUnit: 'BTC',
    minTradeAmount: '0.1',
    qtyTickSize: '0.1',
    ...change,
  }) as Instrument;

const PERPETUAL = listed({
  instrumentName: 'BTC-PERPETUAL',
  kind: 'future',
  settlementPeriod: 'perpetual',
  quantityUnit: 'USD',
  minTradeAmount: '10',
  qtyTickSize: '10',
});
const marked = (markPrice: string): Ticker => ({ markPrice }) as Ticker;

const hedged = (side: HedgedLeg['side'], quantity: string, delta?: string): HedgedLeg => ({
  instrument: listed({}),
  ticker: delta === undefined ? undefined : ({ greeks: { delta } } as Ticker),
  quantity,
  side,
});

describe('the hedge', () => {
  test.each([
    ['bought calls are hedged by selling', [hedged('BUY', '6', '0.45')], '2.7'],
    ['sold calls by buying', [hedged('SELL', '6', '0.45')], '-2.7'],
    ['bought puts by buying', [hedged('BUY', '1.5', '-0.4')], '-0.6'],
    ['sold puts by selling', [hedged('SELL', '1.5', '-0.4')], '0.6'],
    ['a spread by its difference', [hedged('BUY', '6', '0.4'), hedged('SELL', '6', '0.15')], '1.5'],
    ['a tenth stays a tenth', [hedged('BUY', '0.1', '0.1'), hedged('BUY', '0.2', '0.1')], '0.03'],
  ])('the delta of a ticket is exact: %s', (_name, legs, delta) => {
    expect(netDelta(legs)).toBe(delta);
  });

  test('a coin of spot has a delta of one', () => {
    const spot = listed({ instrumentName: 'BTC_USDC', kind: 'spot' });
    expect(netDelta([{ ...hedged('SELL', '2.5'), instrument: spot }])).toBe('-2.5');
  });

  test('a delta that is not known, or of a size that is no number, is not known of the ticket either', () => {
    expect(netDelta([hedged('BUY', '6', '0.45'), hedged('BUY', '6')])).toBeUndefined();
    expect(netDelta([hedged('BUY', '', '0.45')])).toBeUndefined();
    expect(netDelta([hedged('BUY', 'six', '0.45')])).toBeUndefined();
  });

  test.each([
    ['2.7', '100000', 'SELL', '270000'],
    ['-2.7', '100000', 'BUY', '270000'],
    // 0.12345 · 99,980.5 = 12,342.592725: to the lot of 10 below; with 0.1235 it is 12,347.59175, to the one above.
    ['0.12345', '99980.5', 'SELL', '12340'],
    ['0.1235', '99980.5', 'SELL', '12350'],
    // Exactly between two lots: up.
    ['0.00015', '100000', 'SELL', '20'],
    ['0.00005', '100000', 'SELL', '10'],
  ] as const)(
    'a delta of %s at a mark of %s is hedged: %s %s USD',
    (delta, mark, side, quantity) => {
      expect(hedgeAgainst(delta, PERPETUAL, marked(mark))).toEqual({
        instrument: PERPETUAL,
        side,
        quantity,
      });
    },
  );

  test('no size is offered below the least that may be traded, and none while the mark is not known', () => {
    expect(hedgeAgainst('0.00004', PERPETUAL, marked('100000'))).toBeUndefined();
    expect(hedgeAgainst('0', PERPETUAL, marked('100000'))).toBeUndefined();
    expect(hedgeAgainst('2.7', PERPETUAL, undefined)).toBeUndefined();
  });

  test('a perpetual that is sized in coins needs no mark', () => {
    const linear = {
      ...PERPETUAL,
      quantityUnit: 'BTC',
      qtyTickSize: '0.001',
      minTradeAmount: '0.001',
    };
    expect(hedgeAgainst('-0.0126', linear, undefined)?.quantity).toBe('0.013');
  });

  test('the perpetual of the same series is taken, and that of the coin for what has none', () => {
    const usdc = listed({ ...PERPETUAL, instrumentName: 'BTC_USDC-PERPETUAL' });
    const ether = listed({ ...PERPETUAL, instrumentName: 'ETH-PERPETUAL', baseCurrency: 'ETH' });
    const all = [ether, usdc, PERPETUAL, listed({})];
    const named = (instrumentName: string) =>
      hedgeInstrument(all, listed({ instrumentName }))?.instrumentName;
    expect(named('BTC-25DEC26-100000-P')).toBe('BTC-PERPETUAL');
    expect(named('BTC_USDC-25DEC26-100000-P')).toBe('BTC_USDC-PERPETUAL');
    expect(named('BTC_EURR-25DEC26-100000-P')).toBe('BTC-PERPETUAL');
    expect(hedgeInstrument(all, listed({ baseCurrency: 'SOL' }))).toBeUndefined();
  });

  test('perpetuals and contracts sized in dollars are not hedged', () => {
    expect(isHedgeable(listed({}))).toBe(true);
    expect(isHedgeable(PERPETUAL)).toBe(false);
    expect(isHedgeable({ ...PERPETUAL, quantityUnit: 'BTC' })).toBe(false);
    expect(isHedgeable(listed({ quantityUnit: 'USD' }))).toBe(false);
  });

  test('a hedge is far from what the delta calls for on the other side, or beyond a twentieth either way', () => {
    const sized = { instrument: PERPETUAL, side: 'SELL', quantity: '1000' } as const;
    const isFar = (quantity: string, side = 'SELL') => isFarFrom({ side, quantity }, sized);
    expect(['950', '1000', '1050'].map((quantity) => isFar(quantity))).toEqual([
      false,
      false,
      false,
    ]);
    expect(['940', '1060', '', 'x'].map((quantity) => isFar(quantity))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(isFar('1000', 'BUY')).toBe(true);
  });
});

test.each([
  ['twapTrade.durationSec', 'Duration'],
  ['legs[0].quantity', 'Size of leg 1'],
  ['legs[1].priceOptions.priceIn', 'Unit of the price of leg 2'],
  ['execution.escalation[0].manner', 'Manner of Escalation 1'],
  ['sendToDummyAccountIds[2]', 'Dummy accounts 3'],
  ['execution.randomSize', 'Random size'],
  ['constructor', 'Constructor'],
])('the field %s is called %s', (field, label) => {
  expect(labelOf(field)).toBe(label);
});

describe('a plan as a sentence', () => {
  const START = Date.UTC(2026, 10, 30, 17, 12);
  const planned = (
    sizes: readonly string[],
    gapsMs: readonly number[],
    change: Partial<PlanRecord['legs'][number]> = {},
  ): PlanRecord => ({
    startTimestamp: String(START),
    endTimestamp: String(START + 3_600_000),
    legs: [
      {
        instrument: 'BTC_USDC',
        side: 1,
        quantity: '60',
        slices: sizes.length,
        hedge: false,
        ...change,
      },
    ],
    slices: sizes.map((quantity, slice) => ({
      leg: 0,
      slice,
      dueTimestamp: String(START + gapsMs.slice(0, slice).reduce((a, b) => a + b, 0)),
      quantity,
      cumulativeQuantity: quantity,
    })),
  });
  const frame = { unit: 'BTC', startsNow: true, nowMs: START };

  test('it has count, size, pace, start and end', () => {
    const plan = planned(Array(120).fill('0.5'), Array(120).fill(30_000));
    expect(legSentence(plan, 0, frame)).toBe(
      'Buy BTC_USDC: 120 slices of 0.5 BTC, one every 30 s, from now until 18:12 UTC.',
    );
    expect(legSentence(plan, 0, { ...frame, startsNow: false })).toMatch(
      /, from 17:12 until 18:12/,
    );
    const before = { ...frame, startsNow: false, nowMs: START - 86_400_000 };
    expect(legSentence(plan, 0, before)).toMatch(
      /from 2026-11-30 17:12 until 2026-11-30 18:12 UTC/,
    );
  });

  test('sizes that differ are a range, by their value and not by their text, and uneven times are said to be', () => {
    const plan = planned(['9', '10', '1000'], [20_000, 41_000], { side: 2 });
    expect(legSentence(plan, 0, frame)).toBe(
      'Sell BTC_USDC: 3 slices of 9 to 1,000 BTC, one every 31 s or so, from now until 18:12 UTC.',
    );
  });

  test('one slice has no pace, and a size whose unit is not known has none', () => {
    expect(legSentence(planned(['60'], []), 0, { ...frame, unit: undefined })).toBe(
      'Buy BTC_USDC: 1 slice of 60, from now until 18:12 UTC.',
    );
  });

  test('a hedge follows the fills, and a leg without slices is not by the clock', () => {
    const change = { side: 2, hedge: true, quantity: '270000' } as const;
    const hedge = planned(['270000'], [], change);
    expect(legSentence(hedge, 0, { ...frame, unit: 'USD' })).toBe(
      'Sell BTC_USDC: up to 270,000 USD, as the other legs fill.',
    );
    expect(legSentence(planned([], []), 0, frame)).toBe('Buy BTC_USDC: 60 BTC, not by the clock.');
  });

  test('what becomes of the rest is said for each end action, and for none by the default', () => {
    const of = (endAction?: string) => endSentence({ execution: { endAction } });
    expect(endSentence({})).toBe('What is left at the end stays unfilled.');
    expect(of()).toBe(endSentence({}));
    expect(of('market')).toMatch(/at the market/);
    expect(of('rfq')).toMatch(/Block RFQ/);
    expect(of('toString')).toBe('');
    expect(endSentence({ portfolioType: 'BALANCE' })).toBe('');
  });

  test('the dialog says of each leg what is bought or sold', () => {
    const [own] = planned(Array(60).fill('100'), [], { quantity: '6000' }).legs;
    expect(own && legText(own, 'USD')).toBe('Buy 6,000 USD of BTC_USDC, 60 slices');
    expect(own && legText({ ...own, side: 2, hedge: true }, 'USD')).toBe(
      'Sell 6,000 USD of BTC_USDC, at most, as the other legs fill',
    );
    expect(own && legText({ ...own, slices: 1 })).toBe('Buy 6,000 BTC_USDC, 1 slice');
  });
});
