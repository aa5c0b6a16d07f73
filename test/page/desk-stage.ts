// A gateway over a paper exchange for the screens of the desk: its taker, a maker, and what other programs of theirs do.
import { NOON } from '../adapters/paper/paper-stage.ts';
import { RFQ_ACCOUNTS } from '../adapters/paper/rfq-accounts.ts';
import { READER, STRANGER, TAKER } from '../gateway/gateway-under-test.ts';
import { BTC, type RidAnswer, RidStage } from '../gateway/order-api/rid-stage.ts';

export const MAKER = STRANGER;
/** For so long after it was asked the taker sees no quotes. */
const GRACE_MS = 5_000;
type Key = typeof TAKER | typeof MAKER | typeof READER;

export interface DeskStage {
  readonly stage: RidStage;
  readonly taker: Key;
  readonly reader: Key;
  /** A code for the page; of the taker unless `by` says otherwise. */
  codeOf(purpose: 'open' | 'confirm', by?: Key): Promise<string>;
  /** Of the taker. */
  openOrders(): Promise<readonly { readonly quantity: string; readonly price: string }[]>;
  /** Far below the market. */
  restingPrice(): Promise<string>;
  /** Places an order that rests far below the market. */
  rest(label: string): Promise<unknown>;
  /** Places a buy order of this size at the best bid. */
  bestBid(quantity: string): Promise<unknown>;
  cancelAll(): Promise<unknown>;
  /** On the grid of prices. */
  markPrice(): Promise<string>;
  /** Requests quotes on 200000 of the perpetual. */
  createRfq(): Promise<RidAnswer>;
  /** Quotes on what was asked last. */
  quote(): Promise<unknown>;
}

/** `makerAlias`: of `MAKER`, at the exchange. */
export async function deskStage(makerAlias?: string): Promise<DeskStage> {
  const [of] = MAKER.accounts;
  const renamed = makerAlias !== undefined && { makerAlias };
  const venueAccounts = RFQ_ACCOUNTS.map((one) => ({ ...one, ...(one.account === of && renamed) }));
  const none = undefined;
  const stage = await RidStage.start({}, none, none, none, none, { venueAccounts });
  stage.gateway.nowMs = NOON;
  const ticker = async () =>
    (await stage.post('public/ticker', { instrumentName: BTC }, null)).result;
  const buy = (order: object) =>
    stage.post('private/buy', { instrumentName: BTC, quantity: '100', ...order });
  const markPrice = async (): Promise<string> =>
    String(Math.round(Number((await ticker()).markPrice)));
  return {
    stage,
    taker: TAKER,
    reader: READER,
    markPrice,
    codeOf: async (purpose, by = TAKER) => {
      const target = '/tt/broker/openapi/trading/page-code';
      const { json } = await stage.gateway.request(target, { body: { purpose }, by });
      return json.value.code;
    },
    openOrders: async () => (await stage.post('private/get_open_orders')).result,
    restingPrice: () => stage.restingPrice('buy'),
    rest: async (label) => buy({ price: await stage.restingPrice('buy'), label }),
    bestBid: async (quantity) => buy({ quantity, price: (await ticker()).bestBidPrice }),
    cancelAll: () => stage.post('private/cancel_all', { accountId: TAKER.accounts[0] }),
    createRfq: () =>
      stage.post('block/rfqs/create_rfq', {
        legs: [{ instrumentName: BTC, quantity: '200000', side: 'buy' }],
      }),
    quote: async () => {
      const open = { role: 'maker', status: 'open' };
      const { result } = await stage.post('block/rfqs/get_rfqs', open, MAKER);
      const [{ blockRfqId, legs, quantity }] = result.blockRfqs;
      const price = await markPrice();
      const quoted = await stage.post(
        'block/rfqs/create_quote',
        {
          blockRfqId,
          side: 'sell',
          quantity,
          legs: legs.map((leg: object) => ({ ...leg, price })),
        },
        MAKER,
      );
      stage.jumpAhead(GRACE_MS);
      return quoted;
    },
  };
}
