// The paper exchange: one entry point for commands, and reads. Pure and synchronous; the same commands in the
// same order give the same answers, events and state on every machine.

import type { Money } from '../values/amounts.ts';
import { assert } from '../values/assert.ts';
import type { AccountId, Currency } from '../values/ids.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../values/instant.ts';
import type { Instrument } from '../values/instrument.ts';
import { sampleFunding } from './accounting/funding-payments.ts';
import { enforceReserves } from './accounting/reserves.ts';
import { feedTriggersWithReference } from './accounting/trigger-feed.ts';
import { createCombo, createdCombo } from './combos/create-combo.ts';
import type {
  AnswerOf,
  AnswersByKind,
  CommandsByKind,
  DoneReply,
  ExchangeCommand,
  HoldMarginsCommand,
  ListInstrumentCommand,
  SetBookStateCommand,
  SetReferenceCommand,
} from './exchange-command.ts';
import type { AccountEvent, ExchangeEvent } from './exchange-event.ts';
import { ExchangeState } from './exchange-state.ts';
import { afterMatch } from './execution/after-match.ts';
import { cancelAll, cancelByLabel, cancelOne } from './execution/cancellation.ts';
import { edit, editByLabel } from './execution/edit.ts';
import { makeQuotes, take } from './execution/quoting.ts';
import { releaseOrders } from './execution/release-orders.ts';
import { replayTrade, showBook, withdrawBook } from './execution/replaying.ts';
import { repriceAdvanced } from './execution/repricing.ts';
import { settledAnswer } from './execution/settled-answer.ts';
import { place } from './execution/submit-order.ts';
import { applyCommand, applyUnmarked } from './journal/command-events.ts';
import type { ExchangeSnapshot, JournalRecord } from './journal/plain.ts';
import { fromPlain } from './journal/plain.ts';
import { restoreInto, snapshotOf } from './journal/snapshot.ts';
import { snapshotPieces } from './journal/snapshot-pieces.ts';
import { refuseLocked } from './liquidation/refuse-locked.ts';
import { watchMargins } from './liquidation/watch-margins.ts';
import { Account, type SelfTradeRule } from './model/account.ts';
import type { ExchangeRules } from './model/exchange-rules.ts';
import * as refusal from './model/refusal.ts';
import type { ReleasedOrder } from './model/speed-bumps.ts';
import { ExchangeReads } from './queries/exchange-reads.ts';
import { handleRfq } from './rfq/actions/handle-rfq.ts';
import { endPause, settleDaily } from './session/daily-settlement.ts';
import { expire } from './session/expiry-settlement.ts';

export interface Retention {
  /** How long closed orders and their labels are kept. */
  readonly ordersMs: number;
  readonly tradesMs: number;
  /** Bounds on memory: beyond these the oldest are dropped early. Trades count per account. */
  readonly ordersMax: number;
  readonly tradesMax: number;
}

const DEFAULT_RETENTION: Retention = {
  ordersMs: 30 * MINUTE_MS,
  tradesMs: DAY_MS,
  ordersMax: 1_000_000,
  tradesMax: 1_000_000,
};

/** Choices of ours: the venue has such limits but does not publish them. */
const WAITING_MAX = 200;
const COMBOS_MAX = 200;
const OTHER_REJECT = 11030;

export interface ExchangeOptions extends ExchangeRules {
  readonly instruments: readonly Instrument[];
  readonly accounts: readonly {
    readonly account: AccountId;
    readonly balances: ReadonlyMap<Currency, Money>;
    /** Default: the mode of the exchange. */
    readonly selfTrade?: SelfTradeRule | undefined;
    /** The main account that it belongs to. Absent: it has no other account alongside it. */
    readonly main?: AccountId | undefined;
    /** The account's name as a maker in Block RFQs. Absent: it cannot quote. */
    readonly makerAlias?: string | undefined;
  }[];
  readonly retention?: Partial<Retention> | undefined;
}

export class Exchange extends ExchangeReads {
  readonly #state: ExchangeState;
  #hasTraded = false;

