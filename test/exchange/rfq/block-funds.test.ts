// What a block needs of its taker and of its maker, on both sides: exactly the cash with which each of them, having nothing else, may
// take part, by the second reckoning of accounts.
import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { ExchangeAnswer } from '../../../src/exchange/exchange-command.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { currency } from '../../../src/values/ids.ts';
import { type Instrument, opposite, type Side } from '../../../src/values/instrument.ts';
import {
  PlainAccount,
  type PlainContract,
  type PlainPrices,
} from '../../support/reckoning/plain-account.ts';
import { Desk, RICH } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcSpot, btcUsdcPerpetual } from '../instruments.ts';
import {
  asked,
  highCall,
  MAKER1,
  MAKER2,
  quoted,
  RfqDesk,
  refused,
  rfqOptions,
  TAKER,
  traded,
} from './rfq-desk.ts';

interface Leg {
  readonly of: Instrument;
  readonly side: Side;
  readonly size: string;
  readonly price: string;
}

interface Block {
  readonly legs: readonly Leg[];
  /** Prices of the whole structure. */
  readonly price: string;
  readonly hedge?: Leg;
}

const future = { growth: '0.00005', rates: { maker: '0', taker: '0.00025' } };
const option = { growth: '0', rates: { maker: '0.0003', taker: '0.0003' } };
const CONTRACTS: Readonly<Record<string, readonly [Omit<PlainContract, 'name'>, PlainPrices]>> = {
  [btcPerpetual.name]: [
    { ...future, kind: 'inverse_future', currency: 'BTC', isInverse: true },
    { mark: '100000', index: '100000' },
  ],
  [btcUsdcPerpetual.name]: [
    { ...future, kind: 'linear_future', currency: 'USDC', isInverse: false },
    { mark: '100000', index: '100000' },
  ],
  [btcCall.name]: [
    {
      ...option,
      kind: 'option',
      currency: 'BTC',
      isInverse: true,
      option: { type: 'call', strike: 100_000 },
    },
    { mark: '0.05', index: '100000', underlying: '100000' },
  ],
  [highCall.name]: [
    {
      ...option,
      kind: 'option',
      currency: 'BTC',
      isInverse: true,
      option: { type: 'call', strike: 110_000 },
    },
    { mark: '0.02', index: '100000', underlying: '100000' },
  ],
};

/** The cash that covers the premiums and fees, and what the margins exceed the open profit by. */
function reckoned(
  { legs, hedge }: Block,
  side: Side,
  liquidity: 'maker' | 'taker',
  rests?: { readonly side: Side; readonly amount: string; readonly price: string },
): { readonly code: string; readonly cash: BigNumber } {
  const plain = new PlainAccount({});
  let code = '';
  for (const leg of [...legs, ...(hedge === undefined ? [] : [hedge])]) {
    const [contract, prices] = CONTRACTS[leg.of.name] ?? [];
    if (contract === undefined || prices === undefined) throw new Error(leg.of.name);
    plain.list({ ...contract, name: leg.of.name }, prices);
    const own = side === 'buy' ? leg.side : opposite(leg.side);
    plain.fill(leg.of.name, { side: own, amount: leg.size, price: leg.price, liquidity });
    if (rests !== undefined) plain.rest(leg.of.name, [rests]);
    code = contract.currency;
  }
  const { initialMargin, marginBalance, balance } = plain.summary(code);
  const cash = BigNumber.max(initialMargin.minus(marginBalance), balance.negated());
  return { code, cash: cash.decimalPlaces(code === 'BTC' ? 8 : 6, BigNumber.ROUND_CEIL) };
}

interface Party {
  readonly role: 'maker' | 'taker';
  readonly code: string;
  readonly cash: string;
}

