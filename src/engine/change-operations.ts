// What can be asked of a portfolio that is at work, beside its end.
import type { Actor } from '../core/portfolio/spec.ts';
import type { Rejection } from '../core/rejection.ts';
import type { AccountId, PortfolioId } from '../values/ids.ts';

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly rejections: readonly Rejection[] };

/** All refuse unknown, finished and mirroring portfolios, and one of another account when `account` is given. */
export interface ChangeOperations {
  /** Takes back what rests and places nothing until resumed; the schedule's time goes on. Repeating it changes nothing. */
  pause(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<null>>;
  resume(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<null>>;
}
