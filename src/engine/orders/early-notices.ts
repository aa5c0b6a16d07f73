// A venue often publishes a notice about an order before its own reply to the request arrives. Such notices are
// delayed briefly: the reply usually carries the same facts, and one turn then handles both. Notices with known
// facts are dropped.

import { type ChildOrder, isWorking } from '../../core/order/child-order.ts';
import type { VenueOrder, VenueTrade } from '../../core/order/venue-report.ts';
import { childIn } from '../../core/portfolio/aggregate/settled-children.ts';
import type { Clock } from '../../ports/clock.ts';
import { isMore } from '../../values/amounts.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';

export interface EarlyNoticesOptions {
  readonly clock: Clock;
  readonly engine: { readonly turns: Pick<Engine['turns'], 'run' | 'peek'> };
}

/** The content of one notice: an order or a trade. */
export interface Notice {
  readonly label: string;
  readonly order?: VenueOrder | undefined;
  readonly trade?: VenueTrade | undefined;
}

/** Longer than most replies take, and short compared with any slice interval. */
const WAIT_MS = 50;

export class EarlyNotices {
  readonly #options: EarlyNoticesOptions;
  readonly #waiting = new Map<PortfolioId, Notice[]>();

  constructor(options: EarlyNoticesOptions) {
    this.#options = options;
  }

  get count(): number {
    let count = 0;
    for (const waiting of this.#waiting.values()) count += waiting.length;
    return count;
  }

  /** Passes the notice to its portfolio: at once, or after a delay if a reply is pending. */
  receive(portfolio: PortfolioId, notice: Notice): void {
    const child = this.#child(portfolio, notice.label);
    if (child !== undefined && isKnown(child, notice)) return;
    if (child === undefined || !isAwaited(child)) return this.#report(portfolio, [notice]);
    const waiting = this.#waiting.get(portfolio);
    if (waiting !== undefined) {
      waiting.push(notice);
      return;
    }
    this.#waiting.set(portfolio, [notice]);
    const { clock } = this.#options;
    clock.at(later(clock.now(), WAIT_MS), () => this.#release(portfolio));
  }

  #release(portfolio: PortfolioId): void {
    const waiting = this.#waiting.get(portfolio) ?? [];
    this.#waiting.delete(portfolio);
    const news = waiting.filter((notice) => {
      const child = this.#child(portfolio, notice.label);
      return child === undefined || !isKnown(child, notice);
    });
    if (news.length > 0) this.#report(portfolio, news);
  }

  #report(portfolio: PortfolioId, notices: readonly Notice[]): void {
    const { clock, engine } = this.#options;
    const orders = notices.flatMap(({ order }) => order ?? []);
    const trades = notices.flatMap(({ trade }) => trade ?? []);
    void engine.turns.run(portfolio, { kind: 'record_report', now: clock.now(), orders, trades });
  }

  #child(portfolio: PortfolioId, label: string): ChildOrder | undefined {
    const state = this.#options.engine.turns.peek(portfolio);
    return state && childIn(state, label);
  }
}

/** A request about the child has been sent and its reply is pending. */
const isAwaited = (child: ChildOrder): boolean =>
  child.state === 'sending' || child.edit !== undefined || child.cancel !== undefined;

function isKnown(child: ChildOrder, { order, trade }: Notice): boolean {
  if (trade !== undefined) return child.trades.includes(trade.tradeId);
  if (order === undefined) return true;
  if (child.orderId !== order.orderId || isMore(order.filledQuantity, child.filled)) return false;
  // Nothing is awaited of it, and it is where the reply said.
  if (order.state === 'open') return isFollowed(child);
  const isClosed = order.state === 'filled' || order.state === 'cancelled';
  return isClosed && !isWorking(child);
}

const isFollowed = ({ state, edit, absentSince }: ChildOrder): boolean =>
  state === 'live' && edit === undefined && absentSince === undefined;
