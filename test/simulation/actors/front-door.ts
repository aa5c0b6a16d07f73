// The interface by which a run uses the production gateway: one gateway per life of a daemon, and the signing
// of clients. Bytes in and bytes out; no sockets and no timers.
import type { Overrides } from '../../../src/core/risk/gate/overrides.ts';
import type { MethodApi } from '../../../src/engine/interface/engine-api.ts';
import type { Operations } from '../../../src/engine/interface/operations.ts';
import type { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import type { ActionLog } from '../../../src/ports/action-log.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { KeptAnswers } from '../../../src/ports/kept-answers.ts';
import type { KeyGrant, KeyRecords } from '../../../src/ports/key-records.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';

export interface DoorRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** One secret of a key. */
export interface SecretOf {
  readonly grant: KeyGrant;
  /** From 1. */
  readonly generation: number;
  /** Base64. */
  readonly secret: string;
}

/** A request as it is on the wire. */
export interface WireRequest {
  readonly verb: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  readonly body: string;
}

export interface WireAnswer {
  /** Of HTTP. */
  readonly status: number;
  readonly body: string;
}

export interface FrontDoor {
  request(request: WireRequest): Promise<WireAnswer>;
}

export interface DoorParts {
  readonly operations: Operations;
  readonly methods: MethodApi;
  readonly actions: ActionLog;
  readonly kept: KeptAnswers;
  /** Absent: this run has none. */
  readonly switches: Pick<TradingSwitches, 'settings' | 'set'> | undefined;
  readonly overrides: Pick<Overrides, 'request' | 'grant' | 'all'>;
  readonly claimNonce: Ledger['claimOnce'];
  readonly keys: Pick<KeyRecords, 'changedSince'>;
  /** Limits in force per key and kind of request; `undefined`: the gateway's defaults. */
  readonly rate: () => DoorRate | undefined;
  readonly clock: Clock;
  readonly report: (error: unknown, where: string) => void;
}

export interface Gateway {
  open(parts: DoorParts): FrontDoor;
  /** The secret as it is stored. */
  seal(secret: SecretOf): string;
  /** The credentials of a request with this timestamp; `bound` for keys that bind the request. */
  sign(
    secret: string,
    stamp: { readonly timestamp: string; readonly nonce: string },
    bound: Pick<WireRequest, 'verb' | 'target' | 'body'> | undefined,
  ): string;
}

/** Where the operations are. */
export const PORTFOLIOS = '/tt/broker/openapi/portfolios';
export const TRADING = '/tt/broker/openapi/trading';
export const METHODS = '/api';
