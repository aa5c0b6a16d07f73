// Our record held against a venue's: every own open order is a child somebody has open, and every own trade
// is booked. What is only just happening is given time before it counts.
import { isUnsettled } from '../core/order/child-order.ts';
import type { VenueTrade } from '../core/order/venue-report.ts';
import type { PortfolioState } from '../core/portfolio/state.ts';
import type { Venue } from '../ports/venue.ts';
import {
  type AccountId,
  childLabelOf,
  labelPrefix,
  type PortfolioId,
  parseChildLabel,
} from '../values/ids.ts';
import { type Instant, later } from '../values/instant.ts';
import type { Finding } from './audit-portfolio.ts';

export interface VenueFinding extends Finding {
  /** Absent where no portfolio is known. */
  readonly portfolio?: PortfolioId | undefined;
}

export interface VenueAuditParts {
  readonly deployment: Parameters<typeof labelPrefix>[0];
  /** As it is stored where this process does not have it. */
  readonly stateOf: (portfolio: PortfolioId) => Promise<PortfolioState | undefined>;
  readonly now: () => Instant;
}

/** From a trade or an order to our record of it: answers, streams and commits take their time. */
const GRACE_MS = 3_000;
/** Trades are read from so long before the last look: a venue may show them a little late. */
const OVERLAP_MS = 1_000;

export class VenueAudit {
  readonly #parts: VenueAuditParts;
  readonly #venue: Venue;
  readonly #account: AccountId;
  readonly #prefix: string;
  #from: Instant;
  /** Of this look: what is stored is read once for all trades of a portfolio. */
  #states = new Map<PortfolioId, Promise<PortfolioState | undefined>>();
  /** Trades of the last look, which the next one reads again. */
  #seen: ReadonlySet<string> = new Set();
  /** Trades that are not booked and too young for that to mean anything. */
  #young: readonly VenueTrade[] = [];
  /** When an order was first seen that nobody has open. */
  #strays = new Map<string, Instant>();

  constructor(venue: Venue, account: AccountId, parts: VenueAuditParts) {
    this.#parts = parts;
    this.#venue = venue;
    this.#account = account;
    this.#prefix = labelPrefix(parts.deployment);
    this.#from = parts.now();
  }

  /** Nothing where the venue does not answer: that is told elsewhere. */
  async look(): Promise<readonly VenueFinding[]> {
    this.#states = new Map();
    return [...(await this.#orders()), ...(await this.#trades())];
  }

  async #orders(): Promise<readonly VenueFinding[]> {
    const open = await this.#venue.openOrders(this.#account, this.#prefix);
    if (open.kind === 'unknown') return [];
    const now = this.#parts.now();
    const strays = new Map<string, Instant>();
    const findings: VenueFinding[] = [];
    for (const { label, orderId } of open.orders) {
      if (await this.#hasOpen(label)) continue;
      const since = this.#strays.get(label) ?? now;
      strays.set(label, since);
      if (now < later(since, GRACE_MS)) continue;
      const portfolio = parseChildLabel(label)?.portfolio;
      const detail = `order ${orderId} with label ${label} is open at the venue and in no portfolio`;
      findings.push({ invariant: 'I4', detail, portfolio });
    }
    this.#strays = strays;
    return findings;
  }

  async #hasOpen(label: string): Promise<boolean> {
    const address = parseChildLabel(label);
    const state = address && (await this.#stateOf(address.portfolio));
    const child = state?.children.get(childLabelOf(label));
    return child !== undefined && isUnsettled(child);
  }

  async #trades(): Promise<readonly VenueFinding[]> {
    const now = this.#parts.now();
    const told = await this.#venue.tradesSince(this.#account, later(this.#from, -OVERLAP_MS));
    if (told.kind === 'unknown') return [];
    this.#from = now;
    const fresh = told.trades.filter(({ tradeId }) => !this.#seen.has(tradeId));
    this.#seen = new Set(told.trades.map(({ tradeId }) => tradeId));
    const open = [...this.#young, ...fresh.filter(({ label }) => label.startsWith(this.#prefix))];
    const young: VenueTrade[] = [];
    const findings: VenueFinding[] = [];
    for (const trade of open) {
      if (await this.#isBooked(trade)) continue;
      if (now < later(trade.at, GRACE_MS)) young.push(trade);
      else findings.push(unbooked(trade));
    }
    this.#young = young;
    return findings;
  }

  async #isBooked({ label, tradeId }: VenueTrade): Promise<boolean> {
    const address = parseChildLabel(label);
    const state = address && (await this.#stateOf(address.portfolio));
    const known = childLabelOf(label);
    const child = state?.children.get(known) ?? state?.ended.get(known);
    return child?.trades.includes(tradeId) === true;
  }

  #stateOf(portfolio: PortfolioId): Promise<PortfolioState | undefined> {
    const known = this.#states.get(portfolio);
    if (known !== undefined) return known;
    const state = this.#parts.stateOf(portfolio);
    this.#states.set(portfolio, state);
    return state;
  }
}

const unbooked = ({ tradeId, label, quantity }: VenueTrade): VenueFinding => ({
  invariant: 'I5',
  detail: `trade ${tradeId} of ${label} over ${quantity.toString()} is not booked`,
  portfolio: parseChildLabel(label)?.portfolio,
});
