import { describe, expect, it } from 'vitest';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { accountId, instrumentName } from '../../../src/values/ids.ts';
import { later, MINUTE_MS } from '../../../src/values/instant.ts';
import { btcCall, btcPerpetual, btcSpot, btcUsdcPut, EXPIRY } from '../instruments.ts';
import {
  asked,
  btcFuture,
  callSpread,
  highCall,
  lowPut,
  MAKER1,
  MAKER2,
  MAKER3,
  oneCall,
  quoted,
  RfqDesk,
  type RfqShape,
  refused,
  TAKER,
} from './rfq-desk.ts';

const shape = (shapeGiven: RfqShape) => {
  const {
    quantity: size,
    legs,
    comboId,
    minTradeQuantity,
  } = asked(RfqDesk.marked().createRfq(shapeGiven));
  const ratios = legs.map(({ ratio }) => text(ratio)).join(':');
  return { size: text(size), ratios, least: text(minTradeQuantity), comboId };
};
const hedge = {
  instrument: btcPerpetual.name,
  quantity: quantity('100000'),
  side: 'sell',
} as const;

describe('creating an RFQ', () => {
  it.each<[string, RfqShape, ReturnType<typeof shape>]>([
    ['one leg', oneCall('30'), { size: '30', ratios: '1', least: '25', comboId: btcCall.name }],
    [
      'two legs of equal size, whose minimums add up',
      callSpread('12.5'),
      { size: '12.5', ratios: '1:1', least: '12.5', comboId: 'BTC-CS-25DEC26-100000_110000' },
    ],
    [
      'a ratio of two to one',
      {
        legs: [
          { of: btcCall, size: '100' },
          { of: highCall, size: '50', side: 'sell' },
        ],
      },
      { size: '50', ratios: '2:1', least: '8.4', comboId: undefined },
    ],
    [
      'sizes without a simple ratio: the smallest is the quantity',
      {
        legs: [
          { of: btcCall, size: '40.2' },
          { of: lowPut, size: '30' },
        ],
      },
      { size: '0.6', ratios: '67:50', least: '0.3', comboId: undefined },
    ],
    [
      'a straddle',
      {
        legs: [
          { of: btcCall, size: '20' },
          { of: lowPut, size: '20' },
        ],
      },
      { size: '20', ratios: '1:1', least: '12.5', comboId: 'BTC-STRD-25DEC26-100000' },
    ],
    [
      'a future spread that buys the later expiry',
      {
        legs: [
          { of: btcFuture, size: '300000' },
          { of: btcPerpetual, size: '300000', side: 'sell' },
        ],
      },
      { size: '300000', ratios: '1:1', least: '100000', comboId: 'BTC-FS-25DEC26_PERP' },
    ],
    [
      'a sold spread is a custom structure',
      {
        legs: [
          { of: btcCall, size: '30', side: 'sell' },
          { of: highCall, size: '30' },
        ],
      },
      { size: '30', ratios: '1:1', least: '12.5', comboId: undefined },
    ],
    [
      'a spot pair',
      { legs: [{ of: btcSpot, size: '2' }] },
      { size: '2', ratios: '1', least: '0.5', comboId: 'BTC_USDC' },
    ],
  ])('an RFQ has the right quantity, ratios and name: %s', (_, shapeGiven, expected) => {
    expect(shape(shapeGiven)).toEqual({ ...expected });
  });

  it.each<[string, Partial<RfqShape>, number, string]>([
    ['no legs', { legs: [] }, -32602, 'legs'],
    [
      'an unknown instrument',
      { legs: [{ of: { ...btcCall, name: instrumentName('BTC-X') }, size: '30' }] },
      10020,
      'legs',
    ],
    ['a size between lots', { legs: [{ of: btcCall, size: '30.05' }] }, 10021, 'legs'],
    ['less than a block', { legs: [{ of: btcCall, size: '24.9' }] }, 10002, 'legs'],
    [
      'two quote currencies',
      {
        legs: [
          { of: btcCall, size: '30' },
          { of: btcPerpetual, size: '300000' },
        ],
      },
      11047,
      'legs',
    ],
    [
      'an instrument twice',
      {
        legs: [
          { of: btcCall, size: '30' },
          { of: btcCall, size: '30' },
        ],
      },
      -32602,
      'legs',
    ],
    [
      'an instrument without a mark price',
      { legs: [{ of: { ...btcUsdcPut }, size: '2500' }], hedge: undefined },
      0,
      '',
    ],
    [
      'an option as its hedge',
      { hedge: { ...hedge, instrument: highCall.name, price: price('0.02') } },
      11047,
      'hedge',
    ],
    ['a hedge off the mark', { hedge: { ...hedge, price: price('101001') } }, 10011, 'hedge'],
    ['a hedge between ticks', { hedge: { ...hedge, price: price('100000.001') } }, 10043, 'hedge'],
    [
      'a hedge off the lot',
      { hedge: { ...hedge, quantity: quantity('15'), price: price('100000') } },
      10021,
      'hedge',
    ],
    [
      'an anonymous RFQ to few makers',
      { disclosed: false, makers: ['MAKER1', 'MAKER2', 'MAKER3'] },
      11047,
      'disclosed',
    ],
    ['an unknown maker', { makers: ['NOBODY'] }, -32602, 'makers'],
    ['a label without end', { label: 'x'.repeat(65) }, -32602, 'label'],
    [
      'allocations that do not add up',
      { allocations: [{ quantity: quantity('29'), userId: 1 }] },
      10021,
      'tradeAllocations',
    ],
    [
      'allocations without a recipient',
      { allocations: [{ quantity: quantity('30') }] },
      -32602,
      'tradeAllocations',
    ],
    ['an account that is none', { account: accountId('9') }, -32602, 'accountId'],
  ])('creating an RFQ is refused for %s', (_, change, code, param) => {
    const desk = RfqDesk.marked();
    const answer = desk.createRfq({ ...oneCall('30'), ...change });
    // A put in USDC needs no mark price: its minimum is in coins.
    if (code === 0) expect(answer.kind).toBe('rfq');
    else expect(refused(answer)).toMatchObject({ code, data: { param } });
  });

  it('an RFQ can be anonymous to all makers, or to at least five', () => {
    const desk = RfqDesk.marked();
    expect(asked(desk.createRfq({ ...oneCall(), disclosed: false })).taker).toBeUndefined();
    expect(desk.seen(MAKER1)).toMatchObject({ disclosed: false, taker: undefined });
    asked(desk.createRfq(oneCall()));
    expect(desk.seen(MAKER1)).toMatchObject({ disclosed: true, taker: `DESK-${TAKER}` });
  });

  it('an RFQ reaches only the named makers, by ids that do not reveal each other', () => {
    const desk = RfqDesk.marked();
    const { id, makers } = asked(desk.createRfq({ ...oneCall(), makers: ['MAKER1', 'MAKER2'] }));
    expect(makers).toEqual(['MAKER1', 'MAKER2']);
    const ids = [id, desk.idOf(MAKER1), desk.idOf(MAKER2)];
    expect(new Set(ids).size).toBe(3);
    expect(desk.exchange.rfqs.page({ account: MAKER3, count: 10 }).rfqs).toEqual([]);
    const { now } = desk;
    const foreign = { kind: 'cancel_rfq', now, account: MAKER1, rfqId: id } as const;
    expect(refused(desk.do(foreign))).toMatchObject({ code: 13020 });
  });

  it('operations of the other role are forbidden', () => {
    const desk = RfqDesk.marked();
    const { id } = asked(desk.createRfq(oneCall()));
    const { now } = desk;
    const cancel = { kind: 'cancel_rfq', now, account: MAKER1, rfqId: desk.idOf(MAKER1) } as const;
    expect(refused(desk.do(cancel))).toMatchObject({ code: 13021 });
    const [leg] = desk.seen(TAKER).legs;
    if (leg === undefined) throw new Error('one leg');
    const quote = {
      kind: 'quote_rfq',
      now,
      account: TAKER,
      rfqId: id,
      side: 'sell',
      label: '',
      quantity: quantity('100'),
      legs: [{ ...leg, price: price('0.05') }],
      executionInstruction: 'any_part_of',
    } as const;
    expect(refused(desk.do(quote))).toMatchObject({ code: 13021 });
  });

  it('a taker may have at most twenty open RFQs', () => {
    const desk = RfqDesk.marked();
    for (let count = 0; count < 20; count += 1) asked(desk.createRfq(oneCall()));
    expect(refused(desk.createRfq(oneCall()))).toMatchObject({ code: 13908 });
    desk.pass(5 * MINUTE_MS);
    expect(asked(desk.createRfq(oneCall())).status).toBe('created');
  });

  it('an RFQ is refused if an instrument expires during its lifetime', () => {
    const desk = RfqDesk.marked();
    desk.now = later(EXPIRY, -5 * MINUTE_MS);
    expect(refused(desk.createRfq(oneCall()))).toMatchObject({ code: 10012 });
  });

  it('queries page backwards through the RFQs of an account', () => {
    const desk = RfqDesk.marked();
    const ids = [1, 2, 3, 4, 5].map(() => asked(desk.createRfq(oneCall())).id);
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.05'] }));
    const page = (continuation?: string) =>
      desk.exchange.rfqs.page({ account: TAKER, count: 2, continuation });
    const first = page();
    expect(first.rfqs.map(({ id }) => id)).toEqual([ids[4], ids[3]]);
    const second = page(first.continuation);
    expect(second.rfqs.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const third = page(second.continuation);
    expect(third.rfqs.map(({ id }) => id)).toEqual([ids[0]]);
    expect(third.continuation).toBeUndefined();
  });
});
