// PT-6: a strategy that has submitted so many portfolios by itself, or a portfolio whose orders are refused
// again and again, is stopped until a named person switches it on again. No restart or new day counts anew.
import type { GateFault } from './gate-order.ts';

/** How often a strategy ran since a person last switched it on. */
export interface Executions {
  /** The switch setting from which they are counted; 0 when it was never set. */
  readonly since: number;
  readonly count: number;
}

/** As written in the ledger; anything else counts from nothing. */
export function readExecutions(mark: string | undefined): Executions {
  const [since, count] = (mark ?? '').split(':').map(Number);
  const isWhole = Number.isSafeInteger(since) && Number.isSafeInteger(count);
  return isWhole ? { since: since ?? 0, count: count ?? 0 } : { since: 0, count: 0 };
}

export const executionsText = ({ since, count }: Executions): string => `${since}:${count}`;

/** One more, unless the limit is reached. A later switching on by a person begins anew. */
export function oneMore(
  before: Executions,
  switchedOnAt: number,
  max: number,
): { readonly after: Executions } | { readonly fault: GateFault } {
  const isAnew = switchedOnAt > before.since;
  const count = isAnew ? 0 : before.count;
  if (count >= max) {
    const why = `has run ${count} times since somebody last switched it on, the most it may by itself`;
    return { fault: { why, limit: String(max), input: String(count) } };
  }
  return { after: { since: Math.max(switchedOnAt, before.since), count: count + 1 } };
}
