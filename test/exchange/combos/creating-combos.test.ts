// Which structures become combos, under which names, and when a book closes again.
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { accountId, instrumentName } from '../../../src/values/ids.ts';
import { HOUR_MS, instant, later, SECOND_MS } from '../../../src/values/instant.ts';
import type { Instrument, OptionType } from '../../../src/values/instrument.ts';
import { btcCall, btcPerpetual, btcSpot, btcUsdcPut, EXPIRY, ethFuture } from '../instruments.ts';
import { btcFuture, highCall, lowPut, RfqDesk, rfqOptions } from '../rfq/rfq-desk.ts';
import {
  BUYER,
  CALL_SPREAD,
  ComboDesk,
  denied,
  FUTURE_SPREAD,
  ordered,
  SELLER,
  STRADDLE,
  type Traded,
} from './combo-desk.ts';

const LATER_EXPIRY = instant(Date.UTC(2027, 2, 26, 8));

const option = (strike: number, type: OptionType, day = '25DEC26'): Instrument => ({
  ...btcCall,
  name: instrumentName(`BTC-${day}-${strike}-${type === 'call' ? 'C' : 'P'}`),
  expiresAt: day === '25DEC26' ? EXPIRY : LATER_EXPIRY,
  option: { strike: price(String(strike)), type },
});

const STRIKES = [80_000, 90_000, 100_000, 110_000];
const LISTED = ['25DEC26', '26MAR27'].flatMap((day) =>
  STRIKES.flatMap((strike) => [option(strike, 'call', day), option(strike, 'put', day)]),
);

/** `+1 80C`: bought one call of the December expiry at 80 000; `/` before it: of March. */
function structure(words: string): readonly Traded[] {
  return words.split(', ').map((word) => {
    const [, sign, ratio, far, strike, type] = /^([+-])(\d) (\/?)(\d+)([CP])$/.exec(word) ?? [];
    const day = far === '/' ? '26MAR27' : '25DEC26';
    const of = option(Number(strike) * 1_000, type === 'C' ? 'call' : 'put', day);
    return { of, side: sign === '+' ? 'buy' : 'sell', size: ratio ?? '' };
  });
}

function named(trades: readonly Traded[]): string {
  const desk = new ComboDesk();
  for (const instrument of LISTED) {
    desk.exchange.handle({ kind: 'list_instrument', now: desk.rfqs.now, instrument });
  }
  const { instrument } = desk.create(trades);
  const legs = (instrument.legs ?? []).map((leg) => `${leg.ratio}*${leg.instrument}`);
  return `${instrument.name}: ${legs.join(' ')}`;
}

describe('the name of a combo', () => {
  it.each([
    ['+1 80C, -1 90C', 'CS-25DEC26-80000_90000'],
    ['+1 80P, -1 90P', 'PS-25DEC26-80000_90000'],
    ['+1 90C, +1 90P', 'STRD-25DEC26-90000'],
    ['+1 80P, +1 100C', 'STRG-25DEC26-80000_100000'],
    ['+1 80C, +1 100P', 'GUTS-25DEC26-80000_100000'],
    ['+1 90C, -1 90P', 'REV-25DEC26-90000'],
    ['+1 80C, -2 90C, +1 100C', 'CBUT-25DEC26-80000_90000_100000'],
    ['+1 80P, -1 90C, -1 90P, +1 100C', 'IBUT-25DEC26-80000_90000_100000'],
    ['+1 80P, -1 90P, -1 100C, +1 110C', 'ICOND-25DEC26-80000_90000_100000_110000'],
    ['+1 80P, -1 90P, -1 100P, +1 110P', 'PCOND-25DEC26-80000_90000_100000_110000'],
    ['+1 80C, -1 80P, -1 90C, +1 90P', 'BOX-25DEC26-80000_90000'],
    ['+1 80C, -2 90C', 'CSR12-25DEC26-80000_90000'],
    ['+2 80P, -3 90P', 'PSR23-25DEC26-80000_90000'],
    ['-1 80P, +1 /80P', 'PCAL-26MAR27_25DEC26-80000'],
    ['-1 80C, +1 /90C', 'CDIAG-26MAR27_25DEC26-90000_80000'],
  ])('of %s is BTC-%s, and the same from the other side', (words, name) => {
    const trades = structure(words);
    const mirrored = trades.map((one) => ({
      ...one,
      side: one.side === 'buy' ? ('sell' as const) : ('buy' as const),
    }));
    const own = named(trades);
    expect(own.split(':', 1)[0]).toBe(`BTC-${name}`);
    expect(named(mirrored)).toBe(own);
    expect(named([...trades].reverse())).toBe(own);
  });

  it('a combo of two futures names the later expiry first, a perpetual counting as the earliest', () => {
    expect(named(FUTURE_SPREAD)).toBe('BTC-FS-25DEC26_PERP: 1*BTC-25DEC26 -1*BTC-PERPETUAL');
  });

  it('a structure without a code is named after its legs, from the side that buys the first', () => {
    const own = named(structure('+1 80C, +1 90P, -1 100P'));
    expect(own).toMatch(
      /^BTC-CC-25DEC26-[0-9A-F]{8}: 1\*\S+80000-C 1\*\S+90000-P -1\*\S+100000-P$/,
    );
    expect(named(structure('-1 80C, -1 90P, +1 100P'))).toBe(own);
    expect(named(structure('+1 80C, +1 90P, -1 110P'))).not.toBe(own);
  });
});

