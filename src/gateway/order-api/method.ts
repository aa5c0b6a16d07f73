// An entry of the method table: who may call the method, what it reads, what it answers, and how it runs. HTTP,
// the WebSocket and the documents are all generated from it.
import type { z } from 'zod';
import type { ActionLog } from '../../ports/action-log.ts';
import type { Reply, TradingDesk } from '../../ports/trading-desk.ts';
import type { AccountId, InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { KeyNeed } from '../auth/key-needs.ts';
import type { ApiKey } from '../auth/key-store.ts';
import type { Desks } from '../desks/desks.ts';
import type { IdempotencyStore } from '../http/idempotency.ts';
import type { OwnRow } from '../method-rows.ts';
import { readWith } from '../wire/faults.ts';
import { accountIdField } from '../wire/field-kinds.ts';
import { optional, record } from '../wire/fields.ts';
import { invalidParam, type Refusal } from './refusals.ts';
import type { RidSession } from './session/session.ts';

/** The caller, and what the method needs to answer. */
export interface Call {
  readonly orders: Desks;
  readonly now: () => Instant;
  readonly version: string;
  /**
   * Identifies the state of the exchange; changes when that is reset. Absent if there are several exchanges, or
   * none.
   */
  readonly exchangeId?: string | undefined;
  /** Of authenticated clients. */
  readonly key?: ApiKey | undefined;
  /** The client's address. */
  readonly from?: string | undefined;
  /** Records calls that change orders; absent: they are not recorded. */
  readonly actions?: ActionLog | undefined;
  /** Where idempotency keys are supported. */
  readonly once?: IdempotencyStore | undefined;
  /** The header Idempotency-Key. */
  readonly onceKey?: string | undefined;
  /** WebSocket only. */
  readonly session?: RidSession | undefined;
}

export interface AccountCall extends Call {
  readonly key: ApiKey;
  readonly account: AccountId;
  readonly desk: TradingDesk;
}

export interface SessionCall extends Call {
  readonly session: RidSession;
}

export type MethodAnswer = Reply<unknown> | Promise<Reply<unknown>>;

export interface Method extends Pick<OwnRow, 'name' | 'needs' | 'lane' | 'isWebSocketOnly'> {
  readonly summary: string;
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  /** Example params; they are accepted as written. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Parses the params; returns the parsed value or a refusal. */
  read(input: unknown): { readonly value: unknown } | { readonly refusal: Refusal };
  /**
   * Runs with the params that `read` returned. Orders are passed on before the first await, so that they keep
   * their order.
   */
  run(call: Call, params: unknown): MethodAnswer;
  /** Returns the requested account, or the key's first one. */
  accountOf(params: unknown): AccountId | undefined;
  /** Returns the instrument that the method is about, if it is about one. */
  instrumentOf(params: unknown): InstrumentName | undefined;
}

/** A typed entry: `In` is what a client writes as params, `Out` what it reads. */
export interface MethodOf<N extends string, In, Out> extends Method {
  readonly name: N;
  readonly params: z.ZodType<unknown, In>;
  readonly result: z.ZodType<Out>;
}

/** A typed entry of a method that needs a connection. */
export interface SocketMethodOf<N extends string, In, Out> extends MethodOf<N, In, Out> {
  readonly isWebSocketOnly: true;
}

/** The row of a method with a name, a need, and a place where it can be called. */
interface Row<N extends string, Needs, Socket extends boolean> extends OwnRow {
  readonly name: N;
  readonly needs: Needs & OwnRow['needs'];
  readonly isWebSocketOnly: Socket;
}

interface Spec<R extends OwnRow, S extends z.ZodRawShape, Out> {
  readonly row: R;
  readonly summary: string;
  readonly params: S;
  readonly result: z.ZodType<Out>;
  readonly example: Readonly<Record<string, unknown>>;
}

type Params<S extends z.ZodRawShape> = z.output<z.ZodObject<S>>;
type Written<S extends z.ZodRawShape> = z.input<z.ZodObject<S>>;
type OfAccount = Written<{ accountId: typeof NAMED }>;

/** A public method. */
export function publicMethod<N extends string, S extends z.ZodRawShape, Out>(
  spec: Spec<Row<N, 'nothing', false>, S, Out> & {
    readonly run: (call: Call, params: Params<S>) => MethodAnswer;
  },
): MethodOf<N, Written<S>, Out> {
  return made(spec, record(spec.params, 'Params'));
}

/** A method about the calling connection. */
export function sessionMethod<N extends string, S extends z.ZodRawShape, Out>(
  spec: Spec<Row<N, 'nothing', true>, S, Out> & {
    readonly run: (call: SessionCall, params: Params<S>) => MethodAnswer;
  },
): SocketMethodOf<N, Written<S>, Out> {
  return made(spec, record(spec.params, 'Params'));
}

const NAMED = optional(accountIdField('Account of the key; its first one when absent'));

export interface AccountSpec<N extends string, S extends z.ZodRawShape, Out>
  extends Spec<Row<N, KeyNeed, false>, S, Out> {
  readonly run: (call: AccountCall, params: Params<S>) => MethodAnswer;
}

/** A method about an account of the key. */
export function accountMethod<N extends string, S extends z.ZodRawShape, Out>(
  spec: AccountSpec<N, S, Out>,
): MethodOf<N, Written<S> & OfAccount, Out> {
  return made(spec, record({ ...spec.params, accountId: NAMED }, 'Params'));
}

/** A method about an account of the key on the calling connection. */
export function accountSessionMethod<N extends string, S extends z.ZodRawShape, Out>(
  spec: Spec<Row<N, KeyNeed, true>, S, Out> & {
    readonly run: (call: AccountCall & SessionCall, params: Params<S>) => MethodAnswer;
  },
): SocketMethodOf<N, Written<S> & OfAccount, Out> {
  return made(spec, record({ ...spec.params, accountId: NAMED }, 'Params'));
}

/** The casts are safe: the schema's output is the input of `run`, as both come from one spec. */
function made<N extends string, In, Out, Socket extends boolean>(
  spec: Spec<Row<N, unknown, Socket>, z.ZodRawShape, Out> & { readonly run: unknown },
  params: z.ZodType,
): MethodOf<N, In, Out> & { readonly isWebSocketOnly: Socket } {
  const { row, summary, result, example } = spec;
  const { name, needs, lane, isWebSocketOnly } = row;
  return {
    name,
    needs,
    lane,
    isWebSocketOnly,
    summary,
    result,
    example,
    params: params as z.ZodType<unknown, In>,
    read: (input) => {
      const read = readWith(params, input);
      if ('value' in read) return read;
      const [first] = read.rejections;
      return { refusal: invalidParam(first?.field ?? '', first?.message ?? 'not accepted') };
    },
    run: spec.run as Method['run'],
    accountOf: (read) => (read as { accountId?: AccountId }).accountId,
    instrumentOf: (read) => (read as { instrumentName?: InstrumentName }).instrumentName,
  };
}

export const done = <T>(value: T): Reply<T> => ({ kind: 'done', value });

/** Maps the value of a reply. */
export function answered<T, U>(asked: Promise<Reply<T>>, view: (value: T) => U): Promise<Reply<U>>;
export function answered<T, U>(
  asked: Reply<T> | Promise<Reply<T>>,
  view: (value: T) => U,
): Reply<U> | Promise<Reply<U>>;
export function answered<T, U>(
  asked: Reply<T> | Promise<Reply<T>>,
  view: (value: T) => U,
): Reply<U> | Promise<Reply<U>> {
  const shown = (reply: Reply<T>): Reply<U> =>
    reply.kind === 'done' ? done(view(reply.value)) : reply;
  return asked instanceof Promise ? asked.then(shown) : shown(asked);
}
