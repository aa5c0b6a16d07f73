// Every limit of the gateway with its default; options set some, and others follow those.
import { MINUTE_MS, SECOND_MS } from '../../values/instant.ts';
import type { BucketRule } from './token-bucket.ts';

/** Budgets of work: milliseconds per second, and at once. */
export interface WorkRules {
  readonly key: BucketRule;
  readonly address: BucketRule;
  /** Shared by all unauthenticated clients. */
  readonly strangers: BucketRule;
}

/** Kinds of portfolio requests; each has its own bucket, so that a flood of reads never delays a cancel. */
export type Lane = 'read' | 'submit' | 'cancel';

/** Kinds of order-method requests: orders, cancels, queries. */
export type RidLane = 'order' | 'order_cancel' | 'query';

export interface GatewayLimits {
  /** Per API key. */
  readonly rates: Readonly<Record<Lane, BucketRule>>;
  /** How far a timestamp may differ from the server's clock, in either direction. */
  readonly signatureWindowMs: number;
  readonly bodyBytesMax: number;
  readonly headerBytesMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly connectionsMax: number;
  /** Requests in flight at once; more are refused for now. */
  readonly inFlightMax: number;
  /** How long a closing server waits for requests in flight. */
  readonly drainMs: number;
  readonly address: AddressLimits;
  readonly work: WorkRules;
  readonly stream: StreamLimits;
  readonly rid: RidLimits;
  readonly deribit: DeribitLimits;
}

/** The limits that Deribit has itself, for clients of its wire. */
export interface DeribitLimits {
  /** Whether calls take credits; without them a client ends as it would there. */
  readonly credits: 'on' | 'off';
  /** Of requests to the matching engine: 1 for the largest traders, 4 for the smallest. */
  readonly tier: 1 | 2 | 3 | 4;
}

/** Limits per client address; for IPv6, per /64 network. */
export interface AddressLimits {
  /** Failed authentications. */
  readonly failures: BucketRule;
  /** Requests that need no key: health, metrics, documents, unknown addresses. */
  readonly open: BucketRule;
  readonly connectionsMax: number;
  /**
   * Connections one address may open, and all together; beyond that, those of addresses without an
   * authenticated key are dropped.
   */
  readonly opening: BucketRule;
  readonly openingOfAll: BucketRule;
  /** Largest number of addresses tracked at a time. */
  readonly rememberedMax: number;
}

/** Limits of the order methods, over HTTP and WebSocket. */
export interface RidLimits {
  /** Per API key; for unauthenticated clients per address. */
  readonly rates: Readonly<Record<RidLane, BucketRule>>;
  readonly bodyBytesMax: number;
  readonly connectionsPerKeyMax: number;
  /** Of unauthenticated clients, all together. */
  readonly connectionsOfStrangersMax: number;
  /** Of unauthenticated clients from one address. */
  readonly connectionsPerStrangerMax: number;
  /** Requests of one connection in flight; more wait in the socket. */
  readonly inFlightMax: number;
  /** Unsent bytes above which a connection's further requests wait in the socket. */
  readonly pausedBytes: number;
  /** Unsent bytes at which a client is disconnected as too slow. */
  readonly bufferedBytesMax: number;
  /** The connection is closed after this long without a frame from the client. */
  readonly idleMs: number;
  /** How often idle connections and heartbeats are checked. */
  readonly checkMs: number;
  readonly channelsMax: number;
  /** Markets subscribed to for one connection. */
  readonly marketsMax: number;
  readonly marketsOfStrangersMax: number;
  /** Order changes and trades per account that a client may have missed and can still replay. */
  readonly missedMax: number;
  /** How long they are kept for an account without subscribers. */
  readonly rememberedMs: number;
}

export interface StreamLimits {
  readonly connectionsPerKeyMax: number;
  readonly frameBytesMax: number;
  /** The connection is closed after this long without a frame or ping from the client. */
  readonly idleMs: number;
  /** Unsent bytes at which a client is disconnected as too slow. */
  readonly bufferedBytesMax: number;
  /** Most messages replayed to a client that reconnects. */
  readonly missedMax: number;
  /** How long a client may pause reading during a replay. */
  readonly roomMs: number;
  /** Rate of frames from a client. */
  readonly rate: BucketRule;
}

export const DEFAULT_LIMITS: GatewayLimits = {
  rates: {
    read: { perSecond: 50, burst: 100 },
    submit: { perSecond: 20, burst: 50 },
    cancel: { perSecond: 20, burst: 50 },
  },
  signatureWindowMs: 15 * SECOND_MS,
  bodyBytesMax: 256 * 1_024,
  headerBytesMax: 16 * 1_024,
  headersTimeoutMs: 5 * SECOND_MS,
  requestTimeoutMs: 10 * SECOND_MS,
  connectionsMax: 2_000,
  inFlightMax: 500,
  drainMs: 5 * SECOND_MS,
  address: {
    failures: { perSecond: 10, burst: 200 },
    open: { perSecond: 100, burst: 500 },
    connectionsMax: 1_200,
    opening: { perSecond: 50, burst: 1_500 },
    openingOfAll: { perSecond: 200, burst: 4_000 },
    rememberedMax: 10_000,
  },
  work: {
    key: { perSecond: 250, burst: 1_000 },
    address: { perSecond: 125, burst: 500 },
    strangers: { perSecond: 250, burst: 1_000 },
  },
  stream: {
    connectionsPerKeyMax: 20,
    frameBytesMax: 64 * 1_024,
    idleMs: 3 * MINUTE_MS,
    bufferedBytesMax: 1_024 * 1_024,
    missedMax: 10_000,
    roomMs: 10 * SECOND_MS,
    rate: { perSecond: 5, burst: 50 },
  },
  rid: {
    rates: {
      order: { perSecond: 20_000, burst: 20_000 },
      order_cancel: { perSecond: 20_000, burst: 20_000 },
      query: { perSecond: 500, burst: 2_000 },
    },
    bodyBytesMax: 32 * 1_024,
    connectionsPerKeyMax: 32,
    connectionsOfStrangersMax: 64,
    connectionsPerStrangerMax: 32,
    inFlightMax: 1_024,
    pausedBytes: 512 * 1_024,
    bufferedBytesMax: 4 * 1_024 * 1_024,
    idleMs: 10 * MINUTE_MS,
    checkMs: SECOND_MS,
    channelsMax: 500,
    marketsMax: 2_000,
    marketsOfStrangersMax: 50,
    missedMax: 1_000,
    rememberedMs: 5 * MINUTE_MS,
  },
  deribit: { credits: 'on', tier: 4 },
};
