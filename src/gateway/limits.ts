// Every bound of the gateway with its default; any can be set.
import { MINUTE_MS, SECOND_MS } from '../values/instant.ts';
import type { BucketRule } from './token-bucket.ts';

/** Buckets are separate so that a flood of reads never holds up a cancel. */
export type Lane = 'read' | 'submit' | 'cancel';

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
  readonly stream: StreamLimits;
}

export interface StreamLimits {
  readonly connectionsPerKeyMax: number;
  readonly frameBytesMax: number;
  /** Without a frame or ping from the client for this long, the connection ends. */
  readonly idleMs: number;
  /** Unsent bytes at which a reader is too slow. */
  readonly bufferedBytesMax: number;
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
  stream: {
    connectionsPerKeyMax: 20,
    frameBytesMax: 64 * 1_024,
    idleMs: 3 * MINUTE_MS,
    bufferedBytesMax: 1_024 * 1_024,
    rate: { perSecond: 5, burst: 50 },
  },
};