/** The answer to the one who has only this; the other is rich. */
function answerTo({ role, code, cash }: Party, block: Block, side: Side): ExchangeAnswer {
  const own = new Map([[currency(code), money(cash)]]);
  const accounts = [
    { account: TAKER, balances: role === 'taker' ? own : RICH },
    { account: MAKER1, balances: role === 'maker' ? own : RICH, makerAlias: 'MAKER1' },
  ];
  const desk = RfqDesk.marked(new Exchange({ ...rfqOptions(), accounts }));
  const { hedge } = block;
  asked(
    desk.createRfq({
      legs: block.legs.map(({ of, size, side: listed }) => ({ of, size, side: listed })),
      ...(hedge !== undefined && {
        hedge: {
          instrument: hedge.of.name,
          side: hedge.side,
          quantity: quantity(hedge.size),
          price: price(hedge.price),
        },
      }),
    }),
  );
  const legs = block.legs.map((leg) => leg.price);
  const quote = desk.quote(MAKER1, opposite(side), { legs });
  if (role === 'maker') return quote;
  quoted(quote);
  desk.open();
  return desk.accept(side, block.price);
}

const one = (of: Instrument, size: string, at: string, hedge?: Leg): Block => ({
  legs: [{ of, side: 'buy', size, price: at }],
  price: at,
  ...(hedge !== undefined && { hedge }),
});

const BLOCKS: readonly (readonly [string, Block])[] = [
  ['a perpetual above its mark', one(btcPerpetual, '200000', '100500')],
  ['a perpetual below its mark', one(btcPerpetual, '300000', '99500')],
  ['a linear perpetual above its mark', one(btcUsdcPerpetual, '3', '100500')],
  ['a linear perpetual below its mark', one(btcUsdcPerpetual, '3', '99500')],
  ['a call', one(btcCall, '25', '0.055')],
  [
    'a call with a hedge',
    one(btcCall, '25', '0.05', {
      of: btcPerpetual,
      side: 'sell',
      size: '400000',
      price: '100100',
    }),
  ],
  [
    'a ratio spread',
    {
      legs: [
        { of: btcCall, side: 'buy', size: '25', price: '0.05' },
        { of: highCall, side: 'sell', size: '75', price: '0.02' },
      ],
      price: '-0.01',
    },
  ],
];

const PARTIES = BLOCKS.flatMap(([title, block]) =>
  (['buy', 'sell'] as const).flatMap((side) =>
    (['taker', 'maker'] as const).map((role) => [role, side, title, block] as const),
  ),
);

