// How many requests of clients may wait for a portfolio. While the ledger does not write they are refused beyond a bound.
import type { PortfolioCommand } from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { type Rejection, reject } from '../../core/rejection.ts';

/** A command that waits for the next turn of its portfolio. */
export interface Waiting {
  readonly command: PortfolioCommand;
  /** Requested by a client. */
  readonly isRequest?: boolean;
  readonly done: (state: PortfolioState | undefined) => void;
  /** Why the latest decision refused it. */
  rejections?: readonly Rejection[];
}

/**
 * The outcome of a command that may be refused; no state if the portfolio does not exist or the engine has stopped.
 */
export interface Answered {
  readonly state: PortfolioState | undefined;
  readonly rejections: readonly Rejection[];
}

/**
 * The number of client requests that may wait for one portfolio's next turn; while the ledger does not write, clients
 * that give up and ask again would otherwise add to them without end.
 */
export const REQUESTS_WAITING_MAX = 32;

export const requestsIn = (waiting: readonly Waiting[]): readonly Waiting[] =>
  waiting.filter(({ isRequest }) => isRequest);

export function isCrowded(waiting: readonly Waiting[], { kind }: PortfolioCommand): boolean {
  if (waiting.length < REQUESTS_WAITING_MAX) return false;
  const requests = requestsIn(waiting);
  if (requests.length < REQUESTS_WAITING_MAX) return false;
  return kind !== 'cancel' || requests.some(({ command }) => command.kind === 'cancel');
}

export const CROWDED: Answered = {
  state: undefined,
  rejections: [
    reject(
      'unavailable',
      '',
      `${REQUESTS_WAITING_MAX} requests for this portfolio are waiting to be recorded; accepted: another once they are`,
    ),
  ],
};
