// Rate limits as Deribit counts them: credits per sub-account that are refilled continuously, in one pool for each kind of
// request. A request beyond them ends the session, so none is sent; a fifth of what the venue grants is never used,
// because its web page and other programs draw from the same pools.
import type { RateBudget } from '../../../ports/rate-budget.ts';

export type Pool =
  | 'orders'
  | 'cancels'
  | 'cancel_all'
  | 'queries'
  | 'lists'
  | 'subscriptions'
  | 'log';

export interface Rate {
  readonly perSecond: number;
  /** Requests at once after a rest. */
  readonly burst: number;
}

/** What the venue grants. Cancels draw from `orders` and may use all of it. */
export interface GrantedRates {
  readonly orders: Rate;
  readonly cancelAll: Rate;
  readonly queries: Rate;
}

/** Before the first login: the lowest tier, and the published defaults. */
export const DEFAULT_RATES: GrantedRates = {
  orders: { perSecond: 5, burst: 20 },
  cancelAll: { perSecond: 5, burst: 20 },
  queries: { perSecond: 20, burst: 100 },
};

const LISTS: Rate = { perSecond: 1, burst: 10 };
const SUBSCRIPTIONS: Rate = { perSecond: 3.3, burst: 10 };
const LOG: Rate = { perSecond: 1, burst: 8 };

/** The share of a grant that is used. */
const USED_SHARE = 0.8;
/** The share of the order pool that only cancels may use. */
const CANCEL_SHARE = 0.2;

class Bucket {
  #rate: Rate;
  #tokens: number;
  #atMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#atMs = nowMs;
  }

  get rate(): Rate {
    return this.#rate;
  }

  /** A changed grant; what was used stays used. */
  setRate(rate: Rate): void {
    this.#tokens += rate.burst - this.#rate.burst;
    this.#rate = rate;
  }

  tokens(nowMs: number): number {
    const { perSecond, burst } = this.#rate;
    const grownMs = Math.max(0, nowMs - this.#atMs);
    this.#tokens = Math.min(burst, this.#tokens + (grownMs * perSecond) / 1_000);
    this.#atMs = nowMs;
    return this.#tokens;
  }

  take(): void {
    this.#tokens -= 1;
  }

  /** How long until `floor` + 1 tokens are there. */
  waitMs(nowMs: number, floor: number): number {
    const missing = floor + 1 - this.tokens(nowMs);
    return missing <= 0 ? 0 : Math.ceil((missing * 1_000) / this.#rate.perSecond);
  }
}

export class Credits {
  readonly #buckets: ReadonlyMap<Exclude<Pool, 'cancels'>, Bucket>;

  constructor(nowMs: number) {
    const { orders, cancelAll, queries } = DEFAULT_RATES;
    const rates: readonly (readonly [Exclude<Pool, 'cancels'>, Rate])[] = [
      ['orders', orders],
      ['cancel_all', cancelAll],
      ['queries', queries],
      ['lists', LISTS],
      ['subscriptions', SUBSCRIPTIONS],
      ['log', LOG],
    ];
    this.#buckets = new Map(rates.map(([pool, rate]) => [pool, new Bucket(used(rate), nowMs)]));
  }

  grant({ orders, cancelAll, queries }: GrantedRates): void {
    this.#bucket('orders').setRate(used(orders));
    this.#bucket('cancel_all').setRate(used(cancelAll));
    this.#bucket('queries').setRate(used(queries));
  }

  /** Takes one request from the pool if it is there; returns the milliseconds to wait otherwise. */
  take(pool: Pool, nowMs: number): number {
    const bucket = this.#bucket(pool === 'cancels' ? 'orders' : pool);
    const floor = pool === 'orders' ? reserveOf(bucket.rate) : 0;
    const waitMs = bucket.waitMs(nowMs, floor);
    if (waitMs === 0) bucket.take();
    return waitMs;
  }

  /** What new orders and edits may use. */
  get orderRate(): Rate {
    const { perSecond, burst } = this.#bucket('orders').rate;
    return { perSecond, burst: burst - reserveOf({ perSecond, burst }) };
  }

  budgets(nowMs: number): readonly RateBudget[] {
    const shown = (name: RateBudget['bucket'], pool: 'orders' | 'queries'): RateBudget => {
      const bucket = this.#bucket(pool);
      const reserve = pool === 'orders' ? reserveOf(bucket.rate) : 0;
      return { bucket: name, tokens: bucket.tokens(nowMs), burst: bucket.rate.burst, reserve };
    };
    return [shown('messages', 'orders'), shown('questions', 'queries')];
  }

  #bucket(pool: Exclude<Pool, 'cancels'>): Bucket {
    return this.#buckets.get(pool) as Bucket;
  }
}

const used = ({ perSecond, burst }: Rate): Rate => ({
  perSecond: perSecond * USED_SHARE,
  burst: Math.max(1, Math.floor(burst * USED_SHARE)),
});

/** What only cancels may use. */
const reserveOf = ({ burst }: Rate): number => Math.floor(burst * CANCEL_SHARE);

const CHANGES =
  /^private\/(buy|sell|edit|edit_by_label|close_position|(add|edit)_block_rfq_quote|accept_block_rfq)$/;

/** The pool that a request draws from. */
export function poolOf(method: string, hasCurrency = true): Pool {
  if (CHANGES.test(method)) return 'orders';
  if (method === 'private/cancel_all') return 'cancel_all';
  // Without a currency it is counted with the emergency cancels.
  if (method === 'private/cancel_by_label') return hasCurrency ? 'cancels' : 'cancel_all';
  if (method.startsWith('private/cancel')) return 'cancels';
  if (method === 'public/get_instruments') return 'lists';
  if (method === 'private/get_transaction_log') return 'log';
  return /^(public|private)\/(un)?subscribe/.test(method) ? 'subscriptions' : 'queries';
}
