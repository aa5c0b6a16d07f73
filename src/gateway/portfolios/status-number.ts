// The interface writes the status of a portfolio as a number: 1 active, 2 filled, 3 cancelled, 4 cancelling.
import type {
  ListedStatus,
  PortfolioStatus,
} from '../../core/portfolio/aggregate/portfolio-state.ts';

export type StatusNumber = 1 | 2 | 3 | 4;

const NUMBERS: Readonly<Record<PortfolioStatus, StatusNumber>> = {
  pending: 1,
  active: 1,
  filled: 2,
  cancelled: 3,
  cancelling: 4,
};
const WORDS: Readonly<Record<StatusNumber, ListedStatus>> = {
  1: 'active',
  2: 'filled',
  3: 'cancelled',
  4: 'cancelling',
};

export const statusNumber = (status: PortfolioStatus): StatusNumber => NUMBERS[status];
export const statusOfNumber = (number: StatusNumber): ListedStatus => WORDS[number];