  constructor(options: ExchangeOptions) {
    const state = freshState(options);
    super(state);
    this.#state = state;
  }

  /**
   * Rebuilds the users' side; the books contain nothing else. Accounts and instruments of `options` that are
   * not in the snapshot start as in a new exchange.
   */
  static restore(snapshot: ExchangeSnapshot, options: ExchangeOptions): Exchange {
    const exchange = new Exchange(options);
    exchange.load(snapshot);
    return exchange;
  }

  /** Call only before anything else. */
  load(snapshot: ExchangeSnapshot): void {
    restoreInto(this.#state, snapshot);
  }

  /**
   * Applies the records of whole commands. Call only before the first command, in the order of writing. Applying a record
   * twice is harmless. Throws `HalfCommand` if a trade comes without its order.
   */
  applyJournal(records: readonly JournalRecord[]): void {
    assert(!this.#hasTraded, 'a journal is applied before the first command');
    applyCommand(this.#state, events(records));
  }

  /** The same for records of a version that did not mark where a command ends: a half command at the end is left out. */
  applyUnmarkedJournal(records: readonly JournalRecord[]): void {
    assert(!this.#hasTraded, 'a journal is applied before the first command');
    applyUnmarked(this.#state, events(records));
  }

  /** The answer is typed by the command's kind. */
  handle<C extends ExchangeCommand>(command: C): AnswerOf<C> {
    const state = this.#state;
    assert(command.now >= state.now, 'time does not go backwards');
    this.#hasTraded = true;
    state.now = command.now;
    endPause(state);
    state.orders.forget(state.now);
    state.trades.forget(state.now);
    state.settlements.forget(state.now);
    releaseOrders(state);
    // The table is typed by kind; the compiler cannot infer that a command of type C has the kind of C.
    const answer =
      (refuseLocked(state, command) as AnswerOf<C> | undefined) ??
      (PERFORM[command.kind] as unknown as Perform<C>)(state, command);
    const mark = state.outbox.mark();
    afterMatch(state);
    enforceReserves(state);
    afterMatch(state);
    const settled = settledAnswer(state, answer, mark) as AnswerOf<C>;
    state.outbox.flush(state.now);
    return settled;
  }

  /** Returns the events since the last call. */
  drainEvents(): ExchangeEvent[] {
    return this.#state.outbox.drain();
  }

  /** Returns the orders released from their speed bump since the last call. */
  drainReleased(): readonly ReleasedOrder[] {
    return this.#state.bumps.drain();
  }

  snapshot(): ExchangeSnapshot {
    return snapshotOf(this.#state);
  }

  /** The JSON of `snapshot()` as of now, to be written piece by piece while the exchange continues. */
  snapshotPieces(): Iterable<string> {
    return snapshotPieces(this.#state);
  }
}

const events = (records: readonly JournalRecord[]): AccountEvent[] =>
  records.map((record) => fromPlain<AccountEvent>(record));

function freshState(options: ExchangeOptions): ExchangeState {
  const state = new ExchangeState({
    ...DEFAULT_RETENTION,
    ...options.retention,
    marketOrdersOnOptions: options.marketOrdersOnOptions ?? false,
    triggerAlreadyMet: options.triggerAlreadyMet ?? 'refuse',
    triggersMax: options.triggersMax ?? WAITING_MAX,
    dormantLinksMax: options.dormantLinksMax ?? WAITING_MAX,
    clampInverseOptions: options.clampInverseOptions ?? false,
    advancedIntervalMs: options.advancedIntervalMs ?? SECOND_MS,
    combosMax: options.combosMax ?? COMBOS_MAX,
    speedBumpMs: options.speedBumpMs ?? 0,
    speedBumpEditCode: options.speedBumpEditCode ?? OTHER_REJECT,
  });
  for (const instrument of options.instruments) state.list(instrument);
  for (const { account, balances, makerAlias, selfTrade = options.selfTrade } of options.accounts) {
    state.open(new Account(account, balances, selfTrade));
    if (makerAlias !== undefined) state.rfqs.makers.set(account, makerAlias);
  }
  joinFamilies(state, options);
  return state;
}

function joinFamilies(state: ExchangeState, { accounts }: ExchangeOptions): void {
  const families = new Map<AccountId, Account[]>();
  for (const { account, main } of accounts) {
    const known = state.accounts.get(account);
    if (main === undefined || known === undefined) continue;
    families.set(main, [...(families.get(main) ?? []), known]);
  }
  for (const family of families.values()) for (const one of family) one.belongTo(family);
}

type Perform<C extends ExchangeCommand> = (state: ExchangeState, command: C) => AnswerOf<C>;

const PERFORM: {
  readonly [K in keyof CommandsByKind]: (
    state: ExchangeState,
    command: CommandsByKind[K],
  ) => AnswersByKind[K];
} = {
  place,
  edit,
  edit_by_label: editByLabel,
  cancel: cancelOne,
  cancel_by_label: cancelByLabel,
  cancel_all: cancelAll,
  make_quotes: makeQuotes,
  take,
  show_book: showBook,
  replay_trade: replayTrade,
  withdraw_book: withdrawBook,
  set_reference: setReference,
  list_instrument: listInstrument,
  set_book_state: setBookState,
  hold_margins: holdMargins,
  expire_instrument: expire,
  settle_day: settleDaily,
  // What is due is released with every command, before it.
  release_orders: () => ({ kind: 'done' }),
  create_combo: createCombo,
  create_rfq: handleRfq,
  cancel_rfq: handleRfq,
  cancel_rfq_trigger: handleRfq,
  accept_rfq: handleRfq,
  quote_rfq: handleRfq,
  edit_rfq_quote: handleRfq,
  cancel_rfq_quote: handleRfq,
  cancel_rfq_quotes: handleRfq,
  advance_rfqs: handleRfq,
  seat_rfq_makers: handleRfq,
};

const unknownInstrument = () => refusal.invalidParam('instrument_name', 'instrument not found');

function setReference(state: ExchangeState, command: SetReferenceCommand): DoneReply {
  const listing = state.listings.get(command.instrument);
  if (listing === undefined) return unknownInstrument();
  const { now: at, index, mark, underlying, markIv, greeks, minPrice, maxPrice } = command;
  const { currentFunding, fundingRate8h } = command;
  const before = listing.reference?.at;
  // Field by field: references are repeated for hundreds of books each second.
  listing.reference = {
    at,
    index,
    mark,
    underlying,
    markIv,
    greeks,
    currentFunding,
    fundingRate8h,
    minPrice,
    maxPrice,
  };
  feedTriggersWithReference(state, listing);
  sampleFunding(state, listing);
  repriceAdvanced(state, listing, before);
  watchMargins(state, listing, before);
  return { kind: 'done' };
}

function listInstrument(state: ExchangeState, command: ListInstrumentCommand): DoneReply {
  const { instrument, now: at } = command;
  if (state.listings.has(instrument.name)) return { kind: 'done' };
  if (instrument.legs === undefined) {
    state.list(instrument);
    state.outbox.emit({ kind: 'instrument_listed', at, instrument });
  } else createdCombo(state, instrument);
  return { kind: 'done' };
}

function setBookState(state: ExchangeState, command: SetBookStateCommand): DoneReply {
  const listing = state.listings.get(command.instrument);
  if (listing === undefined) return unknownInstrument();
  if (listing.state === 'closed') return refusal.bookClosed();
  listing.state = command.state;
  return { kind: 'done' };
}

function holdMargins(state: ExchangeState, { account: id, holds }: HoldMarginsCommand): DoneReply {
  const account = state.accounts.get(id);
  if (account === undefined) return refusal.unauthorized();
  const found = holds.map(({ instrument, maxQuoteQuantity }) => {
    const listing = state.listings.get(instrument);
    return listing && { listing, maxQuoteQuantity };
  });
  if (!found.every((hold) => hold !== undefined)) return unknownInstrument();
  account.marginHolds = found;
  return { kind: 'done' };
}
