// What an account holds at its venue, held against what it held when both last agreed and every trade since: its own,
// which are in the ledger, and those of others, which are by hand, by Block RFQ or of other programs. What was there
// before the first look is taken as it is, and kept.
import type { VenueTrade } from '../../core/order/venue-report.ts';
import type { AuditBaselines, PositionBaseline } from '../../ports/audit-reads.ts';
import type { Position, Venue } from '../../ports/venue.ts';
import { minus, plus, type Quantity, quantity, text, ZERO_QUANTITY } from '../../values/amounts.ts';
import { type AccountId, type InstrumentName, instrumentName } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { Finding } from './audit-portfolio.ts';

export interface PositionAuditParts {
  readonly baselines: AuditBaselines;
  /** So long a venue may keep a trade from its list. */
  readonly overlapMs: number;
  /** A difference counts when it stays what it is for so long. */
  readonly graceMs: number;
}

/** An agreement is written down at most so often while nothing moves. */
const KEPT_EVERY_MS = 60_000;
/** A trade between two looks at the trades makes the positions between them worthless. */
const TRIES = 3;

type Held = ReadonlyMap<InstrumentName, Quantity>;

interface Difference {
  readonly by: string;
  /** It is by so much. */
  readonly since: Instant;
  /** It is at all, by whatever amount. */
  readonly apartSince: Instant;
}

/** A difference that is never twice the same may be trades on their way: for so long, and no longer. */
const APART_TOLD_MS = 30_000;
const APART_REDUCED_MS = 120_000;

export class PositionAudit {
  readonly #parts: PositionAuditParts;
  readonly #venue: Venue;
  readonly #account: AccountId;
  /** By our record; absent before the first look. */
  #held: Map<InstrumentName, Quantity> | undefined;
  #candidate: { readonly at: Instant; readonly held: Map<InstrumentName, Quantity> } | undefined;
  /** Trades up to here were read, those that a venue shows late excepted. */
  #from: Instant | undefined;
  #seen: ReadonlySet<string> = new Set();
  #lastTradeAt: Instant | undefined;
  #differences = new Map<InstrumentName, Difference>();
  #kept: PositionBaseline | undefined;

  constructor(venue: Venue, account: AccountId, parts: PositionAuditParts) {
    this.#parts = parts;
    this.#venue = venue;
    this.#account = account;
  }

