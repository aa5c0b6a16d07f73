// Every documented field of a trade, with the expected value in a case that sets it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tradeSchema } from '../../../../src/gateway/order-api/trades/trade-view.ts';
import { yearFraction } from '../../../../src/quant/year-fraction.ts';
import {
  btcCall,
  btcPerpetual,
  btcSpot,
  btcUsdcPerpetual,
  EXPIRY,
} from '../../../exchange/instruments.ts';
import { highCall } from '../../../exchange/rfq/rfq-desk.ts';
import { livePrice } from '../../../support/live-option.ts';
import { STRANGER } from '../../gateway-under-test.ts';
import { type Fields, OrderScene } from '../order-scene.ts';

let scene: OrderScene;
beforeEach(() => {
  scene = new OrderScene();
});
afterEach(() => scene.close());

const BTC = btcPerpetual.name;

async function worked(side: 'buy' | 'sell', params: object): Promise<Fields> {
  return await scene.get(`private/${side}`, { instrumentName: BTC, quantity: '1000', ...params });
}

/** The only trade of an order that buys 1000 offered by the other account. */
async function taken(params: object = {}, at = '100500'): Promise<Fields> {
  await scene.other('sell', '1000', at);
  const { trades } = await worked('buy', { price: at, ...params });
  expect(trades).toHaveLength(1);
  return trades[0];
}

/** The trade of a resting order, as its owner finds it by order id. */
async function given(params: object = {}): Promise<Fields> {
  const { order } = await worked('buy', { price: '99000', ...params });
  await scene.other('sell', '400', '99000');
  const { orderId } = order;
  const [trade] = await scene.get('private/get_user_trades_by_order', { orderId });
  return trade;
}

async function optionTrade(params: object = {}): Promise<Fields> {
  await scene.other('sell', '2', '0.1', btcCall);
  const order = { instrumentName: btcCall.name, quantity: '2', price: '0.1', ...params };
  return (await worked('buy', order)).trades[0];
}

/** Long 1000 at 100500, closed at 101000. */
async function closed(): Promise<Fields> {
  await taken();
  await scene.other('buy', '1000', '101000');
  return (await worked('sell', { price: '101000', reduceOnly: true })).trades[0];
}

async function comboTrade(): Promise<Fields> {
  const trades = [
    { instrumentName: btcCall.name, side: 'buy' },
    { instrumentName: highCall.name, side: 'sell' },
  ];
  const { id: instrumentName } = await scene.get('private/create_combo', { trades });
  const order = { instrumentName, quantity: '1', price: '0.03' };
  await scene.get('private/sell', order, STRANGER);
  return (await worked('buy', order)).trades[0];
}

const CALLS = [btcCall, highCall];

/** The trades that taker and maker find for a call spread traded as a block. */
async function block(): Promise<{
  readonly id: string;
  readonly rfq: Fields;
  readonly quote: Fields;
  readonly mine: readonly Fields[];
  readonly theirs: readonly Fields[];
}> {
  const rfq = await scene.get('block/rfqs/create_rfq', {
    legs: CALLS.map(({ name }, at) => ({
      instrumentName: name,
      quantity: '100',
      side: at === 0 ? 'buy' : 'sell',
    })),
    makers: ['MAKER1', 'MAKER2'],
    tradeAllocations: [
      { amount: '75', userId: 7 },
      { amount: '25', clientInfo: { clientId: 8, clientLinkId: 9 } },
    ],
  });
  const asked = await scene.get('block/rfqs/get_rfqs', { role: 'maker', count: 1 }, STRANGER);
  const quote = {
    blockRfqId: asked.blockRfqs[0].blockRfqId,
    side: 'sell',
    quantity: rfq.quantity,
    executionInstruction: 'any_part_of',
    legs: rfq.legs.map((leg: Fields, at: number) => ({ ...leg, price: ['0.1', '0.07'][at] })),
  };
  const quoted = await scene.get('block/rfqs/create_quote', quote, STRANGER);
  await scene.pass(6_000);
  const accept = { blockRfqId: rfq.blockRfqId, side: 'buy', quantity: rfq.quantity };
  await scene.get('block/rfqs/trade', { ...accept, price: quoted.price });
  const own = async (key?: typeof STRANGER) => {
    const page = await scene.get('private/get_user_trades_by_currency', { currency: 'BTC' }, key);
    const byStrike = (a: Fields, b: Fields) => (a.instrumentName < b.instrumentName ? -1 : 1);
    return page.trades.sort(byStrike);
  };
  const { trades: blocks } = await scene.get('block/rfqs/get_trades', { currency: 'BTC' });
  const id = blocks[0].blockTradeId;
  return {
    id,
    rfq: { ...rfq, makers: asked },
    quote: quoted,
    mine: await own(),
    theirs: await own(STRANGER),
  };
}

