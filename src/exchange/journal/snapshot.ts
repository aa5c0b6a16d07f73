// The users' side as plain JSON. Bots and their quotes are not included: the market source restores them.
import { instrumentName } from '../../values/ids.ts';
import { type Instant, instant } from '../../values/instant.ts';
import { holdsPosition } from '../../values/instrument.ts';
import { enterCombo } from '../combos/combo-record.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { Account } from '../model/account.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { type LiveOrder, viewOf } from '../model/live-order.ts';
import { restoreRfqs, rfqContent } from '../rfq/rfq-plain.ts';
import {
  type Counters,
  type ExchangeSnapshot,
  fromPlain,
  type SettledListing,
  type SnapshotContent,
  toPlain,
} from './plain.ts';
import {
  applyBalance,
  applyLiquidation,
  applyOrder,
  applyPause,
  applyPosition,
  applyTrade,
} from './rebuild.ts';

export const snapshotOf = (state: ExchangeState): ExchangeSnapshot => ({
  version: 1,
  ...toPlain(contentOf(state)),
});

const contentOf = (state: ExchangeState): SnapshotContent => ({
  ...contentBesideOrders(state),
  openOrders: openOrdersOf(state).map((order) => viewOf(order)),
  closedOrders: [...state.orders.closed()].map((order) => viewOf(order)),
});

/** Resting and untriggered orders, ascending by rank. */
export function openOrdersOf(state: ExchangeState): LiveOrder[] {
  const open: LiveOrder[] = [];
  for (const account of state.accounts.values()) {
    for (const { openOrders, dormantOrders } of account.exposures()) {
      for (const order of openOrders) open.push(order);
      for (const order of dormantOrders) open.push(order);
    }
  }
  return open.sort((a, b) => a.rank - b.rank);
}

/** Later commands do not change the result. */
export function contentBesideOrders(
  state: ExchangeState,
): Omit<SnapshotContent, 'openOrders' | 'closedOrders'> {
  const accounts = [...state.accounts.values()];
  const exposures = accounts.flatMap((account) => [...account.exposures()]);
  const listings = [...state.listings.values()];
  return {
    at: state.now,
    instruments: listings.map(({ instrument }) => instrument),
    closedBooks: listings.flatMap(({ instrument, closedAt }) =>
      closedAt === undefined ? [] : [[instrument.name, closedAt] as const],
    ),
    trades: [...state.trades.all()],
    settlements: [...state.settlements.all()],
    positions: exposures
      .filter(({ listing }) => holdsPosition(listing.instrument))
      .map((e) => e.view()),
    balances: accounts.flatMap((account) => account.views()),
    ...(accounts.some(({ liquidating }) => liquidating.size > 0) && {
      liquidations: accounts.flatMap(({ id, liquidating }) =>
        [...liquidating].map((currency) => ({ account: id, currency })),
      ),
    }),
    references: listings.flatMap(({ instrument, reference }) =>
      reference === undefined ? [] : [{ instrument: instrument.name, reference }],
    ),
    counters: countersOf(state),
    settled: listings.flatMap(settledOf),
    pausedUntil: state.pausedUntil,
    ...(!state.combos.isEmpty && { combos: [...state.combos.all()] }),
    blockRfqs: rfqContent(state.rfqs),
  };
}

function settledOf(listing: Listing): SettledListing[] {
  const { instrument, settlementPrice, deliveryPrice, funding } = listing;
  const isUntouched = [settlementPrice, deliveryPrice, funding].every((one) => one === undefined);
  return isUntouched
    ? []
    : [{ instrument: instrument.name, settlementPrice, deliveryPrice, funding }];
}

const countersOf = (state: ExchangeState): Counters => ({
  orders: state.orderIds.entries(),
  trades: state.tradeIds.entries(),
  tradeSeqs: [...state.listings.values()]
    .filter(({ tradeSeq }) => tradeSeq > 0)
    .map(({ instrument, tradeSeq }) => [instrument.name, tradeSeq] as const),
  rank: state.lastRank,
});

/** Fills a fresh state that has the accounts with the contents of the snapshot. */
export function restoreInto(state: ExchangeState, snapshot: ExchangeSnapshot): void {
  const content = fromPlain<SnapshotContent>(snapshot);
  state.now = instant(content.at);
  for (const instrument of content.instruments) state.list(instrument);
  for (const combo of content.combos ?? []) enterCombo(state, combo);
  for (const { instrument, reference } of content.references) {
    const listing = state.listings.get(instrumentName(instrument));
    if (listing !== undefined) listing.reference = reference;
  }
  for (const { account } of content.balances) {
    if (!state.accounts.has(account)) state.open(new Account(account, new Map()));
  }
  for (const balance of content.balances) applyBalance(state, balance);
  for (const of of content.liquidations ?? []) applyLiquidation(state, { ...of, isActive: true });
  for (const position of content.positions) applyPosition(state, position);
  for (const order of content.closedOrders) applyOrder(state, order);
  for (const order of content.openOrders) applyOrder(state, order);
  for (const trade of content.trades) applyTrade(state, trade);
  for (const settled of content.settlements ?? []) state.settlements.add(settled);
  for (const [name, at] of content.closedBooks) closeBook(state, name, at);
  for (const settled of content.settled ?? []) {
    const listing = state.listings.get(instrumentName(settled.instrument));
    if (listing === undefined) continue;
    listing.settlementPrice = settled.settlementPrice;
    listing.deliveryPrice = settled.deliveryPrice;
    listing.funding = settled.funding;
  }
  if (content.pausedUntil !== undefined) applyPause(state, content.pausedUntil);
  restoreRfqs(state.rfqs, content.blockRfqs);
  const { counters } = content;
  state.orderIds.resume(counters.orders);
  state.tradeIds.resume(counters.trades);
  for (const [name, last] of counters.tradeSeqs) {
    const listing = state.listings.get(instrumentName(name));
    if (listing !== undefined) listing.tradeSeq = last;
  }
  state.lastRank = counters.rank;
}

function closeBook(state: ExchangeState, name: string, at: Instant): void {
  const listing = state.listings.get(instrumentName(name));
  if (listing === undefined) return;
  listing.state = 'closed';
  listing.closedAt = at;
}
