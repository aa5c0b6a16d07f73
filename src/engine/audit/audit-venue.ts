// Compares our record with a venue's: every open order of ours is an open child of a portfolio, and every trade of ours
// is booked. What has only just happened is given time; a trade whose notice has not come is handed to the engine first.
import { type ChildOrder, isUnsettled, missingFills } from '../../core/order/child-order.ts';
import type { VenueTrade } from '../../core/order/venue-report.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { Replay } from '../../core/portfolio/aggregate/replay.ts';
import { childIn } from '../../core/portfolio/aggregate/settled-children.ts';
import { labelledTradesSince } from '../../ports/trades-since.ts';
import type { Venue } from '../../ports/venue.ts';
import { isPositive } from '../../values/amounts.ts';
import {
  type AccountId,
  childLabelOf,
  labelPrefix,
  type PortfolioId,
  parseChildLabel,
  parseRfqLabel,
} from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { type Finding, type Findings, UNANSWERED } from './audit-portfolio.ts';

export interface VenueFinding extends Finding {
  /** Of known portfolios. */
  readonly portfolio?: PortfolioId | undefined;
}

/** The stored state of a portfolio, and any child it ever had. */
export type StoredHistory = Pick<Replay, 'state' | 'child'>;

export interface VenueAuditOptions {
  readonly deployment: Parameters<typeof labelPrefix>[0];
  /** The state in this process, or the stored one if this process does not have it. */
  readonly stateOf: (portfolio: PortfolioId) => Promise<PortfolioState | undefined>;
  /** The stored history, whatever this process has in memory. */
  readonly storedOf: (portfolio: PortfolioId) => Promise<StoredHistory | undefined>;
  /** Everything that this process received for the portfolio before the returned instant is stored. */
  readonly durableTo: (portfolio: PortfolioId) => Instant;
  /** Records the trade as if its notice had just come. */
  readonly handOver: (trade: VenueTrade) => void;
  /** Whether the ledger is known not to have the order: it is older than what the venue has. */
  readonly isUnaccounted: (label: string) => boolean;
  readonly now: () => Instant;
  /** The delay with which a venue may list a trade. */
  readonly overlapMs: number;
  /** How far before its start trades are read, which the account's former daemon may not have checked. */
  readonly lookBackMs: number;
}

/** The time from a trade or an order to our record of it: replies, streams and commits take time. */
export const GRACE_MS = 3_000;
/** A ledger that replies more slowly than this was unavailable, and pending writes have not been stored yet. */
const LEDGER_SLOW_MS = 500;

interface Unbooked {
  readonly trade: VenueTrade;
  /** Start of the grace: when it was first listed, handed over, or last excused. */
  readonly since: Instant;
  readonly isHandedOver: boolean;
}

export class VenueAudit {
  readonly #parts: VenueAuditOptions;
  readonly #venue: Venue;
  readonly #account: AccountId;
  readonly #prefix: string;
  #from: Instant;
  /** Per check: the state of a portfolio is read once for all its trades. */
  #states = new Map<PortfolioId, Promise<PortfolioState | undefined>>();
  /** Per check: a history that has been read shows all trades that were booked by then. */
  readonly #histories = new Map<PortfolioId, StoredHistory>();
  /** The trades of the last check, which the next one reads again. */
  #seen: ReadonlySet<string> = new Set();
  /** Own trades that are not booked yet. */
  readonly #unbooked = new Map<string, Unbooked>();
  /** When each order that no portfolio has open was first seen. */
  #strays = new Map<string, Instant>();

  constructor(venue: Venue, account: AccountId, parts: VenueAuditOptions) {
    this.#parts = parts;
    this.#venue = venue;
    this.#account = account;
    this.#prefix = labelPrefix(parts.deployment);
    this.#from = later(parts.now(), -parts.lookBackMs);
  }

