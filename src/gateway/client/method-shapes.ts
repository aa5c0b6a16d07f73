// Params and results of the order methods by method name, derived from the schemas that parse requests and
// generate the documents.
import type { z } from 'zod';
import type { AnyMethod } from '../order-api/method-table.ts';

/** A JSON value as clients write it; read-only values are accepted. */
export type Written<T> = T extends object ? { readonly [K in keyof T]: Written<T[K]> } : T;

/** The params of each method; a request that fails by form alone does not have this type. */
export type MethodParams = {
  readonly [M in AnyMethod as M['name']]: Written<z.input<M['params']>>;
};

export type MethodResults = {
  readonly [M in AnyMethod as M['name']]: z.output<M['result']>;
};

/** Methods that can be called over HTTP, without a connection. */
export type MethodName = Exclude<AnyMethod, { readonly isWebSocketOnly: true }>['name'];

/** Optional for methods without required params. */
export type ParamsArgument<N extends MethodName> =
  Record<never, never> extends MethodParams[N]
    ? [params?: MethodParams[N]]
    : [params: MethodParams[N]];
