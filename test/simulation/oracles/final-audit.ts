// The checks at the end of a run: ledger and exchange agree to the last digit, every portfolio has
// ended, no order is left open, and the stored events replay to the same state.

import { averageFillPrice } from '../../../src/core/portfolio/aggregate/currencies.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { legInstrument } from '../../../src/core/portfolio/aggregate/positions.ts';
import { fold } from '../../../src/core/portfolio/aggregate/replay.ts';
import type { PortfolioSummary } from '../../../src/core/portfolio/summary/portfolio-summary.ts';
import { summarize } from '../../../src/core/portfolio/summary/summarize.ts';
import {
  equals,
  inverseNotional,
  type Money,
  notional,
  plus,
  type Quantity,
  type Ratio,
  rounded,
  text,
  toNumber,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import type { ReportBreach } from '../checks/breach.ts';
import { checkCounts } from '../own-books/check-counts.ts';
import { OWN_PREFIX } from '../world/lagging-venue.ts';
import { isSameState } from '../world/same-state.ts';
import type { WrittenText } from '../world/trace.ts';
import type { ExchangeOracle } from './exchange.oracle.ts';
import type { PortfolioBook } from './portfolio-book.ts';
import type { Referee } from './referee.ts';

export interface AuditParts {
  readonly referee: Referee;
  readonly truth: ExchangeOracle;
  /** What the ledger gives back of a portfolio. */
  readonly stored: (book: PortfolioBook) => Promise<readonly PortfolioEvent[]>;
  /** The same as text, turn by turn, as it was when it became durable. */
  readonly texts: (book: PortfolioBook) => readonly WrittenText[];
  /** The record that clients read. */
  readonly shown: (book: PortfolioBook) => Promise<PortfolioSummary | undefined>;
  /** Other accounts' orders, which must still be open. */
  readonly foreign: ReadonlySet<string>;
  /** Keys of requests that were refused, and what the ledger has under a key. */
  readonly refusedKeys: readonly string[];
  readonly keyed: (key: string) => Promise<PortfolioId | undefined>;
  /** A halt cancels every order, whatever its origin. */
  readonly everHalted: (account: string) => boolean;
  /** News may have died with a process. */
  readonly hadDeaths: boolean;
  readonly daemons: number;
  readonly reportBreach: ReportBreach;
}

export async function finalAudit(parts: AuditParts): Promise<void> {
  const { referee, reportBreach } = parts;
  for (const known of parts.truth.all()) {
    const { label, state } = known.order;
    if (label.startsWith(OWN_PREFIX) && state === 'open')
      reportBreach('I4', `${label} is left open`);
    if (parts.foreign.has(label) && state !== 'open' && !parts.everHalted(known.account))
      reportBreach('I16', `${label} was not ours to close`);
  }
  for (const key of parts.refusedKeys) {
    const made = await parts.keyed(key);
    if (made !== undefined) reportBreach('I14', `${key} was refused, and made ${made}`);
  }
  for (const book of referee.books.values()) {
    if (!book.isOver) reportBreach('I19', `${book.id} is still ${book.state.status}`);
    auditFills(book, parts);
    auditNews(book, parts);
    await auditReplay(book, parts);
    await auditCounts(book, parts);
  }
}

/** I25: the slices that a record shows as planned, placed and missed add up, and are those that were. */
async function auditCounts(
  book: PortfolioBook,
  { shown, reportBreach }: AuditParts,
): Promise<void> {
  const record = await shown(book);
  if (record === undefined) return reportBreach('I8', `${book.id} is over and not found`);
  for (const [index, { slices }] of record.legs.entries()) {
    if (book.own !== undefined) checkCounts(book.own, index, slices);
    else if (slices.planned + slices.placed + slices.missed > 0) {
      reportBreach('I25', `leg ${index} of ${book.id}, which mirrors, shows slices of its own`);
    }
  }
}

/** I5 and I13: quantities, values and fees summed again from the exchange's trades. */
function auditFills(book: PortfolioBook, { referee, reportBreach }: AuditParts): void {
  const { mirrorOf } = book.state.spec;
  const source = mirrorOf === undefined ? book : must(referee.books.get(mirrorOf), 'no original');
  // A shadow that was cancelled by itself stops copying.
  if (mirrorOf !== undefined && book.state.reason === 'cancel_all') return;
  for (let leg = 0; leg < book.state.legs.length; leg += 1) {
    const had = must(book.state.legs[leg], 'no leg');
    const { instrument: name } = must(book.state.spec.legs[leg], 'no leg');
    const instrument = must(book.state.instruments.get(name), 'no instrument');
    let filled = ZERO_QUANTITY;
    let value: Money = ZERO_MONEY;
    const fees = new Map<string, Money>();
    for (const known of source.ordersOf(leg)) {
      for (const { quantity, price, fee, feeCurrency } of known.trades) {
        filled = plus(filled, quantity);
        const worth = instrument.amountUnit === 'usd' ? inverseNotional : notional;
        value = plus(value, worth(price, quantity));
        fees.set(feeCurrency, plus(fees.get(feeCurrency) ?? ZERO_MONEY, fee));
      }
    }
    const { scale } = book.state.spec;
    if (scale !== undefined) {
      auditShare(book, { leg, had: had.filled, whole: filled, scale, reportBreach });
      continue;
    }
    if (!equals(had.filled, filled)) {
      reportBreach(
        'I5',
        `leg ${leg} of ${book.id} has ${text(had.filled)}, the exchange ${text(filled)}`,
      );
    }
    // Sums in another order may differ where a quotient has no end.
    if (!equals(rounded(had.value, 24, 'half_up'), rounded(value, 24, 'half_up')))
      reportBreach('I13', `leg ${leg} of ${book.id} has another value`);
    if (mirrorOf === undefined) auditFees(book, { had: had.fees, fees, reportBreach });
    const shown = summarize(book.state).legs[leg];
    const average = averageFillPrice({ ...had, filled, value }, instrument);
    if (shown?.averagePrice !== (average === undefined ? '0' : text(average))) {
      reportBreach('I13', `leg ${leg} of ${book.id} shows another average price`);
    }
  }
}

/** A shadow of another size has its share of the sum, to the nearest lot. */
function auditShare(
  book: PortfolioBook,
  {
    leg,
    had,
    whole,
    scale,
    reportBreach,
  }: {
    readonly leg: number;
    readonly had: Quantity;
    readonly whole: Quantity;
    readonly scale: Ratio;
    readonly reportBreach: ReportBreach;
  },
): void {
  const lot = toNumber(legInstrument(book.state, leg).amountStep);
  const awayLots = Math.abs(toNumber(had) - toNumber(whole) * toNumber(scale)) / lot;
  if (awayLots > 0.5 + 1e-6) {
    reportBreach('I5', `leg ${leg} of ${book.id} has ${text(had)} of ${text(whole)} at its scale`);
  }
}

function auditFees(
  book: PortfolioBook,
  {
    had,
    fees,
    reportBreach,
  }: {
    readonly had: ReadonlyMap<string, Money>;
    readonly fees: ReadonlyMap<string, Money>;
    readonly reportBreach: ReportBreach;
  },
): void {
  const isSame =
    had.size === fees.size &&
    [...fees].every(([of, fee]) => equals(had.get(of) ?? ZERO_MONEY, fee));
  if (!isSame) reportBreach('I13', `fees of ${book.id} are not those of the exchange`);
}

/** I8: each end is published as often as it happened, at most once where processes die. */
function auditNews(
  book: PortfolioBook,
  { referee, reportBreach, hadDeaths, daemons }: AuditParts,
): void {
  const pairs = [
    ['cancelling', 'PORTFOLIO_CANCELLING'],
    ['cancelled', 'PORTFOLIO_CANCELLED'],
    ['filled', 'PORTFOLIO_FILLED'],
  ] as const;
  for (const [kind, type] of pairs) {
    const happened = book.events.filter((event) => event.kind === kind).length;
    const own = referee.news.filter((one) => one.portfolio === book.id && one.messageType === type);
    // Two daemons may publish one event if a commit was left in doubt.
    const told = new Set(own.map((one) => (daemons > 1 ? one.version : one))).size;
    const isRight = hadDeaths ? told <= happened : told === happened;
    if (!isRight)
      reportBreach('I8', `${type} of ${book.id} told ${told} times, happened ${happened}`);
  }
}

/** One turn in so many is read back from its text: reading is the dearest part, and every kind has its turn over the seeds. */
const TURNS_PER_READ = 4;

/**
 * I15: what is stored is what was written, to the letter of the text it was in that moment; that text says all there is
 * in it; and replayed it gives the state that was reached step by step.
 */
async function auditReplay(book: PortfolioBook, parts: AuditParts): Promise<void> {
  const { stored, texts, reportBreach } = parts;
  const events = await stored(book);
  if (events.length !== book.events.length) {
    return reportBreach(
      'I15',
      `${book.id} has ${events.length} events stored of ${book.events.length}`,
    );
  }
  if (events.some((event, index) => event !== book.events[index])) {
    return reportBreach('I15', `${book.id} has other events stored than were written`);
  }
  const replayed = readBack(texts(book), events);
  if (replayed === undefined) {
    return reportBreach('I15', `${book.id} has events stored that are not what was written`);
  }
  if (!isSameState(fold(book.id, replayed), book.state)) {
    reportBreach('I15', `the replay of ${book.id} gives another state`);
  }
}

/** The events, some from their texts; `undefined` where one says anything else than its text. */
function readBack(
  texts: readonly WrittenText[],
  events: readonly PortfolioEvent[],
): readonly PortfolioEvent[] | undefined {
  const read: PortfolioEvent[] = [];
  for (const [turn, { text, count }] of texts.entries()) {
    const own = events.slice(read.length, read.length + count);
    if (JSON.stringify(own) !== text) return undefined;
    const isRead = (turn + events.length) % TURNS_PER_READ === 0;
    const back = isRead ? (JSON.parse(text) as PortfolioEvent[]) : own;
    if (isRead && !isSameState(back, own)) return undefined;
    read.push(...back);
  }
  return read.length === events.length ? read : undefined;
}
