// What the order methods take and answer, by name: the types of the schemas that read requests and that the
// documents are made of.
import type { z } from 'zod';
import type { AnyMethod } from '../order-api/method-table.ts';

/** As JSON brings it; what is written may be read-only. */
export type Written<T> = T extends object ? { readonly [K in keyof T]: Written<T[K]> } : T;

/** Params of each method: what is refused by its form alone is not of this type. */
export type MethodParams = {
  readonly [M in AnyMethod as M['name']]: Written<z.input<M['params']>>;
};

export type MethodResults = {
  readonly [M in AnyMethod as M['name']]: z.output<M['result']>;
};

/** Methods that a single request can call: some are only for a connection. */
export type MethodName = Exclude<AnyMethod, { readonly isWebSocketOnly: true }>['name'];

/** Absent where nothing is needed. */
export type ParamsArgument<N extends MethodName> =
  Record<never, never> extends MethodParams[N]
    ? [params?: MethodParams[N]]
    : [params: MethodParams[N]];
