// An entry of the table of Deribit's methods: who may call it, what it reads and how it runs. A result is a value that
// `JSON.stringify` writes as Deribit's JSON, with numbers from `json-number.ts`.
import type { z } from 'zod';
import type { ActionLog } from '../../../ports/action-log.ts';
import type { Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import type { AccountId, InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Desks } from '../../desks/desks.ts';
import type { DeribitRow } from '../../method-rows.ts';
import type { Refusal } from '../../order-api/refusals.ts';
import type { CreditRules } from './credit-rules.ts';
import type { Login, Scope } from './deribit-login.ts';
import { deribitName, paramsReader } from './deribit-params.ts';
import type { LoginCaller, LoginDesk } from './login-desk.ts';

export interface DeribitCall extends LoginCaller {
  readonly orders: Desks;
  readonly now: () => Instant;
  readonly version: string;
  /** The identity of the exchange; absent if it has none of its own. */
  readonly exchangeId?: string | undefined;
  /** Once the client has logged in. */
  readonly login?: Login | undefined;
  readonly logins: LoginDesk;
  /** The credits in force; absent: none are counted. */
  readonly credits?: CreditRules | undefined;
  readonly actions?: ActionLog | undefined;
}

export interface PrivateCall extends DeribitCall {
  readonly login: Login;
  readonly account: AccountId;
  readonly desk: TradingDesk;
}

export type DeribitAnswer = Reply<unknown> | Promise<Reply<unknown>>;

/** What the action log records of a call that changes something, besides its outcome. */
export interface About {
  readonly instrument?: string | undefined;
  readonly label?: string | undefined;
  readonly id?: string | undefined;
}

export interface DeribitMethod
  extends Pick<DeribitRow, 'scope' | 'lane' | 'pool' | 'isWebSocketOnly'> {
  readonly name: string;
  /** The names of the params it reads, on the wire. */
  readonly paramNames: readonly string[];
  read(input: unknown): { readonly value: unknown } | { readonly refusal: Refusal };
  /** Orders are passed on before the first await, so that they keep their order. */
  run(call: DeribitCall, params: unknown): DeribitAnswer;
  /** The instrument that must be known before the call runs, if there is one. */
  instrumentOf(params: unknown): InstrumentName | undefined;
  /** Present for methods that change something. */
  readonly about?: ((params: unknown) => About) | undefined;
}

interface Spec<S extends z.ZodRawShape> {
  readonly row: DeribitRow;
  readonly params: S;
}

type ScopedRow = DeribitRow & { readonly scope: Scope };

type Params<S extends z.ZodRawShape> = z.output<z.ZodObject<S>>;

export function publicMethod<S extends z.ZodRawShape>(
  spec: Spec<S> & {
    readonly row: { readonly scope: undefined };
    readonly run: (call: DeribitCall, params: Params<S>) => DeribitAnswer;
  },
): DeribitMethod {
  return { ...made(spec), run: spec.run as DeribitMethod['run'] };
}

/** A method that reads what the account has. */
export function privateMethod<S extends z.ZodRawShape>(
  spec: Spec<S> & {
    readonly row: ScopedRow;
    readonly run: (call: PrivateCall, params: Params<S>) => DeribitAnswer;
  },
): DeribitMethod {
  return { ...made(spec), run: spec.run as DeribitMethod['run'] };
}

/** A method that changes something, which the action log records. */
export function changeMethod<S extends z.ZodRawShape>(
  spec: Spec<S> & {
    readonly row: ScopedRow;
    readonly about: (params: Params<S>) => About;
    readonly run: (call: PrivateCall, params: Params<S>) => DeribitAnswer;
  },
): DeribitMethod {
  const about = spec.about as NonNullable<DeribitMethod['about']>;
  return { ...privateMethod(spec), about };
}

function made<S extends z.ZodRawShape>(spec: Spec<S>): Omit<DeribitMethod, 'run'> {
  const { deribitName: name, scope, lane, pool, isWebSocketOnly } = spec.row;
  return {
    name,
    scope,
    lane,
    pool,
    isWebSocketOnly,
    paramNames: Object.keys(spec.params).map(deribitName),
    read: paramsReader(spec.params),
    instrumentOf: (params) => (params as { instrumentName?: InstrumentName }).instrumentName,
  };
}