type Case = () => Promise<readonly [told: unknown, expected: unknown]>;

const told =
  (of: () => Promise<Fields>, field: string, expected: unknown): Case =>
  async () => [(await of())[field], expected];

/** 0.05 % of 1000 USD at 100500: 0.000004975124… */
const FEE = '0.00000498';
/** 1000 · (1/100500 − 1/101000) = 0.0000492586…, to eight decimals. */
const PROFIT = '0.00004926';

const CASES: Readonly<Record<string, Case>> = {
  tradeId: async () => {
    const [one, other] = [await taken(), await taken()];
    return [
      [one.tradeId, other.tradeId],
      ['1', '2'],
    ];
  },
  tradeSeq: async () => [
    [(await taken()).tradeSeq, (await optionTrade()).tradeSeq, (await taken()).tradeSeq],
    [1, 1, 2],
  ],
  timestamp: async () => {
    await scene.pass(3_000);
    return [(await taken()).timestamp, scene.clock.now()];
  },
  tickDirection: async () => {
    const directions: number[] = [];
    for (const at of ['100500', '100500', '100400', '100400', '100600']) {
      directions.push((await taken({}, at)).tickDirection);
    }
    return [directions.slice(1), [1, 2, 3, 0]];
  },
  state: async () => [
    [(await taken()).state, (await given()).state],
    ['filled', 'open'],
  ],
  orderId: async () => {
    const { order } = await worked('buy', { price: '99000' });
    await scene.other('sell', '10', '99000');
    const page = await scene.get('private/get_user_trades_by_instrument', { instrumentName: BTC });
    return [page.trades[0].orderId, order.orderId];
  },
  orderType: async () => [
    [(await taken()).orderType, (await taken({ type: 'market', price: null })).orderType],
    ['limit', 'market'],
  ],
  instrumentName: told(optionTrade, 'instrumentName', btcCall.name),
  side: async () => [
    [(await given()).side, (await closed()).side],
    ['buy', 'sell'],
  ],
  price: told(taken, 'price', '100500'),
  quantity: told(given, 'quantity', '400'),
  contracts: told(given, 'contracts', '40'),
  liquidity: async () => [
    [(await taken()).liquidity, (await given()).liquidity],
    ['T', 'M'],
  ],
  liquidation: async () => [
    [(await taken()).liquidation, (await scene.liquidated()).trade.liquidation],
    [undefined, 'T'],
  ],
  fee: async () => [
    [(await taken()).fee, (await given()).fee, (await optionTrade()).fee],
    // An option pays 0.0003 of a coin for each, less than an eighth of 0.1.
    [FEE, '0', '0.0006'],
  ],
  feeCurrency: async () => {
    const name = btcUsdcPerpetual.name;
    await scene.other('sell', '0.01', '100500', btcUsdcPerpetual);
    const linear = { instrumentName: name, quantity: '0.01', price: '100500' };
    const { trades } = await worked('buy', linear);
    return [
      [(await taken()).feeCurrency, trades[0].feeCurrency, trades[0].fee],
      // 0.05 % of 1005 USDC.
      ['BTC', 'USDC', '0.5025'],
    ];
  },
  indexPrice: told(taken, 'indexPrice', '100000'),
  markPrice: told(taken, 'markPrice', '100100'),
  iv: async () => {
    const { iv, price } = await optionTrade();
    const terms = { type: 'call', forward: 104_000, strike: 100_000 } as const;
    const years = yearFraction(EXPIRY - scene.clock.now());
    const worth = livePrice({ ...terms, years }, Number(iv) / 100) / 104_000;
    expect(Number(iv)).toBeGreaterThan(1);
    return [worth.toFixed(4), Number(price).toFixed(4)];
  },
  underlyingPrice: told(optionTrade, 'underlyingPrice', '104000'),
  profitLoss: async () => [
    [(await taken()).profitLoss, (await closed()).profitLoss],
    ['0', PROFIT],
  ],
  api: told(taken, 'api', true),
  postOnly: told(() => given({ postOnly: true }), 'postOnly', true),
  reduceOnly: told(closed, 'reduceOnly', true),
  mmp: told(() => given({ mmp: true }), 'mmp', true),
  riskReducing: told(taken, 'riskReducing', false),
  advanced: told(() => optionTrade({ advanced: 'usd', price: '10000' }), 'advanced', 'usd'),
  label: async () => {
    const [named, nameless] = [await taken({ label: 'mine' }), await taken()];
    return [
      [named.label, 'label' in nameless],
      ['mine', false],
    ];
  },
  matchingId: told(taken, 'matchingId', null),
  blockTradeId: async () => {
    const { id, mine, theirs } = await block();
    expect(id).toMatch(/^BLOCK-\d+$/);
    return [[...mine, ...theirs].map((row) => row.blockTradeId), [id, id, id, id]];
  },
  blockRfqId: async () => {
    const { rfq, mine, theirs } = await block();
    const makers = rfq.makers.blockRfqs[0].blockRfqId;
    return [
      [mine[0]?.blockRfqId, theirs[0]?.blockRfqId, makers === rfq.blockRfqId],
      [rfq.blockRfqId, makers, false],
    ];
  },
  blockRfqQuoteId: async () => {
    const { quote, mine, theirs } = await block();
    return [
      [mine[0]?.blockRfqQuoteId, theirs[0]?.blockRfqQuoteId],
      [undefined, quote.quoteId],
    ];
  },
  comboId: async () => {
    const { mine, theirs } = await block();
    const name = 'BTC-CS-25DEC26-100000_110000';
    return [[...mine, ...theirs].map((row) => row.comboId), [name, name, name, name]];
  },
  comboTradeId: async () => {
    const { id, mine, theirs } = await block();
    return [[...mine, ...theirs].map((row) => row.comboTradeId), [id, id, id, id]];
  },
  tradeAllocations: async () => {
    const { mine, theirs } = await block();
    const [row] = mine;
    // 100 coins at 0.0003 each.
    expect(row?.fee).toBe('0.03');
    const shares = [
      { amount: '75', userId: 7, fee: '0.0225' },
      {
        amount: '25',
        fee: '0.0075',
        clientInfo: { clientId: 8, clientLinkId: 9, name: 'Client 8' },
      },
    ];
    return [
      [row?.tradeAllocations, theirs[0]?.tradeAllocations],
      [shares, undefined],
    ];
  },
  legs: async () => {
    const trade = await comboTrade();
    return [
      trade.legs.map(({ instrumentName, side, price }: Fields) => [instrumentName, side, price]),
      [
        [btcCall.name, 'buy', '0.1'],
        [highCall.name, 'sell', '0.07'],
      ],
    ];
  },
};

