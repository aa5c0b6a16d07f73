// The RFQ desk of the adapter at a scripted venue, and records as that venue writes them.

import { OrderReader } from '../../../../src/adapters/deribit/orders/order-reader.ts';
import { OrderSides } from '../../../../src/adapters/deribit/orders/order-sides.ts';
import { DeribitRfqDesk } from '../../../../src/adapters/deribit/rfq/deribit-rfq-desk.ts';
import type { RfqNews } from '../../../../src/ports/block-rfq.ts';
import type { TradingDesk } from '../../../../src/ports/trading-desk.ts';
import { currency, instrumentName } from '../../../../src/values/ids.ts';
import { instant } from '../../../../src/values/instant.ts';
import type { TermsOf } from '../../../../src/values/instrument.ts';
import { option, perpetual } from '../../../support/engine/markets.ts';
import { connectToScript } from '../scripted-sessions.ts';
import type { Script } from '../scripted-venue.ts';

export const NOW = 1_790_000_100_000;
export const CALL = option({ name: instrumentName('BTC-25DEC26-80000-C') });
export const PERPETUAL = perpetual();

/** A taker's RFQ past its first seconds. */
export const rfqJson = (changes: object = {}) => ({
  block_rfq_id: 4711,
  creation_timestamp: NOW - 60_000,
  expiration_timestamp: NOW + 240_000,
  role: 'taker',
  state: 'open',
  amount: 25.0,
  min_trade_amount: 25.0,
  legs: [{ ratio: 1, instrument_name: CALL.name, direction: 'buy' }],
  combo_id: null,
  disclosed: true,
  makers: ['MAKER1'],
  bids: [],
  asks: [],
  ...changes,
});

export const HEDGE = {
  instrument_name: PERPETUAL.name,
  amount: 50_000,
  direction: 'sell',
  price: 77_500.5,
};

export const FILL = { direction: 'buy', price: 0.0553, amount: 25.0, maker: 'MAKER1' };

/** An own trade of a block. */
export const tradeJson = (changes: object = {}) => ({
  trade_id: '310000002',
  trade_seq: 18,
  order_id: '80000000123',
  label: '',
  instrument_name: CALL.name,
  timestamp: NOW - 30_000,
  direction: 'buy',
  state: 'filled',
  price: 0.0553,
  amount: 25.0,
  fee: 0.0075,
  fee_currency: 'BTC',
  liquidity: 'T',
  block_trade_id: 'BLOCK-9',
  block_rfq_id: 4711,
  matching_id: null,
  profit_loss: 0.0,
  ...changes,
});

export const USER_INFO = {
  parent: { identity: 'GROUP', is_maker: true },
  users: [
    { user_id: 55, taker_rating: 98.5, identity: 'OTHER', is_maker: true },
    { user_id: 77, taker_rating: 98.5, identity: 'DESK', is_maker: true },
  ],
};

const DEFAULTS: Script = {
  'private/get_block_rfq_user_info': { result: USER_INFO },
};

interface Changes {
  readonly trades?: TradingDesk['trades'];
  readonly userId?: string;
}

/** The desk, connected to a venue that answers by the script, and what it publishes. */
export async function rfqsBy(script: Script, { trades, userId = '77' }: Changes = {}) {
  const news: RfqNews[] = [];
  const made = Promise.withResolvers<DeribitRfqDesk>();
  const connected = await connectToScript({ ...DEFAULTS, ...script }, (parts) => {
    const termsOf: TermsOf = (name) => [CALL, PERPETUAL].find((one) => one.name === name);
    const rfqs = new DeribitRfqDesk({
      ...parts,
      termsOf,
      reader: new OrderReader(termsOf, new OrderSides()),
      trades: trades ?? (() => Promise.resolve(NO_TRADES)),
      currencies: () => ['BTC', 'USDC'].map(currency),
      userIdOf: () => userId,
      venueNow: () => instant(NOW),
    });
    rfqs.listen((one) => news.push(one));
    made.resolve(rfqs);
    return {
      prepareAccount: (greeting) => rfqs.greet(greeting),
      greetMarket: (request) => rfqs.greetMarket(request),
      receive: (account, channel, data) => rfqs.receive(account, channel, data),
    };
  });
  return { ...connected, rfqs: await made.promise, news };
}

const NO_TRADES = { kind: 'done', value: { trades: [], hasMore: false } } as const;
