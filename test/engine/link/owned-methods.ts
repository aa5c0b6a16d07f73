// Every method of the portfolio operations and of the order methods, as a caller calls it, and two daemons whose operations
// record what is called: the one that is asked, and the one that owns the account.

import { shardOf } from '../../../src/core/ownership/shards.ts';
import { methodApi } from '../../../src/engine/api/method-api.ts';
import type { MmpOperations } from '../../../src/engine/interface/mmp-operations.ts';
import type { Operations } from '../../../src/engine/interface/operations.ts';
import { answerCalls } from '../../../src/engine/link/answer-calls.ts';
import { OwnerCalls } from '../../../src/engine/link/owner-calls.ts';
import { OwnerDispatch } from '../../../src/engine/link/owner-dispatch.ts';
import type {
  OpenVenue,
  OrderOperations,
} from '../../../src/engine/order-entry/order-operations.ts';
import type { RfqDesk } from '../../../src/ports/block-rfq.ts';
import type { ComboDesk } from '../../../src/ports/combo-desk.ts';
import { type Observation, observing } from '../../../src/ports/observer.ts';
import type { MarginReads, NewOrder, TradingDesk } from '../../../src/ports/trading-desk.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import {
  accountId,
  currency,
  instrumentName,
  orderId,
  portfolioId,
  venueName,
} from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { lonePeer } from '../../doubles/lone-api.ts';
import { MemoryPeers } from '../../doubles/memory/memory-peers.ts';
import { BY, form } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';

export const ACCOUNT = accountId('10001');
const P = portfolioId('77');
export const UNSTORED = portfolioId('78');
export const THERE = 'ws://there';
export const VENUE = venueName('paper');
const PERP = instrumentName('BTC-PERPETUAL');

interface Made {
  readonly method: string;
  readonly args: readonly unknown[];
}

type Answer = (made: Made) => unknown;

/** Combos are answered with their instrument. */
const answerOf = (method: string) => ({ method, at: price('0.1'), instrument: { name: PERP } });

