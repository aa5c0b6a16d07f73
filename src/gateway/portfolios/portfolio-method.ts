// A portfolio operation: who may call it, what it reads, what it answers, and how it runs. Routes and documents
// are generated from it; it is independent of HTTP.
import type { z } from 'zod';
import type { PortfolioSummary } from '../../core/portfolio/summary/portfolio-summary.ts';
import { reject } from '../../core/rejection.ts';
import type { PortfolioReport } from '../../core/report/report-shapes.ts';
import type { ReadHistory } from '../../engine/interface/news-api.ts';
import type { Operations, Outcome } from '../../engine/interface/operations.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import type { KeyNeed } from '../auth/key-needs.ts';
import { type ApiKey, owns } from '../auth/key-store.ts';
import type { IdempotencyStore } from '../http/idempotency.ts';
import type { WorkLimits } from '../http/work-limits.ts';
import type { Lane } from '../limits/limits.ts';
import { Refused } from '../wire/faults.ts';
import type { AccountDirectory } from './portfolio-record.ts';
import type { ReadCourse } from './read-course.ts';

/** What the portfolio operations need. */
export interface PortfolioRoutes {
  readonly operations: Operations;
  readonly accounts: AccountDirectory;
  /** Makes the report on a portfolio; absent where markets are not recorded. */
  readonly reportOn?:
    | ((portfolio: PortfolioId) => Promise<PortfolioReport | undefined>)
    | undefined;
  /** Reads past messages of a portfolio; absent where there is no ledger. */
  readonly historyOf?: ReadHistory | undefined;
  /** Reads the course of a portfolio; absent where there is no ledger. */
  readonly courseOf?: ReadCourse | undefined;
  /** Where idempotency keys are supported. */
  readonly once?: IdempotencyStore | undefined;
  /** Limits the cost of answers. */
  readonly work: WorkLimits;
}

/** The caller, and what the operation needs to answer. */
export interface PortfolioCall extends Omit<PortfolioRoutes, 'work'> {
  readonly key: ApiKey;
  /** Every value of the header Idempotency-Key. */
  readonly onceKeys?: readonly string[] | undefined;
  /** Records the account that a change affects, where the request need not name it. */
  readonly actsFor: (account: AccountId) => void;
}

/** The value of a successful request. */
export type PortfolioAnswer =
  | { readonly value: unknown; readonly isRepeated?: boolean | undefined }
  /** Serialised already. */
  | { readonly json: string }
  /** An HTML document, without the envelope. */
  | { readonly page: string };

export interface PortfolioMethod {
  /** The last segment of its path. */
  readonly name: string;
  readonly verb: 'GET' | 'POST';
  readonly lane: Lane;
  readonly needs: KeyNeed;
  readonly summary: string;
  /** Estimated minimum cost of the answer in milliseconds, derived from the request; absent: not charged. */
  readonly costMs?: ((asked: never) => number) | undefined;
  /** Parses the body, or the query of a GET. */
  readonly asked: z.ZodType;
  readonly value: z.ZodType;
  /**
   * `asked` is the output of the schema. Synchronous where nothing has to be waited for.
   * @throws Refused, or the ledger's error while it is unavailable.
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

/** The cast is safe: the schema's output is the input of `run`, as both come from one spec. */
export const portfolioMethod = <S extends z.ZodType>(spec: Spec<S>): PortfolioMethod => ({
  ...spec,
  run: (call, asked) => spec.run(call, asked as z.output<S>),
});

/** Portfolios of other accounts do not exist for the key. */
export async function ownPortfolio(
  operations: Operations,
  key: ApiKey,
  portfolio: PortfolioId,
): Promise<PortfolioSummary> {
  const summary = await operations.info(portfolio);
  if (summary !== undefined && owns(key, summary.account)) return summary;
  throw noSuchPortfolio();
}

export function noSuchPortfolio(): Refused {
  const message = 'portfolio not found; accepted: the id of a portfolio in an account of this key';
  return new Refused([reject('not_found', 'portfolioId', message)]);
}

/** Returns the value of a successful outcome; throws a refusal. */
export function granted<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.value;
  throw new Refused(outcome.rejections);
}
