// The status column of the portfolio table, a smallint: 1 active, 2 filled, 3 cancelled, 4 cancelling.
import type { ListedStatus } from '../../core/portfolio/aggregate/portfolio-state.ts';

export type StoredStatus = 1 | 2 | 3 | 4;

const STORED: Readonly<Record<ListedStatus, StoredStatus>> = {
  active: 1,
  filled: 2,
  cancelled: 3,
  cancelling: 4,
};
const LISTED: Readonly<Record<StoredStatus, ListedStatus>> = {
  1: 'active',
  2: 'filled',
  3: 'cancelled',
  4: 'cancelling',
};

export const storedStatus = (status: ListedStatus): StoredStatus => STORED[status];
export const listedOf = (stored: StoredStatus): ListedStatus => LISTED[stored];
