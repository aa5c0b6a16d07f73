// The whole adapter at a venue that answers by a script: one account, one perpetual, and what a login needs.
import type { DeribitVenue } from '../../../../src/adapters/deribit/deribit-venue.ts';
import {
  type DeribitVenueOptions,
  NETWORK,
  openDeribitVenue,
} from '../../../../src/adapters/deribit/open-deribit-venue.ts';
import { SystemClock } from '../../../../src/adapters/system/system-clock.ts';
import type { Cleared } from '../../../../src/ports/cleared.ts';
import type { NewOrder } from '../../../../src/ports/trading-desk.ts';
import { price, quantity } from '../../../../src/values/amounts.ts';
import { accountId, instrumentName, venueName } from '../../../../src/values/ids.ts';
import { rng } from '../../../../src/values/rng.ts';
import { type Script, ScriptedVenue } from '../scripted-venue.ts';

export const ACCOUNT = accountId('7001');
export const PERPETUAL = instrumentName('BTC-PERPETUAL');

export const INSTRUMENT = {
  kind: 'future',
  settlement_currency: 'BTC',
  counter_currency: 'USD',
  base_currency: 'BTC',
  quote_currency: 'USD',
  min_trade_amount: 10.0,
  instrument_name: PERPETUAL,
  is_active: true,
  settlement_period: 'perpetual',
  creation_timestamp: 1534242287000,
  tick_size: 0.5,
  expiration_timestamp: 32503708800000,
  contract_size: 10.0,
  instrument_type: 'reversed',
  price_index: 'btc_usd',
  state: 'open',
  maker_commission: 0.0,
  taker_commission: 0.0005,
};

export const ORDER = {
  order_id: '80000000123',
  order_state: 'open',
  order_type: 'limit',
  label: 'tw1-x-1-0-0-1',
  time_in_force: 'good_til_cancelled',
  instrument_name: PERPETUAL,
  direction: 'buy',
  price: 77500.0,
  amount: 100.0,
  contracts: 10.0,
  filled_amount: 0.0,
  average_price: 0.0,
  post_only: true,
  reject_post_only: true,
  reduce_only: false,
  replaced: false,
  creation_timestamp: 1790000000400,
  last_update_timestamp: 1790000000400,
};

const READY: Script = {
  'public/status': { result: { locked: 'false', locked_indices: [] } },
  'public/get_instruments': ({ params }) => ({
    result: params['expired'] === true ? [] : [INSTRUMENT],
  }),
  'public/get_combos': { result: [] },
  'private/get_account_summary': {
    result: {
      id: 77,
      currency: 'BTC',
      equity: 1.5,
      balance: 1.5,
      available_funds: 1.4,
      limits: {
        limits_per_currency: false,
        non_matching_engine: { burst: 1_500, rate: 1_000 },
        matching_engine: {
          trading: { total: { burst: 250, rate: 200 } },
          cancel_all: { burst: 250, rate: 200 },
        },
      },
    },
  },
  'private/get_cancel_on_disconnect': { result: { scope: 'connection', enabled: false } },
  'private/enable_cancel_on_disconnect': { result: 'ok' },
  'private/get_open_orders': { result: [] },
  'private/get_block_rfq_user_info': { result: { users: [] } },
  'private/buy': { result: { order: ORDER, trades: [] } },
};

export interface ScriptedDeribit {
  readonly scripted: ScriptedVenue;
  readonly venue: DeribitVenue;
  readonly faults: unknown[];
  close(): Promise<void>;
}

/** An answer may take as long as a busy machine needs. */
const RULES = {
  timeoutMs: 30_000,
  probeMs: 30_000,
  heartbeatSec: 30,
  backoff: { minMs: 20, maxMs: 100, heldMs: 1_000 },
};
/** Where silence has to be noticed. */
export const IMPATIENT = { ...RULES, timeoutMs: 1_000 };

/** The adapter, ready or not. */
export async function openScripted(
  script: Script = {},
  options: Partial<DeribitVenueOptions> = {},
): Promise<ScriptedDeribit> {
  const scripted = await ScriptedVenue.open({ ...READY, ...script });
  const faults: unknown[] = [];
  const venue = await openDeribitVenue({
    name: venueName('scripted'),
    line: NETWORK,
    url: scripted.url,
    clock: new SystemClock({ unref: true }),
    expected: 'any',
    allowsLive: false,
    rng: rng('scripted'),
    skewMaxMs: 10_000,
    accounts: [
      { account: ACCOUNT, key: { kind: 'deribit', clientId: 'desk', clientSecret: 'its secret' } },
    ],
    rules: RULES,
    firstWaitMs: 1,
    onFault: (error) => faults.push(error),
    ...options,
  });
  const close = async (): Promise<void> => {
    await venue.close();
    await scripted.close();
  };
  return { scripted, venue, faults, close };
}

export const anOrder = (changes: Partial<NewOrder> = {}): Cleared<NewOrder> =>
  ({
    account: ACCOUNT,
    instrument: PERPETUAL,
    side: 'buy',
    type: 'limit',
    quantity: quantity('100'),
    price: price('77500.5'),
    label: 'tw1-x-1-0-0-1',
    timeInForce: 'good_til_cancelled',
    postOnly: true,
    rejectPostOnly: true,
    reduceOnly: false,
    mmp: false,
    ...changes,
  }) as Cleared<NewOrder>;
