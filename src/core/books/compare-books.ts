// Compares the fills of our ledger with what a venue has of the same account and time: its list of trades, its transaction log
// and its positions. Each difference has a name, so that it can be looked for.
//
// Three comparisons. Fills: each fill of the ledger is a trade in both records of the venue with the same quantity, price and
// fee, and each trade with a label of ours is a fill of the ledger. Cash: from entry to entry of the log the balance
// changes by what the entry says, so that trades, fees, funding, settlements and deliveries together explain it.
// Positions: the same from entry to entry, and from the last entry to the position that the venue reports.
//
// Deribit since August 2026: an option in the money becomes a position of the future of its expiry, which is then delivered
// after netting; one out of the money ends with an entry `expiry`; the position of a liquidated account moves to others by
// `LSP transfer` and `ADL transfer`, which have no trade. The type of the entries by which an option becomes a future is not
// documented: from its expiry on, a position is what the entry says, and the last one is compared with what is held. A future
// that its options left flat may have no entry.
import {
  equals,
  isZero,
  type Money,
  minus,
  money,
  plus,
  price,
  type Quantity,
  quantity,
  text,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { instrumentName } from '../../values/ids.ts';
import { futureNameOf, nameTerms } from '../../values/instrument-names.ts';

/** Amounts as text; `at` in Unix milliseconds. */
export interface BookedFill {
  readonly tradeId: string;
  readonly instrument: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly price: string;
  readonly fee: string;
  readonly label: string;
  readonly orderId: string;
  /** Of trades that a portfolio of ours made. */
  readonly portfolio?: string | undefined;
  /** Of a combo, whose legs are entries of the log in its place. */
  readonly isOfLegs?: boolean | undefined;
  readonly at: number;
}

export interface LogEntry {
  readonly seq: number;
  readonly type: string;
  readonly currency: string;
  readonly instrument?: string | undefined;
  readonly side?: 'buy' | 'sell' | undefined;
  readonly quantity?: string | undefined;
  readonly price?: string | undefined;
  readonly tradeId?: string | undefined;
  readonly fee: string;
  readonly funding?: string | undefined;
  readonly change: string;
  readonly balance?: string | undefined;
  readonly position?: string | undefined;
  readonly at: number;
}

export interface ReportedPosition {
  readonly instrument: string;
  /** Signed. */
  readonly quantity: string;
}

export interface Books {
  readonly ledger: readonly BookedFill[];
  readonly trades: readonly BookedFill[];
  /** Of every currency. */
  readonly log: readonly LogEntry[];
  /** Absent if the time that was compared ends in the past. */
  readonly positions?: readonly ReportedPosition[] | undefined;
  /** Entries from here on may have been made while positions were read. */
  readonly positionsAt: number;
}

export type DifferenceName =
  | 'missing here'
  | 'missing there'
  | 'missing in log'
  | 'quantity'
  | 'price'
  | 'fee'
  | 'balance'
  | 'position';

export interface Difference {
  readonly name: DifferenceName;
  readonly at: number;
  readonly instrument?: string | undefined;
  readonly currency?: string | undefined;
  readonly tradeId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly portfolio?: string | undefined;
  /** What our ledger has, or what the entry before leads to. */
  readonly here?: string | undefined;
  /** What the venue has. */
  readonly there?: string | undefined;
}

/** Oldest first. */
export function compareBooks(books: Books): readonly Difference[] {
  const log = books.log.toSorted((a, b) => a.at - b.at || a.seq - b.seq);
  return [
    ...fillDifferences(books),
    ...cashDifferences(log),
    ...positionDifferences(books, log),
  ].toSorted((a, b) => a.at - b.at);
}

/** Trade ids are unique within a currency; both sides of one trade may be the account's. */
const keyOf = (of: Pick<BookedFill, 'instrument' | 'tradeId' | 'side'>): string =>
  `${of.instrument} ${of.tradeId} ${of.side}`;

function fillDifferences({ ledger, trades, log }: Books): readonly Difference[] {
  const there = new Map(trades.map((trade) => [keyOf(trade), trade]));
  const here = new Set(ledger.map(keyOf));
  const logged = new Map<string, LogEntry[]>();
  for (const entry of log) {
    const { instrument, tradeId, side } = entry;
    if (instrument === undefined || tradeId === undefined || side === undefined) continue;
    const key = keyOf({ instrument, tradeId, side });
    logged.set(key, [...(logged.get(key) ?? []), entry]);
  }
  const strangers = trades.filter((one) => one.portfolio !== undefined && !here.has(keyOf(one)));
  return [
    ...strangers.map((trade) => named('missing here', trade, { there: amountsOf(trade) })),
    ...ledger.flatMap((fill) => {
      const trade = there.get(keyOf(fill));
      if (trade === undefined) return [named('missing there', fill, { here: amountsOf(fill) })];
      const entries = logged.get(keyOf(fill));
      if (trade.isOfLegs) return apart(fill, trade);
      if (entries === undefined) {
        return [...apart(fill, trade), named('missing in log', fill, { here: amountsOf(fill) })];
      }
      return [...apart(fill, trade), ...apart(trade, entryAmounts(entries))];
    }),
  ];
}

type Amounts = Pick<BookedFill, 'quantity' | 'price' | 'fee'>;

/** A spot trade has an entry in two currencies, and its fee in one of them. */
function entryAmounts(entries: readonly LogEntry[]): Amounts {
  const [first] = entries as readonly [LogEntry];
  const fee = entries.reduce((sum: Money, entry) => plus(sum, money(entry.fee)), money('0'));
  return { quantity: first.quantity ?? '0', price: first.price ?? '0', fee: text(fee) };
}

const amountsOf = ({ side, quantity: size, price: at }: BookedFill): string =>
  `${side} ${size} at ${at}`;

function apart(fill: BookedFill, other: Amounts): readonly Difference[] {
  const pair = (name: 'quantity' | 'price' | 'fee') =>
    named(name, fill, { here: fill[name], there: other[name] });
  return [
    ...(equals(quantity(fill.quantity), quantity(other.quantity)) ? [] : [pair('quantity')]),
    ...(equals(price(fill.price), price(other.price)) ? [] : [pair('price')]),
    ...(equals(money(fill.fee), money(other.fee)) ? [] : [pair('fee')]),
  ];
}

const named = (
  name: DifferenceName,
  { at, instrument, tradeId, orderId, portfolio }: BookedFill,
  values: Pick<Difference, 'here' | 'there'>,
): Difference => ({ name, at, instrument, tradeId, orderId, portfolio, ...values });

/** Entries without a balance, from before the venue kept it, explain nothing and are passed over. */
function cashDifferences(log: readonly LogEntry[]): readonly Difference[] {
  const last = new Map<string, Money>();
  return log.flatMap((entry) => {
    const { currency, at, tradeId, instrument } = entry;
    const before = last.get(currency);
    if (entry.balance === undefined) {
      last.delete(currency);
      return [];
    }
    const after = money(entry.balance);
    last.set(currency, after);
    const due = before && plus(before, money(entry.change));
    if (due === undefined || equals(due, after)) return [];
    return [
      { name: 'balance', at, currency, tradeId, instrument, here: text(due), there: text(after) },
    ];
  });
}

interface Step {
  readonly at: number;
  readonly after: Quantity;
}

function positionDifferences(
  { positions, positionsAt }: Books,
  log: readonly LogEntry[],
): readonly Difference[] {
  const found: Difference[] = [];
  const steps = new Map<string, Step[]>();
  for (const entry of log) {
    const { instrument, at, tradeId } = entry;
    const position = entry.position ?? (ENDS.has(entry.type) ? '0' : undefined);
    if (instrument === undefined || position === undefined) continue;
    const own = steps.get(instrument) ?? [];
    const before = own.at(-1)?.after;
    const after = quantity(position);
    const due = before && afterEntry(before, instrument, entry);
    if (due !== undefined && !equals(due, after)) {
      const values = { here: text(due), there: text(after) };
      found.push({ name: 'position', at, instrument, tradeId, ...values });
    }
    steps.set(instrument, [...own, { at, after }]);
  }
  if (positions === undefined) return found;
  const reported = new Map(positions.map((one) => [one.instrument, quantity(one.quantity)]));
  const netted = new Set(log.filter(isIntoFuture).map(futureOf));
  for (const [instrument, own] of steps) {
    const there = reported.get(instrument) ?? ZERO_QUANTITY;
    const settledBefore = own.findLastIndex(({ at }) => at < positionsAt);
    const possible = own.slice(Math.max(0, settledBefore));
    if (possible.some(({ after }) => equals(after, there))) continue;
    const { at, after } = own.at(-1) as Step;
    const { expiresAt = 0 } = nameTerms(instrument) ?? {};
    if (netted.has(instrument) && at < expiresAt && isZero(there)) continue;
    found.push({ name: 'position', at, instrument, here: text(after), there: text(there) });
  }
  return found;
}

/** Types of the entries after which nothing is held. */
const ENDS: ReadonlySet<string> = new Set(['delivery', 'expiry']);
/** `LSP transfer`, `ADL transfer`, `liquidation transfer`: a position that moved without a trade. */
const isTransfer = ({ type }: Pick<LogEntry, 'type'>): boolean => type.endsWith(' transfer');

/** An option that became a position of its future. Not one that was bought or sold, or that ended out of the money. */
function isIntoFuture({ type, instrument = '', at }: LogEntry): boolean {
  const { kind, expiresAt = Number.POSITIVE_INFINITY } = nameTerms(instrument) ?? {};
  return kind === 'option' && at >= expiresAt && type !== 'trade' && type !== 'expiry';
}

const futureOf = ({ instrument = '' }: LogEntry): string =>
  futureNameOf(instrumentName(instrument));

/** What the entry leads to; `undefined` if only the entry itself says it. */
function afterEntry(before: Quantity, instrument: string, entry: LogEntry): Quantity | undefined {
  const { type, side, quantity: size, at } = entry;
  const { kind, expiresAt = Number.POSITIVE_INFINITY } = nameTerms(instrument) ?? {};
  const isOver = at >= expiresAt;
  // A future may first take over its options.
  if (ENDS.has(type) && !(isOver && kind === 'future')) return ZERO_QUANTITY;
  const isTrade = type === 'trade';
  if (!isTrade && isOver) return undefined;
  if (!isTrade && !isTransfer(entry)) return before;
  if (size === undefined || side === undefined) return isTrade ? before : undefined;
  return side === 'buy' ? plus(before, quantity(size)) : minus(before, quantity(size));
}

export interface Compared {
  readonly fills: number;
  /** Trades at the venue that no portfolio of ours made. */
  readonly otherTrades: number;
  readonly entries: number;
  readonly settlements: number;
  readonly deliveries: number;
  /** Options that ended out of the money. */
  readonly expiries: number;
  /** Options that became a position of the future of their expiry. */
  readonly intoFutures: number;
  /** Entries that moved a position without a trade: liquidations that others took over. */
  readonly transfers: number;
  readonly positions: number;
  /** By currency. */
  readonly fees: Readonly<Record<string, string>>;
  readonly funding: Readonly<Record<string, string>>;
}

/** How much was compared. */
export function comparedIn({ ledger, trades, log, positions }: Books): Compared {
  const ofType = (type: string): number => log.filter((entry) => entry.type === type).length;
  const held = positions?.filter((one) => !isZero(quantity(one.quantity))) ?? [];
  return {
    fills: ledger.length,
    otherTrades: trades.filter(({ portfolio }) => portfolio === undefined).length,
    entries: log.length,
    settlements: ofType('settlement'),
    deliveries: ofType('delivery'),
    expiries: ofType('expiry'),
    intoFutures: log.filter((entry) => isIntoFuture(entry) && entry.type !== 'delivery').length,
    transfers: log.filter(isTransfer).length,
    positions: held.length,
    fees: sums(log, ({ fee }) => money(fee)),
    funding: sums(log, ({ funding = '0' }) => money(funding)),
  };
}

function sums(
  log: readonly LogEntry[],
  of: (entry: LogEntry) => Money,
): Readonly<Record<string, string>> {
  const totals = new Map<string, Money>();
  for (const entry of log) {
    totals.set(entry.currency, plus(totals.get(entry.currency) ?? money('0'), of(entry)));
  }
  return Object.fromEntries(
    [...totals].filter(([, total]) => !isZero(total)).map(([code, total]) => [code, text(total)]),
  );
}