describe('the terms of a combo', () => {
  it('a combo has the sizes of its legs, the ticks of the venue, no fee and the first expiry', () => {
    const desk = new ComboDesk();
    const shown = ({ kind, tickSize, amountStep, minAmount, expiresAt, takerFee }: Instrument) => [
      kind,
      ...[tickSize, amountStep, minAmount, takerFee].map((one) => text(one)),
      expiresAt,
    ];
    const { instrument: spread } = desk.create(FUTURE_SPREAD);
    expect(shown(spread)).toEqual(['future_combo', '0.5', '10', '10', '0', EXPIRY]);
    const { instrument: calls } = desk.create(CALL_SPREAD);
    expect(shown(calls)).toEqual(['option_combo', '0.0001', '0.1', '0.1', '0', EXPIRY]);
  });

  it('a combo has ratios in lowest terms, whatever sizes were named', () => {
    const desk = new ComboDesk();
    const { instrument } = desk.create([
      { of: btcCall, size: '0.4' },
      { of: highCall, size: '0.8', side: 'sell' },
    ]);
    expect(instrument.name).toBe('BTC-CSR12-25DEC26-100000_110000');
    expect(instrument.legs?.map(({ ratio }) => ratio)).toEqual([1, -2]);
  });
});

describe('a request for a combo', () => {
  it('a combo that exists is returned, from either side and to every account', () => {
    const desk = new ComboDesk();
    const first = desk.create(CALL_SPREAD);
    desk.drained();
    const mirrored: readonly Traded[] = [
      { of: highCall, size: '3' },
      { of: btcCall, side: 'sell', size: '3' },
    ];
    expect(desk.request(mirrored, SELLER)).toEqual({ kind: 'combo', combo: first });
    expect(desk.drained()).toEqual([]);
    expect(desk.exchange.combos()).toEqual([first]);
  });

  it.each([
    ['one leg', -32602, [{ of: btcCall }]],
    [
      'five legs',
      -32602,
      [btcCall, highCall, lowPut, btcFuture, btcPerpetual].map((of) => ({ of })),
    ],
    ['a leg twice', -32602, [{ of: btcCall }, { of: btcCall, side: 'sell' }]],
    ['an unknown leg', 10020, [{ of: btcCall }, { of: option(1_000, 'call') }]],
    ['a spot pair', 10020, [{ of: btcPerpetual }, { of: btcSpot }]],
    [
      'a future and an option',
      11047,
      [
        { of: btcFuture, size: '10' },
        { of: btcCall, size: '1' },
      ],
    ],
    ['two coins', 11047, [{ of: btcFuture }, { of: ethFuture, size: '10' }]],
    ['an inverse and a linear option', 11047, [{ of: btcCall }, { of: btcUsdcPut }]],
    ['a size off its lot', 10021, [{ of: btcCall, size: '0.15' }, { of: highCall }]],
    [
      'sizes without a common ratio',
      10021,
      [
        { of: btcCall, size: '0.1' },
        { of: highCall, size: '10.1' },
      ],
    ],
    [
      'only bought legs of 2 and 3',
      11047,
      [
        { of: btcCall, size: '2' },
        { of: lowPut, size: '3' },
      ],
    ],
  ] as const)('of %s is refused with code %i', (_, code, trades) => {
    const desk = new ComboDesk();
    expect(denied(desk.request(trades as readonly Traded[]))).toMatchObject({
      code,
      data: { param: 'trades' },
    });
    expect(desk.exchange.combos()).toEqual([]);
  });

  it('a combo of another combo, of an unknown account and within a minute of an expiry is refused', () => {
    const desk = new ComboDesk();
    const { instrument } = desk.create(CALL_SPREAD);
    expect(denied(desk.request([{ of: instrument }, { of: lowPut }]))).toMatchObject({
      code: 10020,
    });
    expect(denied(desk.request(CALL_SPREAD, accountId('404')))).toMatchObject({ code: 13009 });
    desk.rfqs.now = later(EXPIRY, -30 * SECOND_MS);
    expect(denied(desk.request(STRADDLE))).toMatchObject({ code: 10012 });
  });

  it('a combo is refused in a Block RFQ: a block names the legs themselves', () => {
    const desk = new ComboDesk();
    const { instrument } = desk.create(CALL_SPREAD);
    expect(denied(desk.rfqs.createRfq({ legs: [{ of: instrument, size: '25' }] }))).toMatchObject({
      code: 10020,
    });
  });
});

