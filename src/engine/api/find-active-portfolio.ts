// Finds the portfolio that a change refers to, or explains why it can no longer be changed.
import { isTerminal } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { type Rejection, type RejectionKind, reject } from '../../core/rejection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger, StoredRow } from '../../ports/ledger.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import type { Engine } from '../engine.ts';
import type { Outcome } from '../interface/change-operations.ts';
import type { Answered } from '../turns/waiting-requests.ts';

export interface FindActiveOptions {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** The engine accepts no more commands. */
export const STOPPING = {
  kind: 'refused',
  rejections: [reject('unavailable', '', 'the daemon is stopping; ask again when it is up')],
} as const;

/** Why a request was not applied, if it was not. */
export function refusalOf({ state, rejections }: Answered): Refusal | undefined {
  if (rejections.length > 0) return { kind: 'refused', rejections };
  return state === undefined ? STOPPING : undefined;
}

interface Refusal {
  readonly kind: 'refused';
  readonly rejections: readonly Rejection[];
}

interface Asked {
  readonly portfolio: PortfolioId;
  readonly account?: AccountId | undefined;
}

/** Returns a portfolio that is active and trades on its own, i.e. mirrors no other. */
export async function findActivePortfolio(
  { ledger }: Pick<FindActiveOptions, 'ledger'>,
  { portfolio, account }: Asked,
): Promise<Outcome<StoredRow>> {
  const row = await ledger.row(portfolio);
  if (row === undefined || (account !== undefined && row.account !== account)) {
    return refused('not_found', `${portfolio} is not a portfolio of this account`);
  }
  if (isTerminal(row.status)) {
    return refused('not_active', `${portfolio} is over: ${row.record.status}`);
  }
  if (row.status === 'cancelling') return refused('not_active', `${portfolio} is being cancelled`);
  if (row.record.mirrorOf !== undefined) {
    const message = `${portfolio} mirrors ${row.record.mirrorOf}; accepted: the portfolio it mirrors`;
    return refused('invalid_parameter', message);
  }
  return { kind: 'done', value: row };
}

const refused = (kind: RejectionKind, message: string): Refusal => ({
  kind: 'refused',
  rejections: [reject(kind, 'portfolioId', message)],
});