/** Fields of mass quotes, which do not exist here. */
const NEVER = ['quoteSetId'];

it.each(Object.entries(CASES))('a trade has the field %s', async (_field, run) => {
  const [got, expected] = await run();
  expect(got).toEqual(expected);
});

it('a trade has no undocumented fields', async () => {
  const { mine, theirs } = await block();
  const own = [await closed(), await given(), await optionTrade(), await comboTrade()];
  const all = [...mine, ...theirs, ...own];
  const names = new Set(all.flatMap((trade) => Object.keys(trade)));
  expect([...names].filter((name) => !(name in CASES))).toEqual([]);
  expect(Object.keys(tradeSchema.shape).filter((name) => !(name in CASES))).toEqual([]);
  expect(NEVER.filter((name) => name in CASES)).toEqual([]);
});

it('both sides of a trade share its id and show their own side', async () => {
  const trade = await taken();
  const { trades } = await scene.get(
    'private/get_user_trades_by_instrument',
    { instrumentName: BTC },
    STRANGER,
  );
  expect(trades).toMatchObject([{ tradeId: trade.tradeId, side: 'sell', liquidity: 'M' }]);
});

it('a trade of spot has neither profit nor volatility', async () => {
  await scene.other('sell', '0.01', '100000', btcSpot);
  const order = { instrumentName: btcSpot.name, quantity: '0.01', price: '100000' };
  const [trade] = (await worked('buy', order)).trades;
  expect(trade).toMatchObject({ tradeId: 'BTC_USDC-1', fee: '0' });
  expect(trade).not.toHaveProperty('iv');
});