describe('the number of active combos', () => {
  const limited = (): ComboDesk => {
    const desk = new ComboDesk();
    const exchange = new Exchange({ ...rfqOptions(), combosMax: 1 });
    Object.assign(desk, { rfqs: new RfqDesk(exchange) });
    return desk;
  };

  it('active combos are limited: one more is refused while all of them are in use', () => {
    const desk = limited();
    desk.create(CALL_SPREAD);
    expect(denied(desk.request(STRADDLE))).toMatchObject({
      code: 13035,
      message: 'active_combo_limit_reached',
    });
  });

  it('an idle combo gives way to a new one, and takes no orders until it is requested again', () => {
    const desk = limited();
    const idle = desk.create(CALL_SPREAD);
    desk.rfqs.now = later(desk.rfqs.now, HOUR_MS);
    desk.create(STRADDLE);
    expect(desk.exchange.combo(idle.instrument.name)?.state).toBe('inactive');
    const terms = { price: '0.03', quantity: '1' };
    expect(denied(desk.at(idle.instrument).place(BUYER, 'buy', terms))).toMatchObject({
      code: 10019,
    });
    desk.rfqs.now = later(desk.rfqs.now, HOUR_MS);
    const again = desk.create(CALL_SPREAD);
    expect(again).toEqual({ ...idle, changedAt: desk.rfqs.now });
    ordered(desk.at(idle.instrument).place(BUYER, 'buy', terms));
  });

  it('a combo with an open order does not give way', () => {
    const desk = limited();
    const { instrument } = desk.create(CALL_SPREAD);
    ordered(desk.at(instrument).place(BUYER, 'buy', { price: '0.03', quantity: '1' }));
    desk.rfqs.now = later(desk.rfqs.now, 24 * HOUR_MS);
    expect(denied(desk.request(STRADDLE))).toMatchObject({ code: 13035 });
  });
});

describe('the expiry of a leg', () => {
  it('an expiry cancels the orders of its combos, closes them for good and leaves the other legs', () => {
    const desk = new ComboDesk();
    const combo = desk.create(FUTURE_SPREAD);
    const other = desk.create(CALL_SPREAD);
    const terms = { price: '900', quantity: '1000' };
    const { order } = ordered(desk.at(combo.instrument).place(BUYER, 'buy', terms));
    desk.exchange.handle({
      kind: 'expire_instrument',
      now: EXPIRY,
      instrument: btcFuture.name,
      deliveryPrice: price('100000'),
    });
    expect(desk.exchange.order(BUYER, order.orderId)).toMatchObject({ state: 'cancelled' });
    expect(desk.exchange.combos()).toMatchObject([
      { state: 'inactive', isEnded: true, changedAt: EXPIRY },
      { instrument: other.instrument, state: 'active', isEnded: false },
    ]);
    expect(desk.exchange.instruments().map(({ name }) => name)).not.toContain(
      combo.instrument.name,
    );
    expect(quantity(desk.position(BUYER, btcPerpetual)).isZero()).toBe(true);
  });
});
