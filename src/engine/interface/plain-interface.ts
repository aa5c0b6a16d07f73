// The types that may pass between a gateway and an engine, checked by the compiler: plain data in, plain data out, and
// a listener for notices as the last parameter of a subscription.
import type { Decimal } from '../../values/decimal.ts';

/**
 * `T` if it is plain data; otherwise a type that `T` is not assignable to. Functions are not plain, and so are
 * instances of classes with methods, maps, sets and promises. `unknown` is: it is JSON that is passed on unread.
 */
export type PlainData<T> = T extends Decimal | string | number | bigint | boolean | null | undefined
  ? T
  : T extends (...args: never[]) => unknown
    ? never
    : T extends object
      ? { readonly [K in keyof T]: PlainData<T[K]> }
      : unknown extends T
        ? T
        : never;

/** Ends a subscription. Nothing is delivered afterwards. */
export type Unsubscribe = () => void;

type Listener<N> = (notice: N) => void;

/** `M` itself if it takes and gives plain data; otherwise `never`. */
type PlainMethod<M> = M extends (...args: infer Args extends readonly unknown[]) => Unsubscribe
  ? Args extends readonly [...infer Given, Listener<infer Notice>]
    ? [Given, Notice] extends [PlainData<Given>, PlainData<Notice>]
      ? M
      : never
    : never
  : M extends (...args: infer Args extends readonly unknown[]) => infer Result
    ? [Args, Awaited<Result>] extends [PlainData<Args>, PlainData<Awaited<Result>>]
      ? M
      : never
    : never;

/** Groups of methods that take and give nothing but plain data: `A extends PlainInterface<A>` requires it. */
export type PlainInterface<A> = {
  readonly [G in keyof A]: { readonly [M in keyof A[G]]: PlainMethod<A[G][M]> };
};
