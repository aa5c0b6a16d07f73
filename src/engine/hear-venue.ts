// What venues tell without being asked: orders and trades go to the portfolio their label names;
// after an interruption of the stream, and every now and then, own open orders are compared with
// what the portfolios believe.
import type { PortfolioCommand } from '../core/portfolio/command.ts';
import type { PortfolioState } from '../core/portfolio/state.ts';
import type { Clock } from '../ports/clock.ts';
import type { Observer } from '../ports/observer.ts';
import type { Venue, VenueNotice } from '../ports/venue.ts';
import {
  type AccountId,
  type ChildLabel,
  childLabelOf,
  type DeploymentId,
  labelPrefix,
  type PortfolioId,
  parseChildLabel,
} from '../values/ids.ts';
import { later } from '../values/instant.ts';
import { EarlyNotices } from './early-notices.ts';

export interface HearOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly deployment: DeploymentId;
  readonly run: (
    portfolio: PortfolioId,
    command: PortfolioCommand,
  ) => Promise<PortfolioState | undefined>;
  /** Asks the venue what became of a child. */
  readonly settle: (state: PortfolioState, label: ChildLabel) => void;
  readonly states: () => Iterable<PortfolioState>;
  /** A portfolio as this process has it in memory. */
  readonly peek: (portfolio: PortfolioId) => PortfolioState | undefined;
}

/** An order this young may not show in a list yet, and one just closed may still do. */
const RECENT_MS = 2_000;

export class VenueEar {
  readonly #options: HearOptions;
  readonly #early: EarlyNotices;

  constructor(options: HearOptions) {
    this.#options = options;
    this.#early = new EarlyNotices(options);
  }

  /** Takes in notices until the returned function is called. */
  listen(venue: Venue): () => void {
    return venue.subscribe((notice) => this.#hear(venue, notice));
  }

  #hear(venue: Venue, notice: VenueNotice): void {
    if (notice.kind === 'reconnected') {
      void this.compare(venue, notice.account);
      return;
    }
    const label = notice.kind === 'order' ? notice.order.label : notice.trade.label;
    const portfolio = this.#ownerOf(label);
    if (portfolio === undefined) return;
    if (notice.kind === 'order') this.#early.hear(portfolio, { label, order: notice.order });
    else this.#early.hear(portfolio, { label, trade: notice.trade });
  }

  #ownerOf(label: string): PortfolioId | undefined {
    const address = parseChildLabel(label);
    return address?.deployment === this.#options.deployment ? address.portfolio : undefined;
  }

  /** Compares the account's open orders with what the portfolios in memory have at the venue. */
  async compare(venue: Venue, account: AccountId): Promise<void> {
    const { deployment, observer, clock } = this.#options;
    const asked = clock.now();
    const answer = await venue.openOrders(account, labelPrefix(deployment));
    if (answer.kind === 'unknown') {
      observer.failed({ where: 'venue.open_orders', error: new Error(answer.reason) });
      return;
    }
    const open = new Set(answer.orders.map((order) => order.label));
    for (const state of this.#options.states()) {
      if (state.spec.accountId !== account) continue;
      for (const child of state.children.values()) {
        const isOld = later(child.intendedAt, RECENT_MS) < asked;
        if (child.state === 'live' && isOld && !open.has(child.label)) {
          this.#options.settle(state, child.label);
        }
      }
    }
    for (const order of answer.orders) {
      const owner = this.#ownerOf(order.label);
      const now = clock.now();
      const state =
        owner &&
        (await this.#options.run(owner, {
          kind: 'record_report',
          now,
          orders: [order],
          trades: [],
        }));
      const label = childLabelOf(order.label);
      const isKnown = state?.children.has(label) || state?.ended.has(label);
      if (isKnown || later(order.updatedAt, RECENT_MS) > asked) continue;
      observer.foreignOrder({ venue: venue.name, label: order.label, orderId: order.orderId });
      const { instrument, orderId } = order;
      await venue.cancel({ account, instrument, label, orderId });
    }
  }
}