/** The operations of one daemon: they record what is called and answer as a test says. */
class Script {
  readonly made: Made[] = [];
  /** Mistakes of the program that it has met. */
  readonly mistakes: unknown[] = [];
  readonly onFault = (error: unknown): void => void this.mistakes.push(error);
  answer: Answer = ({ method }) =>
    Promise.resolve({ kind: 'done', value: { ...answerOf(method), empty: undefined } });
  readonly operations = this.#group<Operations>('portfolios');
  readonly venue = {
    name: VENUE,
    market: { ...this.#group<OpenVenue['market']>('market'), listed: () => [] },
    rfqs: this.#group<RfqDesk>('rfqs'),
    subscribe: () => () => undefined,
  } as OpenVenue;
  readonly orders: OrderOperations = {
    ...this.#group<OrderOperations>('all'),
    accounts: () => [],
    venues: () => [this.venue],
    forAccount: (account) => (account === ACCOUNT ? this.#group<TradingDesk>('orders') : undefined),
    rfqsFor: (account) => (account === ACCOUNT ? this.#group<RfqDesk>('rfqs') : undefined),
    combosFor: (account) => (account === ACCOUNT ? this.#group<ComboDesk>('combos') : undefined),
    marginsFor: (account) =>
      account === ACCOUNT ? this.#group<MarginReads>('margins') : undefined,
    mmp: this.#group<MmpOperations>('mmp'),
  };

  get methods(): readonly string[] {
    return this.made.map(({ method }) => method);
  }

  #group<T extends object>(group: string): T {
    const get = (_: unknown, name: string | symbol) => {
      return (...args: readonly unknown[]): unknown => {
        const made = { method: `${group}.${String(name)}`, args };
        this.made.push(made);
        return this.answer(made);
      };
    };
    return new Proxy({}, { get }) as T;
  }
}

type Failure = Observation<'failed'>;

export function stage() {
  const [here, there] = [new Script(), new Script()];
  const peers = new MemoryPeers();
  peers.add(THERE, answerCalls({ ...there, ...lonePeer() }));
  const failures: Failure[] = [];
  /** Of the account's shard. */
  const owner: { is: 'here' | 'there' | 'nobody' } = { is: 'there' };
  const calls = new OwnerCalls({
    ownership: {
      owns: (shard) => owner.is === 'here' && shard === shardOf(ACCOUNT),
      addressOf: (shard) =>
        owner.is === 'there' && shard === shardOf(ACCOUNT) ? THERE : undefined,
      peers: () => [THERE],
    },
    peers,
    observer: observing({ failed: (failure) => failures.push(failure) }),
  });
  const ledger = {
    shardOf: (portfolio: string) => Promise.resolve(portfolio === P ? shardOf(ACCOUNT) : undefined),
  };
  const dispatch = new OwnerDispatch({ calls, ledger });
  const operations = dispatch.over('portfolios', here.operations);
  const clock = new VirtualClock(NOON);
  const methods = methodApi({ orders: here.orders, dispatch, clock, notReady: () => [] });
  return { here, there, peers, failures, owner, operations, methods };
}

export type Stage = ReturnType<typeof stage>;

/** One method as a caller calls it: what it calls, with which arguments. */
export interface Method {
  readonly method: string;
  readonly args: readonly unknown[];
}

export const ORDER: NewOrder = {
  account: ACCOUNT,
  instrument: PERP,
  side: 'buy',
  type: 'limit',
  timeInForce: 'good_til_day',
  postOnly: true,
  rejectPostOnly: false,
  reduceOnly: false,
  label: 'mine',
  mmp: false,
  quantity: quantity('10.5'),
  price: price('99000.5'),
  validUntil: instant(1_800_000_000_000),
};
export const OF = { account: ACCOUNT, of: { orderId: orderId('7'), instrument: PERP } };
const RFQ = { account: ACCOUNT, rfqId: '5', quantity: quantity('25'), side: 'buy' } as const;

export const TRADES: readonly Method[] = [
  { method: 'orders.place', args: [ORDER] },
  { method: 'orders.edit', args: [{ ...OF, price: price('1.5') }] },
  {
    method: 'rfqs.create',
    args: [{ account: ACCOUNT, legs: [], makers: [], disclosed: true, allocations: [] }],
  },
  { method: 'rfqs.accept', args: [{ ...RFQ, price: price('2'), timeInForce: 'fill_or_kill' }] },
  { method: 'rfqs.quote', args: [{ ...RFQ, legs: [], executionInstruction: 'all_or_none' }] },
  { method: 'rfqs.editQuote', args: [{ account: ACCOUNT, of: { quoteId: '4' }, legs: [] }] },
];
export const CANCELS: readonly Method[] = [
  { method: 'orders.cancel', args: [OF] },
  { method: 'orders.cancelAll', args: [{ account: ACCOUNT, instrument: PERP }] },
  { method: 'rfqs.cancelRfq', args: [{ account: ACCOUNT, rfqId: '5' }] },
  { method: 'rfqs.cancelTrigger', args: [{ account: ACCOUNT, rfqId: '5', side: 'buy' }] },
  { method: 'rfqs.cancelQuote', args: [{ account: ACCOUNT, of: { quoteId: '4' } }] },
  { method: 'rfqs.cancelQuotes', args: [{ account: ACCOUNT }] },
];
const GROUP = { account: ACCOUNT, kind: 'order', index: 'btc_usd', group: '' } as const;
/** What trades nothing, and is not done twice. */
export const SETTINGS: readonly Method[] = [
  { method: 'mmp.configure', args: [ACCOUNT, { ...GROUP, by: '7' }] },
  { method: 'mmp.reset', args: [{ ...GROUP, by: '7' }] },
  { method: 'combos.create', args: [{ account: ACCOUNT, trades: [] }] },
];
export const SUBMIT = { method: 'portfolios.submit', args: [form({ accountId: ACCOUNT }), BY] };
export const REPEATABLE: readonly Method[] = [
  { ...SUBMIT, args: [...SUBMIT.args, 'key'] },
  { method: 'portfolios.cancel', args: [P, BY] },
  { method: 'portfolios.cancel', args: [P, BY, ACCOUNT] },
  { method: 'portfolios.cancelAll', args: [{ account: ACCOUNT, uids: ['7'] }, BY] },
  { method: 'portfolios.pause', args: [P, BY] },
  { method: 'portfolios.pause', args: [P, BY, ACCOUNT] },
  { method: 'portfolios.resume', args: [P, BY] },
  { method: 'portfolios.resume', args: [P, BY, ACCOUNT] },
  {
    method: 'portfolios.amend',
    args: [{ portfolio: P, form: { durationSec: 60, legs: [] }, isPreview: false, by: BY }],
  },
];
export const CHANGES = [...TRADES, ...CANCELS, ...SETTINGS, SUBMIT, ...REPEATABLE];

/** What the ledger or the markets say, which every daemon has. */
export const LOCAL_READS: readonly Method[] = [
  { method: 'portfolios.plan', args: [form({ accountId: ACCOUNT }), BY] },
  { method: 'portfolios.info', args: [P] },
  { method: 'portfolios.page', args: [{ account: ACCOUNT, page: 1, pageSize: 10 }] },
  { method: 'rfqs.aliasOf', args: [ACCOUNT] },
];
export const READS: readonly Method[] = [
  { method: 'orders.order', args: [ACCOUNT, orderId('7')] },
  { method: 'orders.ordersLabelled', args: [{ account: ACCOUNT, label: 'mine' }] },
  { method: 'orders.openOrders', args: [{ account: ACCOUNT }] },
  { method: 'orders.orderHistory', args: [{ account: ACCOUNT, count: 5 }] },
  { method: 'orders.trades', args: [{ account: ACCOUNT, count: 5 }] },
  { method: 'orders.positions', args: [{ account: ACCOUNT }] },
  { method: 'orders.summary', args: [ACCOUNT, currency('BTC')] },
  { method: 'orders.transactions', args: [{ account: ACCOUNT, count: 5 }] },
  { method: 'rfqs.rfqs', args: [{ account: ACCOUNT, count: 5 }] },
  { method: 'rfqs.quotes', args: [{ account: ACCOUNT }] },
  { method: 'rfqs.makers', args: [ACCOUNT] },
  { method: 'rfqs.blockTrades', args: [{ account: ACCOUNT, count: 5 }] },
  { method: 'combos.legPrices', args: [{ account: ACCOUNT, legs: [], price: price('1') }] },
  { method: 'margins.needs', args: [{ account: ACCOUNT, instrument: PERP, price: price('1') }] },
  { method: 'margins.ofOrders', args: [ACCOUNT, [orderId('7')]] },
  { method: 'mmp.configs', args: [{ account: ACCOUNT }] },
  { method: 'mmp.frozen', args: [{ account: ACCOUNT }] },
];

export function request(
  { operations, methods }: Stage,
  { method, args }: Method,
): Promise<unknown> {
  const [group, name] = method.split('.') as [string, string];
  const groups: Readonly<Record<string, object>> = { ...methods, portfolios: operations };
  const target = must(groups[group], group);
  const call = must(Reflect.get(target, name), method) as (...given: unknown[]) => unknown;
  return Promise.resolve(call.apply(target, [...args]));
}

/** What became of a call, without its exceptions. */
export const outcome = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => error);

export const DONE = ({ method }: Method): unknown => ({
  kind: 'done',
  value: answerOf(method),
});
