// Checks one durable event of a portfolio against what was durable before it and
// what the exchange has. The numbers of the invariants are those of docs/invariants.md.
import { isWorking } from '../../../src/core/order/child-order.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import {
  committedOf,
  endAt,
  hasUnsettled,
  legInstrument,
  legSpec,
  remainingOf,
} from '../../../src/core/portfolio/aggregate/positions.ts';
import { orderUsd } from '../../../src/core/risk/order-check.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import {
  equals,
  isMore,
  isZero,
  price,
  type Quantity,
  quantity,
  text,
  toNumber,
} from '../../../src/values/amounts.ts';
import { childLabelOf } from '../../../src/values/ids.ts';
import { DAY_MS } from '../../../src/values/instant.ts';
import { isOnTick, tradable } from '../../../src/values/instrument.ts';
import type { TrueOrder } from '../oracles/exchange.oracle.ts';
import type { OwnBook } from '../own-books/own-book.ts';
import type { ReportBreach } from './breach.ts';
import { checkRfq, liveRfqs, type RfqBook } from './check-rfq.ts';

/** The state of a portfolio before the event that is checked. */
export interface JudgedBook extends RfqBook {
  readonly isOver: boolean;
  /** Durable intents by label. */
  readonly intents: ReadonlyMap<string, Intended>;
  /** The portfolio's orders at the exchange, by label. */
  readonly orders: ReadonlyMap<string, TrueOrder>;
  readonly bookedTrades: ReadonlySet<string>;
  /** The referee's own account of it; a mirror has none. */
  readonly own: OwnBook | undefined;
  /** If only the queue has faults: how late a slice may start. */
  readonly lateMaxMs: number | undefined;
  /** Neither the ledger nor a process that stands still holds a decision up. */
  readonly isPrompt: boolean;
  /** The clock that each order was intended by. */
  readonly clocksOf: ReadonlyMap<string, string>;
  /** True when `what` was last decided by the same clock, which is `clock` from now on. */
  isSameClock(what: string, clock: string): boolean;
}

export type Intended = Extract<PortfolioEvent, { kind: 'child_intended' }>;

/** Who decided a turn: one life of a daemon. */
export interface Decider {
  readonly index: number;
  readonly settings: Settings;
  /** Names the clock as it is set. */
  readonly clockName: string;
}

export interface Judging {
  readonly daemon: Decider;
  readonly reportBreach: ReportBreach;
}

const GIVEN_UP_WITHIN_MS = 50;

type Of<K extends PortfolioEvent['kind']> = Extract<PortfolioEvent, { kind: K }>;

/** Reports every rule that `event` breaks; `book` has everything before it. */
export function checkEvent(book: JudgedBook, event: PortfolioEvent, by: Judging): void {
  const { reportBreach } = by;
  if (book.isOver) reportBreach('I7', `${event.kind} follows the end`);
  switch (event.kind) {
    case 'assumption_broken':
      return reportBreach('I2', event.what);
    case 'child_intended':
      return judgeIntent(book, event, by);
    case 'slices_missed':
      return judgeLateness(book, { ...event, slice: event.from }, reportBreach);
    case 'slice_started':
      judgeLateness(book, event, reportBreach);
      return judgeSlice(book, event, by);
    case 'edit_intended':
      return judgeEdit(book, event, by);
    case 'cancel_intended':
      return judgeCancel(book, event, by);
    case 'fill_booked':
      return judgeFill(book, event, reportBreach);
    case 'child_unsent':
      return judgeAbsence(book, event, reportBreach);
    case 'child_rejected':
      judgeGivenUp(book, event, by);
      return judgeAbsence(book, event, reportBreach);
    case 'child_closed':
      return judgeClosing(book, event, reportBreach);
    case 'cancelling':
      return book.state.status === 'cancelling'
        ? reportBreach('I8', 'cancelling twice')
        : undefined;
    case 'cancelled':
    case 'filled':
      return judgeEnd(book, event, reportBreach);
    default:
      return checkRfq(book, event, reportBreach);
  }
}

