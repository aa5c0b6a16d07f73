// One operation of the trading switches or of overrides: who may call it, what it reads, what it answers. It
// knows nothing of HTTP; routes and documents are made from it.
import type { z } from 'zod';
import type { KeyNeed } from '../auth/key-needs.ts';
import type { ApiKey } from '../auth/key-store.ts';
import type { Lane } from '../limits/limits.ts';

/** Who calls. */
export interface Caller {
  readonly key: ApiKey;
  /** Told whose account a change is for, where the request need not name it. */
  readonly actsFor: (account: string) => void;
}

/** `C` is what there is to answer with. */
export interface TradingMethod<C> {
  /** The last part of its address. */
  readonly name: string;
  readonly verb: 'GET' | 'POST';
  readonly lane: Lane;
  readonly needs: KeyNeed;
  readonly summary: string;
  /** Reads the body; absent where there is none. */
  readonly asked?: z.ZodType | undefined;
  readonly value: z.ZodType;
  /**
   * The value, or a promise of it; `asked` is what the schema gave.
   * @throws Refused, or as the ledger does while it is away.
   */
  run(call: C & Caller, asked: unknown): unknown;
}

interface Spec<C, S extends z.ZodType> extends Omit<TradingMethod<C>, 'asked' | 'run'> {
  readonly asked: S;
  readonly run: (call: C & Caller, asked: z.output<S>) => unknown;
}

/** What the schema gives is what `run` takes: the two come from one spec. */
export const tradingMethod = <C, S extends z.ZodType>(spec: Spec<C, S>): TradingMethod<C> => ({
  ...spec,
  run: (call, asked) => spec.run(call, asked as z.output<S>),
});