  async check(): Promise<Findings<VenueFinding>> {
    try {
      const [orders, trades] = [await this.#orders(), await this.#trades()];
      return {
        found: [...orders.found, ...trades.found],
        isAnswered: orders.isAnswered && trades.isAnswered,
      };
    } finally {
      this.#states = new Map();
      this.#histories.clear();
    }
  }

  async #orders(): Promise<Findings<VenueFinding>> {
    const filter = { account: this.#account, labelPrefix: this.#prefix };
    const open = await this.#venue.openOrders(filter);
    if (open.kind !== 'done') return UNANSWERED;
    const now = this.#parts.now();
    const strays = new Map<string, Instant>();
    const findings: VenueFinding[] = [];
    for (const { label, orderId } of open.value.toReversed()) {
      if (this.#parts.isUnaccounted(label)) continue;
      // This process may remember less than another one has stored: then what is stored counts.
      if (await this.#hasOpen(label)) continue;
      if (await this.#hasOpen(label, (id) => this.#storedOf(id))) continue;
      const since = this.#strays.get(label) ?? now;
      strays.set(label, since);
      if (now < later(since, GRACE_MS)) continue;
      const portfolio = parseChildLabel(label)?.portfolio;
      const detail = `order ${orderId} with label ${label} is open at the venue and in no portfolio`;
      findings.push({ invariant: 'I4', detail, portfolio });
    }
    this.#strays = strays;
    return { found: findings, isAnswered: true };
  }

  async #hasOpen(
    label: string,
    stateOf: VenueAuditOptions['stateOf'] = (id) => this.#stateOf(id),
  ): Promise<boolean> {
    const address = parseChildLabel(label);
    const state = address && (await stateOf(address.portfolio));
    const child = state?.children.get(childLabelOf(label));
    return child !== undefined && isUnsettled(child);
  }

  async #trades(): Promise<Findings<VenueFinding>> {
    const now = this.#parts.now();
    const { overlapMs } = this.#parts;
    const told = await labelledTradesSince(
      this.#venue,
      this.#account,
      later(this.#from, -overlapMs),
    );
    if (told.kind !== 'done') return UNANSWERED;
    this.#from = now;
    for (const trade of told.value) {
      if (this.#seen.has(trade.tradeId) || !trade.label.startsWith(this.#prefix)) continue;
      if (this.#parts.isUnaccounted(trade.label)) continue;
      this.#unbooked.set(trade.tradeId, { trade, since: now, isHandedOver: false });
    }
    this.#seen = new Set(told.value.map(({ tradeId }) => tradeId));
    const findings: VenueFinding[] = [];
    for (const unbooked of this.#unbooked.values())
      findings.push(...(await this.#booked(unbooked)));
    return { found: findings, isAnswered: true };
  }

  /**
   * Checks whether the trade is booked by now. If not, it is handed to the engine after one grace period and is a
   * finding after another: a notice may be late or lost on a slow machine, which alone must not cause a halt.
   */
  async #booked({ trade, since, isHandedOver }: Unbooked): Promise<readonly VenueFinding[]> {
    const portfolio = portfolioOf(trade.label);
    const state = portfolio && (await this.#stateOf(portfolio));
    const now = this.#parts.now();
    if (state !== undefined && isBooked(state, trade)) return this.#forget(trade);
    // Its order is being queried.
    if (state !== undefined && isAskedFor(state, trade)) return this.#excuse(trade, now, false);
    const due = later(since, GRACE_MS);
    if (now < due) return [];
    // Its report may still be waiting for a ledger that cannot write, so it could not be booked yet.
    if (portfolio !== undefined && this.#parts.durableTo(portfolio) < due) return [];
    if (portfolio !== undefined && (await this.#isStored(portfolio, trade))) {
      return this.#forget(trade);
    }
    const answeredAt = this.#parts.now();
    if (answeredAt > later(now, LEDGER_SLOW_MS)) {
      return this.#excuse(trade, answeredAt, isHandedOver);
    }
    if (isHandedOver) return [unbookedFinding(trade)];
    this.#parts.handOver(trade);
    return this.#excuse(trade, answeredAt, true);
  }

  /** Whether the history has the trade: a settled child may have left the state. */
  async #isStored(portfolio: PortfolioId, trade: VenueTrade): Promise<boolean> {
    const known = this.#histories.get(portfolio);
    if (known !== undefined && isInHistory(known, trade)) return true;
    const read = await this.#parts.storedOf(portfolio);
    if (read === undefined) return false;
    this.#histories.set(portfolio, read);
    return isInHistory(read, trade);
  }

  async #storedOf(portfolio: PortfolioId): Promise<PortfolioState | undefined> {
    return (await this.#parts.storedOf(portfolio))?.state;
  }

  /** Begins another grace. */
  #excuse(trade: VenueTrade, since: Instant, isHandedOver: boolean): readonly VenueFinding[] {
    this.#unbooked.set(trade.tradeId, { trade, since, isHandedOver });
    return [];
  }

  #forget({ tradeId }: VenueTrade): readonly VenueFinding[] {
    this.#unbooked.delete(tradeId);
    return [];
  }

  #stateOf(portfolio: PortfolioId): Promise<PortfolioState | undefined> {
    const known = this.#states.get(portfolio);
    if (known !== undefined) return known;
    const state = this.#parts.stateOf(portfolio);
    this.#states.set(portfolio, state);
    return state;
  }
}

/** The portfolio that a label of a child or of a Block RFQ names. */
export const portfolioOf = (label: string): PortfolioId | undefined =>
  (parseRfqLabel(label) ?? parseChildLabel(label))?.portfolio;

/**
 * The orders a trade may belong to; the trades of a block belong to the legs of its RFQ, whatever their own label.
 */
function childrenOf(state: PortfolioState, label: string): readonly ChildOrder[] {
  if (parseRfqLabel(label) === undefined) {
    const child = childIn(state, label);
    return child === undefined ? [] : [child];
  }
  const { children, ended } = state;
  return [...children.values(), ...ended.blocks.values()].filter(({ block }) => block);
}

const isBooked = (state: PortfolioState, { label, tradeId }: VenueTrade): boolean =>
  childrenOf(state, label).some(({ trades }) => trades.includes(tradeId));

const isInHistory = (history: StoredHistory, trade: VenueTrade): boolean =>
  history.child(trade.label)?.trades.includes(trade.tradeId) === true ||
  (history.state !== undefined && isBooked(history.state, trade));

/** The venue is being queried about the order: its outcome is not known, or it closed with fills missing. */
const isAskedFor = (state: PortfolioState, { label }: VenueTrade): boolean =>
  childrenOf(state, label).some(
    (child) =>
      child.state === 'unknown' || child.state === 'sending' || isPositive(missingFills(child)),
  );

const unbookedFinding = ({ tradeId, label, quantity }: VenueTrade): VenueFinding => ({
  invariant: 'I5',
  detail: `trade ${tradeId} of ${label} over ${quantity.toString()} is not booked`,
  portfolio: portfolioOf(label),
});
