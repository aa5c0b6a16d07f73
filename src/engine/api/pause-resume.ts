// Pauses or resumes a portfolio; succeeds if it already is in that state.
import type { Actor } from '../../core/terms/spec.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import type { Outcome } from './change-operations.ts';
import { type FindActiveOptions, findActivePortfolio, STOPPING } from './find-active-portfolio.ts';

export interface Hold {
  readonly kind: 'pause' | 'resume';
  readonly portfolio: PortfolioId;
  readonly by: Actor;
  readonly account?: AccountId | undefined;
}

export async function pauseOrResume(parts: FindActiveOptions, hold: Hold): Promise<Outcome<null>> {
  const { engine, clock } = parts;
  const { kind, portfolio, by } = hold;
  const found = await findActivePortfolio(parts, hold);
  if (found.kind === 'refused') return found;
  const state = await engine.run(portfolio, { kind, now: clock.now(), by: by.uid });
  return state === undefined ? STOPPING : { kind: 'done', value: null };
}
