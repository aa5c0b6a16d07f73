// A request that the risk gate has cleared. Venues accept nothing else, and only the gate can create one, so nothing
// is sent that the gate has not seen.

declare const cleared: unique symbol;

/** Created only by `src/engine/risk/gate.ts`. */
export type Cleared<T> = T & { readonly [cleared]: true };
