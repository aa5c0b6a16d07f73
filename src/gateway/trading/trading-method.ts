// An operation of trading switches or overrides: who may call it, what it reads, and what it answers. It is
// independent of HTTP; routes and documents are generated from it.
import type { z } from 'zod';
import type { KeyNeed } from '../auth/key-needs.ts';
import type { ApiKey } from '../auth/key-store.ts';
import type { Lane } from '../limits/limits.ts';

/** The caller. */
export interface Caller {
  readonly key: ApiKey;
  /** Records the account that a change affects, where the request need not name it. */
  readonly actsFor: (account: string) => void;
}

/** `C` is what the operation needs to answer. */
export interface TradingMethod<C> {
  /** The last segment of its path. */
  readonly name: string;
  readonly verb: 'GET' | 'POST';
  readonly lane: Lane;
  readonly needs: KeyNeed;
  readonly summary: string;
  /** Parses the body, of a GET the query; absent for operations without either. */
  readonly asked?: z.ZodType | undefined;
  readonly value: z.ZodType;
  /**
   * Returns the value, or a promise of it; `asked` is the output of the schema.
   * @throws Refused, or the ledger's error while it is unavailable.
   */
  run(call: C & Caller, asked: unknown): unknown;
}

interface Spec<C, S extends z.ZodType> extends Omit<TradingMethod<C>, 'asked' | 'run'> {
  readonly asked: S;
  readonly run: (call: C & Caller, asked: z.output<S>) => unknown;
}

/** The cast is safe: the schema's output is the input of `run`, as both come from one spec. */
export const tradingMethod = <C, S extends z.ZodType>(spec: Spec<C, S>): TradingMethod<C> => ({
  ...spec,
  run: (call, asked) => spec.run(call, asked as z.output<S>),
});
