// Compares an account's position at the venue with the last agreed position plus every trade since: own trades,
// which are in the ledger, and foreign ones (manual orders, Block RFQs, other programs). The position found by the
// first check is taken as the baseline and stored.

import type { VenueTrade } from '../../core/order/venue-report.ts';
import type { AuditBaselines, PositionBaseline } from '../../ports/audit-reads.ts';
import { tradesSince } from '../../ports/trades-since.ts';
import type { LiquidationNotice } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import type { OpenPosition } from '../../values/account-report.ts';
import {
  isZero,
  minus,
  plus,
  type Quantity,
  quantity,
  text,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { type AccountId, type InstrumentName, instrumentName } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { type Finding, type Findings, UNANSWERED } from './audit-portfolio.ts';

export interface PositionAuditOptions {
  readonly baselines: AuditBaselines;
  /** The delay with which a venue may list a trade and include it in a position. */
  readonly overlapMs: number;
  /** A difference counts once it has been unchanged for this long, by positions that no late trade explains. */
  readonly graceMs: number;
}

/** While nothing changes, the agreed baseline is stored at most this often. */
const KEPT_EVERY_MS = 60_000;
/** A trade between two queries of the trades invalidates the position read between them. */
const TRIES = 3;

type Held = ReadonlyMap<InstrumentName, Quantity>;

interface Difference {
  readonly by: string;
  /** The position that the venue reported. */
  readonly told: Quantity;
  /** A trade between these may be in that position and not in the list of trades, or the other way round. */
  readonly window: readonly [from: Instant, to: Instant];
  /** Since when the difference has had this size. */
  readonly since: Instant;
  /** Since when there has been a difference of any size. */
  readonly apartSince: Instant;
  /** The liquidations that the venue announced before it was seen; absent: none. */
  readonly cause: string | undefined;
}

interface Announced extends LiquidationNotice {
  readonly at: Instant;
}

/** A difference whose size keeps changing may be trades in flight, but only for a limited time. */
const APART_TOLD_MS = 30_000;
const APART_REDUCED_MS = 120_000;
/** The longest that trades are remembered to explain a difference; one that is older is looked at again. */
const RECENT_MS = 600_000;
/** Trades of so many different sums may explain anything. */
const POSSIBLE_MAX = 1_000;
/** How many announcements of liquidations are kept, and named in a finding. */
const ANNOUNCED_MAX = 50;
const NAMED_MAX = 3;

export class PositionAudit {
  readonly #parts: PositionAuditOptions;
  readonly #venue: Venue;
  readonly #account: AccountId;
  /** The position by our record; absent before the first check. */
  #held: Map<InstrumentName, Quantity> | undefined;
  #candidate: { readonly at: Instant; readonly held: Map<InstrumentName, Quantity> } | undefined;
  /** Trades up to here have been read, except those that the venue lists late. */
  #from: Instant | undefined;
  #seen: ReadonlySet<string> = new Set();
  #lastTradeAt: Instant | undefined;
  /** The trades that may explain a difference: those since the window of the oldest one, or of the next comparison. */
  #recent: VenueTrade[] = [];
  #differences = new Map<InstrumentName, Difference>();
  #kept: PositionBaseline | undefined;
  /** Liquidations of the last minutes, oldest first. */
  #announced: readonly Announced[] = [];
  /** The check in progress, after which the next one begins. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(venue: Venue, account: AccountId, parts: PositionAuditOptions) {
    this.#parts = parts;
    this.#venue = venue;
    this.#account = account;
  }

  /** The number of trades that are kept. */
  get remembered(): number {
    return this.#recent.length;
  }

  /**
   * Nothing is answered before the venue has listed its instruments and a position is agreed, nor by an account that trades
   * too fast to be compared.
   */
  check(): Promise<Findings> {
    const next = this.#last.then(() => this.#check());
    // Unexamined: the caller awaits `next` and gets its error.
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** A difference that is seen soon afterwards is explained by it. */
  noteLiquidation(notice: LiquidationNotice): void {
    const at = this.#venue.venueNow();
    const recent = this.#announced.filter((one) => one.at >= later(at, -RECENT_MS));
    this.#announced = [...recent, { ...notice, at }].slice(-ANNOUNCED_MAX);
  }

  /** What the venue announced of the instrument, or of the whole account, newest first. */
  #causeOf(instrument: InstrumentName): string | undefined {
    const from = later(this.#venue.venueNow(), -RECENT_MS);
    const found = this.#announced.filter(
      (one) => one.at >= from && (one.instrument === undefined || one.instrument === instrument),
    );
    if (found.length === 0) return undefined;
    const named = found.toReversed().slice(0, NAMED_MAX);
    return named.map(({ detail }) => detail).join(', ');
  }

  /** Whether the venue announced a transfer of a position in it, which is no trade and needs no time to be listed. */
  #isTransferred(instrument: InstrumentName): boolean {
    return this.#announced.some((one) => one.instrument === instrument && isTransfer(one));
  }

  /** Transfers that took effect, or that changed nothing, explain no later difference. */
  #forgetTransfers(now: Instant): void {
    const from = later(now, -this.#parts.graceMs);
    this.#announced = this.#announced.filter((one) => !isTransfer(one) || one.at > from);
  }

  async #check(): Promise<Findings> {
    if (this.#venue.instruments() === undefined) return UNANSWERED;
    if (this.#from === undefined) await this.#begin();
    if ((await this.#read()) === undefined) return UNANSWERED;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const askedAt = this.#venue.venueNow();
      const told = await this.#venue.positions({ account: this.#account });
      const more = await this.#read(askedAt);
      if (told.kind !== 'done' || more === undefined) return UNANSWERED;
      if (more > 0) continue;
      if (this.#held === undefined) this.#found(heldOf(told.value), askedAt);
      if (this.#held === undefined) return UNANSWERED;
      const found = await this.#compare(heldOf(told.value), this.#held, askedAt);
      return { found, isAnswered: true };
    }
    return UNANSWERED;
  }

  /**
   * A position read at `askedAt` is trusted only once no earlier trade can still be listed late, and if there was none
   * that it may lack, because a venue may be as late with positions as with trades.
   */
  #found(there: Map<InstrumentName, Quantity>, askedAt: Instant): void {
    const { overlapMs } = this.#parts;
    const { at } = this.#candidate ?? {};
    if ([...there.keys()].some((name) => !this.#isKnown(name))) this.#candidate = undefined;
    else if (at === undefined || this.#hasTradedSince(later(at, -overlapMs))) {
      this.#candidate = { at: askedAt, held: there };
    } else if (askedAt >= later(at, overlapMs)) this.#held = this.#candidate?.held;
  }

  /**
   * Whether trades that the venue showed late on one side account for an earlier difference: the position reported then
   * is the one before them and some of them. `own` is what our record holds now.
   */
  #isExplained(
    name: InstrumentName,
    own: Quantity,
    { told, window: [from, to] }: Difference,
  ): boolean {
    if (from < later(this.#venue.venueNow(), -RECENT_MS)) return true;
    const since = this.#recent.filter(({ instrument, at }) => instrument === name && at > from);
    const before = since.reduce((held, trade) => minus(held, signed(trade)), own);
    const possible = new Map([[text(before), before]]);
    for (const trade of since.filter(({ at }) => at <= to)) {
      for (const held of [...possible.values()]) {
        const after = plus(held, signed(trade));
        possible.set(text(after), after);
      }
      if (possible.size > POSSIBLE_MAX) return true;
    }
    return possible.has(text(told));
  }

  /** Whether the venue lists it, or listed it until lately. No position is agreed to in one that it does not. */
  #isKnown(name: InstrumentName): boolean {
    const { market } = this.#venue;
    return (this.#venue.instrument(name) ?? market.instrument(name)) !== undefined;
  }

  #hasTradedSince(from: Instant): boolean {
    return this.#lastTradeAt !== undefined && this.#lastTradeAt >= from;
  }

  async #begin(): Promise<void> {
    const kept = await this.#parts.baselines.of(this.#account);
    this.#kept = kept;
    this.#from = kept?.at ?? later(this.#venue.venueNow(), -this.#parts.overlapMs);
    if (kept !== undefined) this.#held = heldIn(kept);
  }

  /**
   * Books the trades since the last read and returns their number, or nothing without a reply.
   * @param comparedAt when the position was requested that is compared next; absent: it is not requested yet
   */
  async #read(comparedAt = this.#venue.venueNow()): Promise<number | undefined> {
    const now = this.#venue.venueNow();
    const from = this.#from ?? now;
    const told = await tradesSince(this.#venue, this.#account, from);
    if (told.kind !== 'done') return undefined;
    const since = told.value.filter(({ at }) => at > from);
    const fresh = since.filter(({ tradeId }) => !this.#seen.has(tradeId));
    for (const trade of fresh) this.#book(trade);
    this.#forget(now, later(comparedAt, -this.#parts.overlapMs));
    const next = later(now, -this.#parts.overlapMs);
    if (next > from) this.#from = next;
    this.#seen = new Set(since.map(({ tradeId }) => tradeId));
    return fresh.length;
  }

  /** An account that trades too fast to be compared would otherwise keep every trade of ten minutes. */
  #forget(now: Instant, nextWindow: Instant): void {
    let needed: number = nextWindow;
    for (const { window } of this.#differences.values()) needed = Math.min(needed, window[0]);
    needed = Math.max(needed, later(now, -RECENT_MS));
    this.#recent = this.#recent.filter(({ at }) => at >= needed);
  }

  #book(trade: VenueTrade): void {
    const { instrument, at } = trade;
    this.#recent.push(trade);
    if (this.#lastTradeAt === undefined || at > this.#lastTradeAt) this.#lastTradeAt = at;
    const held = this.#held;
    if (held === undefined || this.#venue.instrument(instrument)?.kind === 'spot') return;
    const before = held.get(instrument) ?? ZERO_QUANTITY;
    held.set(instrument, plus(before, signed(trade)));
  }

  async #compare(
    there: Held,
    here: Map<InstrumentName, Quantity>,
    askedAt: Instant,
  ): Promise<readonly Finding[]> {
    const now = this.#venue.venueNow();
    const windowFrom = later(askedAt, -this.#parts.overlapMs);
    const differences = new Map<InstrumentName, Difference>();
    const findings: Finding[] = [];
    let isWhole = true;
    for (const instrument of new Set([...there.keys(), ...here.keys()])) {
      const [told, own] = [there, here].map((held) => held.get(instrument) ?? ZERO_QUANTITY);
      if (told === undefined || own === undefined || text(told) === text(own)) continue;
      if (this.#venue.instrument(instrument) === undefined) {
        // Expired: a position ends with its instrument, without a trade.
        if (this.#isKnown(instrument) || isZero(told)) here.set(instrument, told);
        else isWhole = false;
        continue;
      }
      const by = text(minus(told, own));
      const known = this.#differences.get(instrument);
      const isSame = known?.by === by && !this.#isExplained(instrument, own, known);
      const since = isSame ? known.since : now;
      const apartSince = known?.apartSince ?? now;
      const cause = known?.cause ?? this.#causeOf(instrument);
      const window = [windowFrom, now] as const;
      differences.set(instrument, { by, told, window, since, apartSince, cause });
      const seen = { instrument, by, cause };
      if (now >= later(since, this.#parts.graceMs)) findings.push(beyondAgreed(seen));
      else if (this.#isTransferred(instrument)) findings.push(movedWithoutTrade(seen));
      else findings.push(...apartFor(instrument, now - apartSince));
    }
    this.#differences = differences;
    this.#recent = this.#recent.filter(({ at }) => at >= windowFrom);
    if (differences.size === 0) this.#forgetTransfers(now);
    if (isWhole && differences.size === 0) await this.#keep(here, askedAt);
    return findings.length > 0 && (await this.#isRestated()) ? [] : findings;
  }

  /** An operator deleted the baseline: the next check takes the current position as agreed. */
  async #isRestated(): Promise<boolean> {
    if (this.#kept === undefined) return false;
    if ((await this.#parts.baselines.of(this.#account)) !== undefined) return false;
    this.#from = undefined;
    this.#held = undefined;
    this.#candidate = undefined;
    this.#kept = undefined;
    this.#differences = new Map();
    return true;
  }

  /**
   * Stores the baseline that agreed with a position read at `askedAt`, as of the latest instant whose trades that
   * position has for certain, unless there were trades since.
   */
  async #keep(held: Held, askedAt: Instant): Promise<void> {
    const at = later(askedAt, -this.#parts.overlapMs);
    if (this.#hasTradedSince(at)) return;
    const positions: Record<InstrumentName, string> = Object.fromEntries(
      [...held].filter(([, size]) => text(size) !== '0').map(([name, size]) => [name, text(size)]),
    );
    const isSame = JSON.stringify(this.#kept?.positions) === JSON.stringify(positions);
    if (isSame && this.#kept !== undefined && askedAt < later(this.#kept.at, KEPT_EVERY_MS)) return;
    const baseline = { at, positions };
    await this.#parts.baselines.put(this.#account, baseline);
    this.#kept = baseline;
  }
}

const isTransfer = ({ stage }: LiquidationNotice): boolean => stage.includes('transfer');

interface Seen {
  readonly instrument: InstrumentName;
  readonly by: string;
  readonly cause: string | undefined;
}

const beyondAgreed = ({ instrument, by, cause }: Seen): Finding => {
  const what = `the venue holds ${by} of ${instrument} beyond what was agreed and traded since`;
  return { invariant: 'I5', detail: cause === undefined ? what : `${what}; it reported ${cause}` };
};

/** Said at once: hedges and controls by position rely on what is no longer there. */
const movedWithoutTrade = ({ instrument, by, cause }: Seen): Finding => ({
  invariant: 'I5',
  detail: `the venue moved ${by} of ${instrument} without a trade; it reported ${cause}`,
  only: 'report',
});

/** A difference that keeps changing does not show how much is wrong, only that something is. */
function apartFor(instrument: InstrumentName, ageMs: number): readonly Finding[] {
  if (ageMs < APART_TOLD_MS) return [];
  const isOld = ageMs >= APART_REDUCED_MS;
  const forSec = (isOld ? APART_REDUCED_MS : APART_TOLD_MS) / 1_000;
  const detail = `what the venue holds of ${instrument} has not agreed with our record for ${forSec} s`;
  return [{ invariant: 'I5', detail, only: isOld ? 'reduce' : 'report' }];
}

const signed = ({ side, quantity: size }: VenueTrade): Quantity =>
  side === 'buy' ? size : minus(ZERO_QUANTITY, size);

/** A flat position with open orders is none. */
const heldOf = (positions: readonly OpenPosition[]): Map<InstrumentName, Quantity> =>
  new Map(
    positions
      .filter(({ quantity: size }) => !isZero(size))
      .map((one) => [one.instrument, one.quantity]),
  );

const heldIn = ({ positions }: PositionBaseline): Map<InstrumentName, Quantity> =>
  new Map(Object.entries(positions).map(([name, size]) => [instrumentName(name), quantity(size)]));
