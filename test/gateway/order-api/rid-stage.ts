// A gateway in front of a paper exchange, as in a daemon: real HTTP, real sockets, a seeded market. Its clock
// runs at normal speed but starts at noon, far from any settlement.

import type { PaperAccount } from '../../../src/adapters/paper/paper-account.ts';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { MmpDesk } from '../../../src/engine/mmp/mmp-desk.ts';
import type { MmpGuard } from '../../../src/engine/mmp/mmp-guard.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import type { ApiKey, KeyStore } from '../../../src/gateway/auth/key-store.ts';
import type { WorkRules } from '../../../src/gateway/limits/limits.ts';
import { DEFAULT_LIMITS, type RidLimits } from '../../../src/gateway/limits/limits.ts';
import {
  type GatewayCounts,
  NO_COUNTS,
  type SocketEnd,
} from '../../../src/gateway/wire/gateway-counts-port.ts';
import type { RfqDesk } from '../../../src/ports/block-rfq.ts';
import type { TradingDesk } from '../../../src/ports/trading-desk.ts';
import { type AccountId, deploymentId } from '../../../src/values/ids.ts';
import { NOON, paperVenue } from '../../adapters/paper/paper-stage.ts';
import { RFQ_ACCOUNTS } from '../../adapters/paper/rfq-accounts.ts';
import { MemoryActionLog } from '../../doubles/memory/memory-action-log.ts';
import { loneMmpGuard } from '../../support/engine/lone-mmp-guard.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { ungated } from '../../support/engine/venue-records.ts';
import { type GatewayParts, GatewayUnderTest, TAKER } from '../gateway-under-test.ts';

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
  /** Subscribed to the venue, but not in the path of orders: the gateway uses the venue's own order API. */
  readonly guard: MmpGuard;
  /** Reasons why the gateway closed connections. */
  readonly drops: readonly SocketEnd[];
  /** Unread bytes of the clients of a path, as reported by the gateway. */
  readonly backlog: (path: string) => number;
  /** Answers sent over sockets: method and status. */
  readonly answers: readonly string[];
  /** The recorded actions. */
  readonly actions: MemoryActionLog;
  /** Advances the exchange's wall clock; the next request makes it process what is due. */
  readonly jumpAhead: (byMs: number) => void;
  /** Stops the exchange's wall clock: until it is released it moves only by jumps. */
  readonly holdTime: () => void;
  /** Lets the wall clock run on from where it was stopped. */
  readonly releaseTime: () => void;

  private constructor(
    parts: Pick<
      RidStage,
      | ('gateway' | 'venue' | 'guard' | 'drops' | 'backlog' | 'answers' | 'actions')
      | ('jumpAhead' | 'holdTime' | 'releaseTime')
    >,
  ) {
    this.guard = parts.guard;
    this.gateway = parts.gateway;
    this.venue = parts.venue;
    this.drops = parts.drops;
    this.backlog = parts.backlog;
    this.answers = parts.answers;
    this.actions = parts.actions;
    this.jumpAhead = parts.jumpAhead;
    this.holdTime = parts.holdTime;
    this.releaseTime = parts.releaseTime;
  }

  /**
   * `deskOf` and `rfqsOf` may wrap the venue's APIs; `keys` replaces the default keys, `more` other parts of the gateway, or
   * the `venueAccounts` of the exchange.
   */
  static async start(
    limits: Partial<RidLimits> = {},
    deskOf: (desk: TradingDesk) => TradingDesk = (desk) => desk,
    rfqsOf: (rfqs: RfqDesk) => RfqDesk = (rfqs) => rfqs,
    keys?: KeyStore,
    work: WorkRules = { key: LOOSE, address: LOOSE, strangers: LOOSE },
    more: GatewayParts & { readonly venueAccounts?: readonly PaperAccount[] } = {},
  ): Promise<RidStage> {
    const { venueAccounts = RFQ_ACCOUNTS, ...otherParts } = more;
    let aheadMs = 0;
    const startMs = performance.now();
    let heldAtMs: number | undefined;
    const source = {
      wallMs: () => NOON + Math.floor(aheadMs + (heldAtMs ?? performance.now()) - startMs),
      monotonicMs: () => performance.now(),
    };
    const clock = new SystemClock({ source, unref: true });
    const venue = paperVenue(clock, { accounts: venueAccounts });
    const desk = deskOf(ungated(venue));
    const rfqs = rfqsOf(venue.rfqs);
    const isOwn = (account: AccountId): boolean =>
      venueAccounts.some((one) => one.account === account);
    const guard = loneMmpGuard({
      clock,
      observer: witness(),
      venues: { forAccount: (account) => (isOwn(account) ? venue : undefined), all: () => [venue] },
      deployment: deploymentId('test'),
    });
    await guard.start();
    const orders: OrderOperations = {
      mmp: new MmpDesk(guard, clock),
      forAccount: (account) => (isOwn(account) ? desk : undefined),
      rfqsFor: (account) => (isOwn(account) ? rfqs : undefined),
      combosFor: (account) => (isOwn(account) ? venue.combos : undefined),
      marginsFor: (account) => (isOwn(account) ? venue.margins : undefined),
      accounts: () => venueAccounts.map(({ account }) => [account, venue.name]),
      venues: () => [
        {
          name: venue.name,
          market: venue.market,
          rfqs,
          combos: venue.combos,
          subscribe: (listener) => desk.subscribe(listener),
        },
      ],
    };
    const rid = {
      ...DEFAULT_LIMITS.rid,
      rates: { order: LOOSE, order_cancel: LOOSE, query: LOOSE },
      ...limits,
    };
    const rates = { read: LOOSE, submit: LOOSE, cancel: LOOSE };
    const drops: SocketEnd[] = [];
    const answers: string[] = [];
    const backlogs = new Map<string, () => number>();
    const counts: GatewayCounts = {
      ...NO_COUNTS,
      socketDropped: (why) => drops.push(why),
      backlog: (path, bytes) => void backlogs.set(path, bytes),
      answered: ({ route, method, code }) => {
        if (method === 'FRAME') answers.push(`${route} ${code}`);
      },
    };
    const actions = new MemoryActionLog();
    const backlog = (path: string): number => backlogs.get(path)?.() ?? Number.NaN;
    const served = { orders, clock, counts, actions, actionPages: actions };
    const parts = { ...served, ...(keys === undefined ? {} : { keys }), ...otherParts };
    const gateway = await GatewayUnderTest.start({ rates, rid, work }, parts);
    const jumpAhead = (byMs: number): void => {
      aheadMs += byMs;
    };
    const holdTime = (): void => {
      heldAtMs ??= performance.now();
    };
    const releaseTime = (): void => {
      if (heldAtMs !== undefined) aheadMs -= performance.now() - heldAtMs;
      heldAtMs = undefined;
    };
    return new RidStage({
      gateway,
      venue,
      guard,
      drops,
      backlog,
      answers,
      actions,
      jumpAhead,
      holdTime,
      releaseTime,
    });
  }

  async close(): Promise<void> {
    await this.gateway.close();
    this.guard.stop();
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
    const { status, json } = await this.gateway.request(`/api/${method}`, { raw, by });
    return { status, ...json };
  }

  /** A price far from the market on the resting side, on the tick grid of BTC-PERPETUAL. */
  async restingPrice(side: 'buy' | 'sell'): Promise<string> {
    const { result } = await this.post('public/ticker', { instrumentName: 'BTC-PERPETUAL' }, null);
    const mark = Number(result.markPrice);
    return String(Math.round(mark * (side === 'buy' ? 0.99 : 1.01)));
  }
}
