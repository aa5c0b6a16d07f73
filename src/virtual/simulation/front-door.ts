// The seam through which a run has the production gateway: one door per life of a daemon, and the way
// clients sign. Bytes in and bytes out; no sockets and no timers.
import type { Operations } from '../../engine/operations.ts';
import type { OrderOperations } from '../../engine/order-operations.ts';
import type { ActionLog } from '../../ports/action-log.ts';
import type { KeptAnswers } from '../../ports/kept-answers.ts';
import type { Scope } from '../../ports/key-records.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

/** A key as its holder and the door know it. */
export interface DoorKey {
  readonly id: string;
  /** Base64. */
  readonly secret: string;
  readonly uid: string;
  readonly nickname: string;
  readonly accounts: readonly AccountId[];
  readonly scopes: readonly Scope[];
  readonly makerAlias?: string | undefined;
  /** The signature covers method, address and body too. */
  readonly bindBody?: boolean | undefined;
  /** The secret before, good until then. */
  readonly previous?: { readonly secret: string; readonly until: Instant } | undefined;
}

export interface DoorRate {
  readonly perSecond: number;
  readonly burst: number;
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
  ask(request: WireRequest): Promise<WireAnswer>;
}

export interface DoorParts {
  readonly operations: Operations;
  readonly orders: OrderOperations;
  readonly actions: ActionLog;
  readonly kept: KeptAnswers;
  readonly claimNonce: Ledger['claimOnce'];
  /** In force at the moment. */
  readonly key: (id: string) => DoorKey | undefined;
  /** Of every kind of request, per key; absent: as the gateway has them. */
  readonly rate: DoorRate | undefined;
  readonly now: () => Instant;
  readonly report: (error: unknown, where: string) => void;
}

export interface Gateway {
  open(parts: DoorParts): FrontDoor;
  /** What a request with this stamp carries; `bound` for keys that bind the request. */
  sign(
    secret: string,
    stamp: { readonly timestamp: string; readonly nonce: string },
    bound: Pick<WireRequest, 'verb' | 'target' | 'body'> | undefined,
  ): string;
}

/** Where the operations are. */
export const PORTFOLIOS = '/tt/broker/openapi/portfolios';
export const METHODS = '/api';
