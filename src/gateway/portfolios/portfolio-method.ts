// One portfolio operation: who may call it, what it reads, what it answers, and how. Routes and documents
// are made from it; it knows nothing of HTTP.
import type { z } from 'zod';
import type { PortfolioSummary } from '../../core/portfolio/summary/portfolio-summary.ts';
import { reject } from '../../core/rejection.ts';
import type { Operations, Outcome } from '../../engine/api/operations.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import type { KeyNeed } from '../auth/key-needs.ts';
import { type ApiKey, owns } from '../auth/key-store.ts';
import type { IdempotencyStore } from '../http/idempotency.ts';
import type { WorkLimits } from '../http/work-limits.ts';
import type { Lane } from '../limits/limits.ts';
import type { AsciiJson } from '../wire/ascii-json.ts';
import { Refused } from '../wire/faults.ts';
import type { AccountDirectory } from './portfolio-record.ts';

/** What portfolios are asked of. */
export interface PortfolioRoutes {
  readonly operations: Operations;
  readonly accounts: AccountDirectory;
  /** Absent where no answers are kept. */
  readonly once?: IdempotencyStore | undefined;
  /** What answers may cost. */
  readonly work: WorkLimits;
}

/** Who calls, and what is there to answer with. */
export interface PortfolioCall extends Omit<PortfolioRoutes, 'work'> {
  readonly key: ApiKey;
  /** The header Idempotency-Key, each time it was sent. */
  readonly onceKeys?: readonly string[] | undefined;
  /** Told whose account a change is for, where the request need not name it. */
  readonly actsFor: (account: AccountId) => void;
}

/** The value of a granted request. */
export type PortfolioAnswer =
  | { readonly value: unknown; readonly isRepeated?: boolean | undefined }
  /** Written already. */
  | { readonly json: AsciiJson };

export interface PortfolioMethod {
  /** The last part of its address. */
  readonly name: string;
  readonly verb: 'GET' | 'POST';
  readonly lane: Lane;
  readonly needs: KeyNeed;
  readonly summary: string;
  /** Milliseconds that an answer costs at least, as far as can be seen from what is asked; absent: not counted. */
  readonly costMs?: ((asked: never) => number) | undefined;
  /** Reads the body, of a GET the query. */
  readonly asked: z.ZodType;
  readonly value: z.ZodType;
  /**
   * `asked` is what the schema gave. At once where nothing has to be waited for.
   * @throws Refused, or as the ledger does while it is away.
   */
  run(call: PortfolioCall, asked: unknown): PortfolioAnswer | Promise<PortfolioAnswer>;
}

interface Spec<S extends z.ZodType> extends Omit<PortfolioMethod, 'asked' | 'costMs' | 'run'> {
  readonly asked: S;
  readonly costMs?: (asked: z.output<S>) => number;
  readonly run: (
    call: PortfolioCall,
    asked: z.output<S>,
  ) => PortfolioAnswer | Promise<PortfolioAnswer>;
}

/** What the schema gives is what `run` takes: the two come from one spec. */
export const portfolioMethod = <S extends z.ZodType>(spec: Spec<S>): PortfolioMethod => ({
  ...spec,
  run: (call, asked) => spec.run(call, asked as z.output<S>),
});

/** A portfolio of a foreign account does not exist for the key. */
export async function ownPortfolio(
  operations: Operations,
  key: ApiKey,
  portfolio: PortfolioId,
): Promise<PortfolioSummary> {
  const summary = await operations.info(portfolio);
  if (summary !== undefined && owns(key, summary.account)) return summary;
  const message = 'portfolio not found; accepted: the id of a portfolio of this key';
  throw new Refused([reject('not_found', 'portfolioId', message)]);
}

/** The value of a granted request; a refusal is thrown. */
export function granted<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.value;
  throw new Refused(outcome.rejections);
}
