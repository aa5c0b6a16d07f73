// A gateway in front of a paper exchange, as a daemon has it: real HTTP, real sockets, a seeded market.
// Its time runs as fast as ours but begins at noon, far from any settlement.

import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import type { OrderOperations } from '../../../src/engine/order-operations.ts';
import type { ApiKey } from '../../../src/gateway/key-store.ts';
import { DEFAULT_LIMITS, type RidLimits } from '../../../src/gateway/limits.ts';
import { ACCOUNT, NOON, OTHER, paperVenue } from '../../adapters/paper/paper-stage.ts';
import { GatewayUnderTest, TAKER } from '../gateway-under-test.ts';

export const BTC = 'BTC-PERPETUAL';
const LOOSE = { perSecond: 1_000_000, burst: 1_000_000 };

export interface RidAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly rid: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly result?: any;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly param: string; readonly reason: string };
  };
}

export class RidStage {
  readonly gateway: GatewayUnderTest;
  readonly venue: PaperVenue;

  private constructor(gateway: GatewayUnderTest, venue: PaperVenue) {
    this.gateway = gateway;
    this.venue = venue;
  }

  static async start(limits: Partial<RidLimits> = {}): Promise<RidStage> {
    const startMs = performance.now();
    const source = {
      wallMs: () => NOON + Math.floor(performance.now() - startMs),
      monotonicMs: () => performance.now(),
    };
    const venue = paperVenue(new SystemClock({ source, unref: true }), {});
    const orders: OrderOperations = {
      forAccount: (account) => ([ACCOUNT, OTHER].includes(account) ? venue.desk : undefined),
      markets: () => [venue.desk],
    };
    const rid = {
      ...DEFAULT_LIMITS.rid,
      rates: { order: LOOSE, order_cancel: LOOSE, query: LOOSE },
      ...limits,
    };
    const rates = { read: LOOSE, submit: LOOSE, cancel: LOOSE };
    return new RidStage(await GatewayUnderTest.start({ rates, rid }, { orders }), venue);
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.venue.close();
  }

  /** One signed POST with the params alone. */
  post(method: string, params: unknown = {}, by: ApiKey | null = TAKER): Promise<RidAnswer> {
    return this.raw(method, JSON.stringify(params), by);
  }

  async raw(
    method: string,
    raw: string | Uint8Array<ArrayBuffer>,
    by: ApiKey | null = TAKER,
  ): Promise<RidAnswer> {
    const { status, json } = await this.gateway.ask(`/api/${method}`, { raw, by });
    return { status, ...json };
  }

  /** A price far from the market on the side where it rests, on the grid of BTC-PERPETUAL. */
  async restingPrice(side: 'buy' | 'sell'): Promise<string> {
    const { result } = await this.post('public/ticker', { instrumentName: 'BTC-PERPETUAL' }, null);
    const mark = Number(result.markPrice);
    return String(Math.round(mark * (side === 'buy' ? 0.99 : 1.01)));
  }
}
