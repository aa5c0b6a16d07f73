// A plan written out for people, with what its verdict is about beside it.
import type { Quantity } from '../../values/amounts.ts';
import type { PlanView } from './operations.ts';

/** With what the verdict is about, as values. */
export interface WrittenPlan {
  readonly view: PlanView;
  /** Of each leg, slice by slice; empty for one that follows fills. */
  readonly sizes: readonly (readonly Quantity[])[];
  /** When children are due, epoch milliseconds; none where only fills decide. */
  readonly dueAts: readonly number[];
}