function judgeIntent(book: JudgedBook, event: Intended, by: Judging): void {
  const { reportBreach, daemon } = by;
  const { state } = book;
  const { label, leg, slice, attempt } = event;
  // What was executed before is hedged; that it is no more than that is judged below.
  const isHedge = legSpec(state, leg).hedge && event.block !== true;
  if (state.status === 'cancelling' && !isHedge)
    reportBreach('I6', `${label} intended while the portfolio is being cancelled`);
  if (state.paused !== undefined && !isHedge) reportBreach('I6', `${label} intended while paused`);
  if (book.intents.has(label)) reportBreach('I2', `${label} intended twice`);
  for (const child of state.children.values()) {
    if (child.leg === leg && child.slice === slice && isWorking(child)) {
      reportBreach('I2', `${label} intended while ${child.label} is ${child.state}`);
    }
  }
  const current = state.legs[leg]?.current;
  if (current?.slice !== slice) return reportBreach('I9', `${label} is not of the current slice`);
  // The slice may have been started by another clock.
  if (event.at < current.dueAt - daemon.settings.skewMs)
    reportBreach('I9', `${label} intended before it is due`);
  if (event.at >= current.endsAt) reportBreach('I9', `${label} intended after its slice is over`);
  const { validForMs, attemptsMax, retryMs } = daemon.settings;
  if (event.validUntil !== event.at + validForMs)
    reportBreach('I2', `${label} has another deadline`);
  const parts = book.own?.leg(leg).current?.parts ?? 0;
  if (attempt - parts > attemptsMax) reportBreach('I17', `${label} is one attempt too many`);
  const sinceMs = current.triedAt === undefined ? undefined : event.at - current.triedAt;
  const isSameClock = book.isSameClock(`try ${leg} ${slice}`, daemon.clockName);
  // A leg of a Block RFQ does not count as an attempt in the market: another quote may be accepted at once.
  const isTooSoon = sinceMs !== undefined && isSameClock && sinceMs < retryMs;
  if (isTooSoon && event.block !== true) {
    reportBreach('I17', `${label} follows the attempt before after ${sinceMs} ms`);
  }
  judgeTerms(book, event, by);
  judgeHeldBack(book, event, reportBreach);
  // Legs of a Block RFQ are traded together or not at all.
  if (legSpec(state, leg).hedge && event.block !== true) judgeHedge(book, event, reportBreach);
}

/** A hedge never has more filled or at the venue than the least filled of the others calls for. */
function judgeHedge(book: JudgedBook, event: Intended, reportBreach: ReportBreach): void {
  const { state } = book;
  const own = legSpec(state, event.leg);
  const { amountStep } = legInstrument(state, event.leg);
  const lots = (of: Quantity): number => of.div(amountStep).toNumber();
  const { hedgeBasis: basis } = own;
  const whole = lots(basis?.[event.leg] ?? own.quantity);
  let most = lots(own.quantity);
  state.spec.legs.forEach((other, index) => {
    if (other.hedge) return;
    const total = toNumber(basis?.[index] ?? other.quantity);
    most = Math.min(most, (whole * toNumber(state.legs[index]?.filled ?? own.quantity)) / total);
  });
  const wanted = lots(committedOf(state, event.leg)) + lots(quantity(event.quantity));
  if (wanted > most + 1e-6) {
    reportBreach('I10', `${event.label} hedges ${wanted} lots where the others call for ${most}`);
  }
}

/** Blackout windows, and the end of an extension. */
function judgeHeldBack(
  book: JudgedBook,
  { label, leg, at }: Intended,
  reportBreach: ReportBreach,
): void {
  const { execution } = book.state.spec;
  const { quiet = [], endAction, extendMs = 0 } = execution;
  const timeMs = at % DAY_MS;
  if (quiet.some(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs)) {
    reportBreach('I10', `${label} intended in a quiet window`);
  }
  // What an order in flight filled when the portfolio was cancelled is hedged in a slice of its own, however late it is.
  const isAfterStop = book.state.status === 'cancelling' && legSpec(book.state, leg).hedge;
  if (endAction === 'extend' && !isAfterStop && at >= endAt(book.state.spec) + extendMs) {
    reportBreach('I9', `${label} intended after the extension`);
  }
}

/** Grid, minimum and value, whatever the engine checked. */
function judgeTerms(book: JudgedBook, event: Intended, { reportBreach, daemon }: Judging): void {
  const instrument = legInstrument(book.state, event.leg);
  const size = quantity(event.quantity);
  const at = price(event.price);
  const { label } = event;
  if (!equals(tradable(instrument, size), size) || isZero(size)) {
    reportBreach('I10', `${label} has an untradable size ${event.quantity}`);
  }
  // Blocks have ticks and limits of their own.
  if (event.block === true) return;
  if (!isOnTick(instrument, at)) reportBreach('I10', `${label} is off the ticks at ${event.price}`);
  const { orderUsdMax } = daemon.settings;
  const usd = orderUsd({ instrument, quantity: size, price: at }, undefined);
  if (orderUsdMax !== undefined && usd !== undefined && isMore(usd, orderUsdMax)) {
    reportBreach('I10', `${label} is worth ${text(usd)} USD`);
  }
}

/** I18: queue faults cause only lateness, of at most one pass of the overdue sweeper. */
function judgeLateness(
  book: JudgedBook,
  event: { readonly leg: number; readonly slice: number; readonly at: number },
  reportBreach: ReportBreach,
): void {
  const { own, lateMaxMs } = book;
  const due = own?.dueOf(event.leg, event.slice);
  if (own === undefined || lateMaxMs === undefined || due === undefined) return;
  const lateMs = event.at - Math.max(due.high, own.heldUntil);
  if (lateMs > lateMaxMs) reportBreach('I18', `slice ${event.slice} was seen to ${lateMs} ms late`);
}

function judgeSlice(
  book: JudgedBook,
  event: Of<'slice_started'>,
  { reportBreach, daemon }: Judging,
): void {
  const { leg, slice } = event;
  // That the time is over, or that a part's stage began, may have been noticed by another clock.
  const isNoticed = book.state.timeOverAt !== undefined || event.dueAt === book.state.part?.stageAt;
  const slackMs = isNoticed ? daemon.settings.skewMs : 0;
  if (event.at < event.dueAt - slackMs) {
    reportBreach('I9', `slice ${slice} of leg ${leg} started early`);
  }
  if (slice < (book.state.legs[leg]?.nextSlice ?? 0)) {
    reportBreach('I9', `slice ${slice} of leg ${leg} started again`);
  }
}

