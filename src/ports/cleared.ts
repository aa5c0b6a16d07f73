// A request that the gate has let through. Venues take nothing else, and nobody but the gate can make
// one: what it does not see cannot leave.

declare const cleared: unique symbol;

/** Made by `src/engine/risk/gate.ts` alone. */
export type Cleared<T> = T & { readonly [cleared]: true };