  /** Nothing where the venue does not answer, or trades too fast to be looked at. */
  async look(): Promise<readonly Finding[]> {
    if (this.#from === undefined) await this.#begin();
    if ((await this.#read()) === undefined) return [];
    for (let tries = 0; tries < TRIES; tries += 1) {
      const askedAt = this.#venue.venueNow();
      const told = await this.#venue.positions(this.#account);
      const more = await this.#read();
      if (more === undefined) return [];
      if (more > 0) continue;
      if (this.#held === undefined) this.#found(heldOf(told), askedAt);
      return this.#held === undefined ? [] : await this.#compare(heldOf(told), this.#held);
    }
    return [];
  }

  /** What is there, asked for at that instant, is only believed once no trade since can be told any more. */
  #found(there: Map<InstrumentName, Quantity>, askedAt: Instant): void {
    const now = this.#venue.venueNow();
    const { at } = this.#candidate ?? {};
    if (at === undefined || (this.#lastTradeAt !== undefined && this.#lastTradeAt >= at)) {
      this.#candidate = { at: askedAt, held: there };
    } else if (now >= later(at, this.#parts.overlapMs)) this.#held = this.#candidate?.held;
  }

  async #begin(): Promise<void> {
    const kept = await this.#parts.baselines.of(this.#account);
    this.#kept = kept;
    this.#from = kept?.at ?? later(this.#venue.venueNow(), -this.#parts.overlapMs);
    if (kept !== undefined) this.#held = heldIn(kept);
  }

  /** Books what traded since the last reading; how much that was, or nothing without an answer. */
  async #read(): Promise<number | undefined> {
    const now = this.#venue.venueNow();
    const from = this.#from ?? now;
    const told = await this.#venue.tradesSince(this.#account, from);
    if (told.kind === 'unknown') return undefined;
    const since = told.trades.filter(({ at }) => at > from);
    const fresh = since.filter(({ tradeId }) => !this.#seen.has(tradeId));
    for (const trade of fresh) this.#book(trade);
    const next = later(now, -this.#parts.overlapMs);
    if (next > from) this.#from = next;
    this.#seen = new Set(since.map(({ tradeId }) => tradeId));
    return fresh.length;
  }

  #book({ instrument, side, quantity: size, at }: VenueTrade): void {
    if (this.#lastTradeAt === undefined || at > this.#lastTradeAt) this.#lastTradeAt = at;
    const held = this.#held;
    if (held === undefined || this.#venue.instrument(instrument)?.kind === 'spot') return;
    const before = held.get(instrument) ?? ZERO_QUANTITY;
    held.set(instrument, side === 'buy' ? plus(before, size) : minus(before, size));
  }

  async #compare(there: Held, here: Map<InstrumentName, Quantity>): Promise<readonly Finding[]> {
    const now = this.#venue.venueNow();
    const differences = new Map<InstrumentName, Difference>();
    const findings: Finding[] = [];
    for (const instrument of new Set([...there.keys(), ...here.keys()])) {
      const [told, own] = [there, here].map((held) => held.get(instrument) ?? ZERO_QUANTITY);
      if (told === undefined || own === undefined || text(told) === text(own)) continue;
      if (this.#venue.instrument(instrument) === undefined) {
        // Delivered: a position ends with its instrument, without a trade.
        here.set(instrument, told);
        continue;
      }
      const by = text(minus(told, own));
      const known = this.#differences.get(instrument);
      const since = known?.by === by ? known.since : now;
      const apartSince = known?.apartSince ?? now;
      differences.set(instrument, { by, since, apartSince });
      if (now < later(since, this.#parts.graceMs)) {
        findings.push(...apartFor(instrument, now - apartSince));
        continue;
      }
      const detail = `the venue holds ${by} of ${instrument} beyond what was agreed and traded since`;
      findings.push({ invariant: 'I5', detail });
    }
    this.#differences = differences;
    if (differences.size === 0) await this.#keep(here, now);
    return findings.length > 0 && (await this.#isRestated()) ? [] : findings;
  }

  /** Somebody took the baseline away: what is there is agreed, from the next look on. */
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

  /** Agreed, and quiet for long enough that no trade of before can be told any more. */
  async #keep(held: Held, now: Instant): Promise<void> {
    const at = later(now, -this.#parts.overlapMs);
    if (this.#lastTradeAt !== undefined && this.#lastTradeAt >= at) return;
    const positions: Record<InstrumentName, string> = Object.fromEntries(
      [...held].filter(([, size]) => text(size) !== '0').map(([name, size]) => [name, text(size)]),
    );
    const isSame = JSON.stringify(this.#kept?.positions) === JSON.stringify(positions);
    if (isSame && this.#kept !== undefined && now < later(this.#kept.at, KEPT_EVERY_MS)) return;
    const baseline = { at, positions };
    await this.#parts.baselines.put(this.#account, baseline);
    this.#kept = baseline;
  }
}

/** What never comes to rest is no word of how much is wrong, but that something is. */
function apartFor(instrument: InstrumentName, ageMs: number): readonly Finding[] {
  if (ageMs < APART_TOLD_MS) return [];
  const isOld = ageMs >= APART_REDUCED_MS;
  const forSec = (isOld ? APART_REDUCED_MS : APART_TOLD_MS) / 1_000;
  const detail = `what the venue holds of ${instrument} has not agreed with our record for ${forSec} s`;
  return [{ invariant: 'I5', detail, only: isOld ? 'reduce' : 'tell' }];
}

const heldOf = (positions: readonly Position[]): Map<InstrumentName, Quantity> =>
  new Map(positions.map((one) => [one.instrument, one.quantity]));

const heldIn = ({ positions }: PositionBaseline): Map<InstrumentName, Quantity> =>
  new Map(Object.entries(positions).map(([name, size]) => [instrumentName(name), quantity(size)]));