function judgeEdit(book: JudgedBook, event: Of<'edit_intended'>, by: Judging): void {
  const { reportBreach, daemon } = by;
  const child = book.state.children.get(childLabelOf(event.label));
  if (child === undefined) return reportBreach('I4', `edit of ${event.label}, which is not open`);
  if (book.state.status === 'cancelling')
    reportBreach('I6', `edit of ${event.label} while the portfolio is being cancelled`);
  if (child.edit !== undefined) reportBreach('I2', `edit of ${event.label} while another is open`);
  if (child.cancel !== undefined) reportBreach('I6', `edit of ${event.label} after its cancel`);
  if (event.validUntil !== event.at + daemon.settings.validForMs) {
    reportBreach('I2', `edit of ${event.label} has another deadline`);
  }
  if (!isOnTick(legInstrument(book.state, child.leg), price(event.price))) {
    reportBreach('I10', `edit of ${event.label} is off the ticks`);
  }
}

function judgeCancel(book: JudgedBook, event: Of<'cancel_intended'>, by: Judging): void {
  const child = book.state.children.get(childLabelOf(event.label));
  if (child === undefined)
    return by.reportBreach('I4', `cancel of ${event.label}, which is not open`);
  const { cancel } = child;
  const isSameClock = book.isSameClock(`cancel ${event.label}`, by.daemon.clockName);
  if (cancel === undefined || !isSameClock) return;
  if (event.at < cancel.retryAt) by.reportBreach('I17', `cancel of ${event.label} again too soon`);
}

function judgeFill(book: JudgedBook, event: Of<'fill_booked'>, reportBreach: ReportBreach): void {
  const { label, tradeId } = event;
  if (book.bookedTrades.has(tradeId)) reportBreach('I5', `trade ${tradeId} booked twice`);
  const trade = book.orders.get(label)?.trades.find((one) => one.tradeId === tradeId);
  if (trade === undefined) return reportBreach('I5', `trade ${tradeId} of ${label} never was`);
  const isSame =
    text(trade.quantity) === event.quantity &&
    text(trade.price) === event.price &&
    text(trade.fee) === event.fee;
  if (!isSame) reportBreach('I5', `trade ${tradeId} was booked with other numbers`);
}

/**
 * An order that was never sent is given up as soon as less than half of its validity is left, and not after.
 * Not so the orders of a block trade: they end with their Block RFQ, whose cancel may be waited for longer.
 */
function judgeGivenUp(
  book: JudgedBook,
  { label, code, at }: Of<'child_rejected'>,
  { daemon, reportBreach }: Judging,
): void {
  const intent = book.intents.get(label);
  const isSameClock = book.clocksOf.get(label) === daemon.clockName;
  if (code !== 0 || intent === undefined || intent.block === true) return;
  if (!book.isPrompt || !isSameClock) return;
  const lateMs = at - (intent.at + intent.validUntil) / 2;
  if (lateMs > GIVEN_UP_WITHIN_MS)
    reportBreach('I19', `${label} was not sent, and given up ${lateMs} ms late`);
}

function judgeAbsence(
  book: JudgedBook,
  event: Of<'child_unsent'> | Of<'child_rejected'>,
  reportBreach: ReportBreach,
): void {
  const known = book.orders.get(event.label);
  if (known !== undefined && known.order.state !== 'rejected') {
    reportBreach('I2', `${event.label} is held for ${event.kind}, and the exchange has it`);
  }
}

function judgeClosing(
  book: JudgedBook,
  event: Of<'child_closed'>,
  reportBreach: ReportBreach,
): void {
  const order = book.orders.get(event.label)?.order;
  if (order === undefined) return reportBreach('I4', `${event.label} closed, and never was`);
  if (order.state === 'open') reportBreach('I6', `${event.label} is held for closed, and is open`);
  if (toNumber(quantity(event.filled)) > toNumber(order.filledQuantity)) {
    reportBreach('I5', `${event.label} closed with more filled than it has`);
  }
}

function judgeEnd(
  book: JudgedBook,
  event: Of<'cancelled'> | Of<'filled'>,
  reportBreach: ReportBreach,
): void {
  const { state } = book;
  if (hasUnsettled(state)) reportBreach('I6', `${event.kind} with an unsettled child`);
  for (const [label, { order }] of book.orders) {
    if (order.state === 'open') reportBreach('I6', `${event.kind} while ${label} is open`);
  }
  for (const { label } of liveRfqs(book))
    reportBreach('I6', `${event.kind} while ${label} is open`);
  if (state.spec.mirrorOf !== undefined) return;
  const isFilled = state.legs.every((_leg, index) => isZero(remainingOf(state, index)));
  if (isFilled !== (event.kind === 'filled')) reportBreach('I7', `${event.kind} with other totals`);
}
