// What every portfolio route says and asks alike: the shape of answers, whose portfolio it is, who acts.
import { z } from 'zod';
import type { Actor } from '../core/portfolio/spec.ts';
import type { PortfolioSummary } from '../core/portfolio/summary.ts';
import { reject } from '../core/rejection.ts';
import type { Operations, Outcome } from '../engine/operations.ts';
import type { PortfolioId } from '../values/ids.ts';
import { Refused } from './faults.ts';
import { type ApiKey, owns } from './key-store.ts';

/** The envelope around a value, for documents and checks. */
export const envelopeOf = <T extends z.ZodType>(value: T) => ({
  200: z.object({
    succ: z.boolean().describe('True on success'),
    code: z.int().describe('0 on success, else the code of the first fault'),
    message: z.string().describe('Empty on success'),
    value: value.nullable(),
    errors: z
      .array(z.object({ field: z.string(), code: z.int(), message: z.string() }))
      .describe('Every fault found; only on refusals')
      .optional(),
  }),
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

export const actor = ({ uid, nickname }: ApiKey): Actor => ({ uid, nickname });

/** The value of a granted request; a refusal is thrown. */
export function granted<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.value;
  throw new Refused(outcome.rejections);
}