describe('the funds of a block', () => {
  it.each(PARTIES)('a %s of whom the taker %ss %s needs exactly this', (role, side, _, block) => {
    const own = role === 'taker' ? side : opposite(side);
    const { code, cash } = reckoned(block, own, role);
    const party = { role, code, cash: cash.toFixed() };
    const done = answerTo(party, block, side);
    if (role === 'taker') expect(traded(done).blockTrades).toHaveLength(1);
    else expect(quoted(done).status).toBe('open');
    // The fee is rounded to the last digit.
    const least = code === 'BTC' ? '0.00000002' : '0.000002';
    const answer = refused(answerTo({ ...party, cash: cash.minus(least).toFixed() }, block, side));
    expect(answer).toMatchObject({ code: 10009, data: { param: 'quantity' } });
  });

  it('several makers share what the taker needs, which is that of the whole block', () => {
    const block = one(btcCall, '50', '0.05');
    const { cash } = reckoned(block, 'sell', 'taker');
    const accepted = (amount: BigNumber): ExchangeAnswer => {
      const own = new Map([[currency('BTC'), money(amount.toFixed())]]);
      const makers = [MAKER1, MAKER2].map((account, at) => ({
        account,
        balances: RICH,
        makerAlias: `MAKER${at + 1}`,
      }));
      const accounts = [{ account: TAKER, balances: own }, ...makers];
      const desk = RfqDesk.marked(new Exchange({ ...rfqOptions(), accounts }));
      asked(desk.createRfq({ legs: [{ of: btcCall, size: '50' }] }));
      for (const maker of [MAKER1, MAKER2]) {
        quoted(desk.quote(maker, 'buy', { legs: ['0.05'], quantity: '25' }));
      }
      desk.open();
      return desk.accept('sell', '0.05');
    };
    expect(traded(accepted(cash)).blockTrades).toHaveLength(2);
    expect(refused(accepted(cash.minus('0.00000002'))).code).toBe(10009);
  });

  it('an account with an open order needs the margin of the worse direction, and what it holds already counts', () => {
    const block = one(btcPerpetual, '200000', '100500');
    const rests = { side: 'sell', amount: '100000', price: '101000' } as const;
    const { cash } = reckoned(block, 'buy', 'taker', rests);
    const accepted = (amount: BigNumber): ExchangeAnswer => {
      const own = new Map([[currency('BTC'), money(amount.toFixed())]]);
      const accounts = [
        { account: TAKER, balances: own },
        { account: MAKER1, balances: RICH, makerAlias: 'MAKER1' },
      ];
      const desk = RfqDesk.marked(new Exchange({ ...rfqOptions(), accounts }));
      const perpetual = new Desk(btcPerpetual, desk.exchange);
      perpetual.place(TAKER, rests.side, { price: rests.price, quantity: rests.amount });
      asked(desk.createRfq({ legs: [{ of: btcPerpetual, size: '200000' }] }));
      quoted(desk.quote(MAKER1, 'sell', { legs: ['100500'] }));
      desk.open();
      return desk.accept('buy', '100500');
    };
    expect(traded(accepted(cash)).blockTrades).toHaveLength(1);
    expect(refused(accepted(cash.minus('0.00000002'))).code).toBe(10009);
  });

  it('a maker of a part needs that part of the hedge', () => {
    const hedge = { of: btcPerpetual, side: 'sell', price: '100100' } as const;
    const half = one(btcCall, '25', '0.05', { ...hedge, size: '200000' });
    const { cash } = reckoned(half, 'sell', 'maker');
    const quoteOf = (amount: BigNumber): ExchangeAnswer => {
      const own = new Map([[currency('BTC'), money(amount.toFixed())]]);
      const accounts = [
        { account: TAKER, balances: RICH },
        { account: MAKER1, balances: own, makerAlias: 'MAKER1' },
      ];
      const desk = RfqDesk.marked(new Exchange({ ...rfqOptions(), accounts }));
      const whole = {
        instrument: btcPerpetual.name,
        side: hedge.side,
        quantity: quantity('400000'),
        price: price(hedge.price),
      };
      asked(desk.createRfq({ legs: [{ of: btcCall, size: '50' }], hedge: whole }));
      return desk.quote(MAKER1, 'sell', { legs: ['0.05'], quantity: '25' });
    };
    expect(quoted(quoteOf(cash)).status).toBe('open');
    expect(refused(quoteOf(cash.minus('0.00000002'))).code).toBe(10009);
  });

  it('a premium is paid in cash: open profit of a future is none', () => {
    const endless = new Map([[currency('BTC'), money('100000')]]);
    const accounts = [
      { account: TAKER, balances: RICH },
      { account: MAKER1, balances: endless, makerAlias: 'MAKER1' },
    ];
    const desk = RfqDesk.marked(new Exchange({ ...rfqOptions(), accounts }));
    const perpetual = new Desk(btcPerpetual, desk.exchange);
    // 100 BTC at 50 000, worth 50 BTC more at the mark.
    perpetual.quotes([], [['50000', '5000000']]);
    perpetual.place(TAKER, 'buy', { price: '50000', quantity: '5000000' });
    const of = (size: string): ExchangeAnswer => {
      asked(desk.createRfq({ legs: [{ of: btcCall, size }] }));
      quoted(desk.quote(MAKER1, 'sell', { legs: ['0.05'] }));
      desk.open();
      return desk.accept('buy', '0.05');
    };
    // 2 000 × 0.0503 = 100.6 BTC, and 99.95 are there; 1 980 × 0.0503 = 99.594.
    expect(refused(of('2000')).code).toBe(10009);
    expect(traded(of('1980')).blockTrades).toHaveLength(1);
  });

  it('spot is paid with what it costs, and sold with what is sold', () => {
    const block = one(btcSpot, '1', '100500');
    for (const [side, role, code, cash, less] of [
      ['buy', 'taker', 'USDC', '100500', '100499.999999'],
      ['sell', 'taker', 'BTC', '1', '0.99999999'],
      ['sell', 'maker', 'USDC', '100500', '100499.999999'],
      ['buy', 'maker', 'BTC', '1', '0.99999999'],
    ] as const) {
      const done = answerTo({ role, code, cash }, block, side);
      expect(done.kind).toBe(role === 'taker' ? 'rfq_accepted' : 'rfq_quote');
      expect(refused(answerTo({ role, code, cash: less }, block, side)).code).toBe(10009);
    }
  });
});
