// The operations of a recorded market: a row of its book, a trade of its tape, and a gap. Recorded orders
// never trade with each other here, because the rows already contain the result; they trade only with users,
// who were absent from the recording.
import { opposite, type Side } from '../../values/instrument.ts';
import { bookFill } from '../accounting/booking.ts';
import { feedTriggersWithTrade } from '../accounting/trigger-feed.ts';
import { fillMaker } from '../book/matching.ts';
import type { PriceLevel, Resting } from '../book/price-level.ts';
import type {
  CountReply,
  DoneReply,
  QuoteLevel,
  ReplayTradeCommand,
  ShowBookCommand,
  WithdrawBookCommand,
} from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { LiveOrder } from '../model/live-order.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import { type ShownBook, shownBook } from '../model/shown-book.ts';

export function showBook(state: ExchangeState, command: ShowBookCommand): CountReply {
  const { bids, asks, renewsSizes, queue = 'arrival' } = command;
  const found = stage(state, command);
  if ('code' in found) return found;
  const { shown } = found;
  let traded = 0;
  const cross = (side: Side, level: QuoteLevel): number => {
    const lots = meetUsers(state, found, { side, lots: level.lots, limitTicks: level.priceTicks });
    traded += lots;
    return lots;
  };
  shown.buy.absorb();
  shown.sell.absorb();
  shown.buy.show(bids, { renewsSizes, queue, cross });
  shown.sell.show(asks, { renewsSizes, queue, cross });
  return { kind: 'count', count: traded };
}

export function replayTrade(state: ExchangeState, command: ReplayTradeCommand): CountReply {
  const found = stage(state, command);
  if ('code' in found) return found;
  const { side, priceTicks } = command;
  const { listing, shown } = found;
  shown.buy.absorb();
  shown.sell.absorb();
  // Orders at a better price than the recorded trade were not in the recording: only users' orders.
  const better = side === 'buy' ? priceTicks - 1 : priceTicks + 1;
  const first = { side, lots: command.lots, limitTicks: better };
  const got = meetUsers(state, found, first);
  const left = command.lots - got;
  const queue = left === 0 ? undefined : levelAt(listing, opposite(side), priceTicks);
  const inQueue = queue === undefined ? 0 : meetQueue(state, found, { side, lots: left, queue });
  const rest = left - inQueue;
  if (rest > 0) {
    listing.print({ ticks: priceTicks, lots: rest, side, at: state.now });
    feedTriggersWithTrade(state, listing, priceTicks);
  }
  return { kind: 'count', count: got + inQueue };
}

export function withdrawBook(
  state: ExchangeState,
  { instrument }: Pick<WithdrawBookCommand, 'instrument'>,
): DoneReply {
  const shown = state.shown.get(instrument);
  shown?.buy.withdraw();
  shown?.sell.withdraw();
  return { kind: 'done' };
}

interface Stage {
  readonly listing: Listing;
  readonly shown: ShownBook;
}

function stage(
  state: ExchangeState,
  command: ShowBookCommand | ReplayTradeCommand,
): Stage | Refusal {
  const { account, instrument } = command;
  if (state.accounts.has(account))
    return refusal.invalidParam('account', 'is a user account; accepted: a bot');
  const listing = state.listings.get(instrument);
  if (listing === undefined) return refusal.invalidParam('instrument_name', 'instrument not found');
  if (listing.isExpired(state.now)) return refusal.bookClosed();
  let shown = state.shown.get(instrument);
  if (shown === undefined) {
    shown = shownBook(state.bot(account), listing.book);
    state.shown.set(instrument, shown);
  }
  return { listing, shown };
}

interface Meeting {
  readonly side: Side;
  readonly lots: number;
  readonly limitTicks: number;
}

/** Trades with users' orders at the limit or better, ignoring other entries; returns the lots. */
function meetUsers(state: ExchangeState, on: Stage, { side, lots, limitTicks }: Meeting): number {
  if (!on.listing.book.wouldTrade(side, limitTicks)) return 0;
  const against = on.listing.book.against(side);
  const met: LiveOrder[] = [];
  for (const level of against.levels()) {
    if (!against.isWithin(level.ticks, limitTicks)) break;
    for (let entry = level.head; entry !== undefined; entry = entry.next) {
      if (entry instanceof LiveOrder) met.push(entry);
    }
  }
  let left = lots;
  for (const order of met) {
    if (left === 0) break;
    // An earlier fill may have cancelled or reduced a reduce-only order of the same account.
    if (order.level !== undefined) left -= fill(state, on, { order, side, lots: left });
  }
  return lots - left;
}

/** Processes one queue from its front; recorded quantity goes to the end of it. */
function meetQueue(
  state: ExchangeState,
  on: Stage,
  { side, lots, queue }: { readonly side: Side; readonly lots: number; readonly queue: PriceLevel },
): number {
  const { ticks } = queue;
  const entries: Resting[] = [];
  let hasUser = false;
  for (let entry = queue.head; entry !== undefined; entry = entry.next) {
    entries.push(entry);
    hasUser ||= entry instanceof LiveOrder;
  }
  if (!hasUser) return 0;
  const { book } = on.listing;
  let left = lots;
  let passed = 0;
  for (const entry of entries) {
    if (left === 0) break;
    if (entry.level === undefined) continue;
    if (entry instanceof LiveOrder) {
      left -= fill(state, on, { order: entry, side, lots: left });
      continue;
    }
    const part = Math.min(left, entry.lots);
    book.reduce(entry, opposite(side), part);
    left -= part;
    passed += part;
  }
  on.shown[opposite(side)].moveBehind(ticks, passed);
  return lots - left - passed;
}

function fill(
  state: ExchangeState,
  { listing, shown }: Stage,
  { order, side, lots }: { readonly order: LiveOrder; readonly side: Side; readonly lots: number },
): number {
  const takerSide = side;
  const taker = { bot: shown.bot };
  return fillMaker(listing.book.against(side), order, lots, (_maker, traded, ticks, part) => {
    bookFill(state, { listing, maker: { order }, taker, takerSide, lots: traded, ticks, part });
  });
}

function levelAt({ book }: Listing, side: Side, ticks: number): PriceLevel | undefined {
  for (const level of book.own(side).levels()) if (level.ticks === ticks) return level;
  return undefined;
}
