// Every bound of the gateway with its default; any can be set.
import { MINUTE_MS, SECOND_MS } from '../../values/instant.ts';
import type { BucketRule } from './token-bucket.ts';

/** Milliseconds of work a second, and at once. */
export interface WorkRules {
  readonly key: BucketRule;
  readonly address: BucketRule;
  /** Of all who ask without a key, together. */
  readonly strangers: BucketRule;
}

/** Buckets are separate so that a flood of reads never holds up a cancel. */
export type Lane = 'read' | 'submit' | 'cancel';

/** The same for the order methods: orders, what takes them back, what only looks. */
export type RidLane = 'order' | 'order_cancel' | 'query';

export interface GatewayLimits {
  /** Per API key. */
  readonly rates: Readonly<Record<Lane, BucketRule>>;
  /** How far a timestamp may be from now, either way. */
  readonly signatureWindowMs: number;
  readonly bodyBytesMax: number;
  readonly headerBytesMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly connectionsMax: number;
  /** Requests at work at once; more are told to come back. */
  readonly inFlightMax: number;
  /** How long a closing server waits for answers that are under way. */
  readonly drainMs: number;
  readonly address: AddressLimits;
  readonly work: WorkRules;
  readonly stream: StreamLimits;
  readonly rid: RidLimits;
}

/** Of each address requests come from; of IPv6, of each network of 64 bits. */
export interface AddressLimits {
  /** Credentials and signatures that were wrong. */
  readonly failures: BucketRule;
  /** Requests to what needs no key: health, metrics, documents, addresses that are none. */
  readonly open: BucketRule;
  readonly connectionsMax: number;
  /** Connections that one may open, and all together; above it those of addresses without a known key are dropped. */
  readonly opening: BucketRule;
  readonly openingOfAll: BucketRule;
  /** How many addresses are kept in mind at a time. */
  readonly rememberedMax: number;
}

/** Of the order methods, over HTTP and WebSocket. */
export interface RidLimits {
  /** Per API key; for strangers per address. */
  readonly rates: Readonly<Record<RidLane, BucketRule>>;
  readonly bodyBytesMax: number;
  readonly connectionsPerKeyMax: number;
  /** Of strangers, all together. */
  readonly connectionsOfStrangersMax: number;
  /** Of strangers from one address. */
  readonly connectionsPerStrangerMax: number;
  /** Requests of one connection at work; more wait in the socket. */
  readonly inFlightMax: number;
  /** Unsent bytes from which on a connection's requests wait in the socket. */
  readonly pausedBytes: number;
  /** Unsent bytes at which a reader is too slow. */
  readonly bufferedBytesMax: number;
  /** Without a frame from the client for this long, the connection ends. */
  readonly idleMs: number;
  /** How often silence and heartbeats are looked at. */
  readonly checkMs: number;
  readonly channelsMax: number;
  /** Markets followed for one connection. */
  readonly marketsMax: number;
  readonly marketsOfStrangersMax: number;
  /** Changes of orders, and trades, of an account that a client may have missed and still hears. */
  readonly missedMax: number;
  /** How long they are kept for an account that nobody follows any more. */
  readonly rememberedMs: number;
}

export interface StreamLimits {
  readonly connectionsPerKeyMax: number;
  readonly frameBytesMax: number;
  /** Without a frame or ping from the client for this long, the connection ends. */
  readonly idleMs: number;
  /** Unsent bytes at which a reader is too slow. */
  readonly bufferedBytesMax: number;
  /** Messages told again to a client that comes back. */
  readonly missedMax: number;
  /** How long a client that is told again may take to read on. */
  readonly roomMs: number;
  /** Frames a client may send. */
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
};
