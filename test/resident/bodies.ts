// The portfolios that the resident submits: every kind, small and short, buying and selling in turn so that no
// position grows without limit.
import { ACCOUNTS, DUMMY } from './files.ts';

export interface Market {
  /** Two options near the money with a week or more to expiry. */
  readonly options: readonly [string, string];
  readonly future: string;
  /** Mark prices by instrument. */
  readonly marks: ReadonlyMap<string, number>;
}

/** The action on a portfolio while it is active. */
export type Act = 'pause' | 'amend' | 'cancel' | undefined;

export interface Drawn {
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly act: Act;
}

interface Draw {
  readonly market: Market;
  /** The number of the portfolio. */
  readonly nth: number;
  readonly side: 1 | 2;
  /** The number of slices, one second apart. */
  readonly seconds: number;
}

const PERPETUAL = 'BTC-PERPETUAL';
const ETH = 'ETH-PERPETUAL';
const SPOT = 'BTC_USDC';

const market = { priceType: 'MARKET' };

const following = (strategy: string, more: object = {}) => ({
  priceType: 'DYNAMIC',
  dynamicPriceStrategy: strategy,
  dynamicMs: 100,
  price: '1',
  priceIn: 'USD',
  ...more,
});

const perpetual = (side: number, quantity: number, priceOptions: object, more: object = {}) => ({
  instrument: PERPETUAL,
  instrumentType: 'PERPETUAL',
  side,
  quantity: String(quantity),
  priceOptions,
  ...more,
});

const option = (instrument: string, side: number, lots: number, strategy: string) => ({
  instrument,
  instrumentType: 'OPTION',
  side,
  quantity: (lots / 10).toFixed(1),
  priceOptions: following(strategy, { priceIn: 'BTC', price: '0.01' }),
});

const spot = (side: number, lots: number, priceOptions: object = market) => ({
  instrument: SPOT,
  instrumentType: 'SPOT',
  side,
  quantity: (lots / 10_000).toFixed(4),
  priceOptions,
});

const twap = ({ seconds }: Draw, legs: readonly object[], execution: object = {}) => ({
  portfolioType: 'TWAP',
  twapTrade: { durationSec: seconds, frequencySec: 1 },
  legs,
  execution,
});

const KINDS: Readonly<Record<string, (draw: Draw) => Readonly<Record<string, unknown>>>> = {
  'market perpetual': (draw) => twap(draw, [perpetual(draw.side, 100 * draw.seconds, market)]),

  'limit perpetual, then market': (draw) => {
    const mark = draw.market.marks.get(PERPETUAL) ?? 0;
    const price = String(Math.round(mark * (draw.side === 1 ? 0.9995 : 1.0005)));
    const limit = { priceType: 'LIMIT', price, priceIn: 'USD' };
    return twap(draw, [perpetual(draw.side, 100 * draw.seconds, limit)], { endAction: 'market' });
  },

  'dynamic perpetual and spot': (draw) => {
    const own = following(draw.side === 1 ? 'BID' : 'ASK');
    const legs = [perpetual(draw.side, 200 * draw.seconds, own), spot(3 - draw.side, draw.seconds)];
    return twap(draw, legs, { endAction: 'market' });
  },

  'option spread with hedge': (draw) => {
    const [near, far] = draw.market.options;
    const cross = draw.side === 1 ? 'ASK' : 'BID';
    const legs = [
      option(near, draw.side, draw.seconds, cross),
      option(far, draw.side, draw.seconds, 'MARK'),
      perpetual(3 - draw.side, 1_000 * draw.seconds, market, { hedge: true }),
    ];
    return twap(draw, legs, { endAction: 'cancel', collar: 0.2 });
  },

  'dated future': (draw) =>
    twap(
      draw,
      [
        {
          instrument: draw.market.future,
          instrumentType: 'DELIVERY_FUTURES',
          side: draw.side,
          quantity: String(100 * draw.seconds),
          priceOptions: following('MID'),
        },
      ],
      { endAction: 'sweep', endCapBps: 50 },
    ),

  'four legs at random sizes': (draw) => {
    const legs = [
      perpetual(draw.side, 100 * draw.seconds, market),
      spot(draw.side, 2 * draw.seconds),
      option(draw.market.options[0], draw.side, draw.seconds, draw.side === 1 ? 'ASK' : 'BID'),
      { ...perpetual(3 - draw.side, 100 * draw.seconds, market), instrument: draw.market.future },
    ].map((leg, index) => (index === 3 ? { ...leg, instrumentType: 'DELIVERY_FUTURES' } : leg));
    return twap(draw, legs, { randomSize: 0.3, randomTime: 0.3, seed: `n${draw.nth}` });
  },

  'balance in parts': (draw) => ({
    portfolioType: 'BALANCE',
    balanceTrade: { parts: 4, eachLimitMs: 3_000, totalLimitMs: 20_000, totalEndAction: 2 },
    legs: [
      perpetual(draw.side, 1_200, following(draw.side === 1 ? 'ASK' : 'BID')),
      spot(3 - draw.side, 12),
    ],
  }),

  'mirrored twice over': (draw) => ({
    ...twap(draw, [perpetual(draw.side, 200 * draw.seconds, market)]),
    sendToDummyAccountIds: [Number(DUMMY)],
    dummyAccountScales: [{ accountId: Number(DUMMY), scale: '2' }],
  }),

  'dynamic ether, then longer': (draw) =>
    twap(
      draw,
      [
        {
          ...perpetual(draw.side, 10 * draw.seconds, following('MARK')),
          instrument: ETH,
        },
      ],
      { endAction: 'extend', extendSec: 3 },
    ),

  'escalating perpetual': (draw) =>
    twap(draw, [perpetual(draw.side, 100 * draw.seconds, market)], {
      escalation: [
        { from: 0, manner: 'post' },
        { from: 0.5, manner: 'mid' },
        { from: 0.8, manner: 'cross' },
      ],
      endAction: 'market',
    }),
};

export const KIND_NAMES = Object.keys(KINDS);

const ACTS: readonly Act[] = [
  undefined,
  'pause',
  undefined,
  'amend',
  undefined,
  'cancel',
  undefined,
];

/** The `nth` portfolio of a run: kinds, sides, accounts, durations and actions each cycle at their own pace. */
export function bodyOf(nth: number, market: Market): Drawn {
  const kind = KIND_NAMES[nth % KIND_NAMES.length] as string;
  const round = Math.floor(nth / KIND_NAMES.length);
  const side = round % 2 === 0 ? 1 : 2;
  const draw: Draw = { market, nth, side, seconds: 8 + ((nth * 5) % 13) };
  const body = {
    accountId: Number(ACCOUNTS[nth % ACCOUNTS.length]),
    customizedNote: `resident ${nth}: ${kind}`,
    ...KINDS[kind]?.(draw),
  };
  return { kind, body, act: ACTS[nth % ACTS.length] };
}
