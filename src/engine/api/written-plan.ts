// A serialized plan, together with the values that its verdict is computed from.
import type { Quantity } from '../../values/amounts.ts';
import type { PlanView } from '../interface/operations.ts';

/** The view for clients, and the same plan as values for the verdict. */
export interface WrittenPlan {
  readonly view: PlanView;
  /** The sizes of each leg, slice by slice; empty for a leg that follows fills. */
  readonly sizes: readonly (readonly Quantity[])[];
  /** When children are due, in epoch milliseconds; empty if only fills determine it. */
  readonly dueAts: readonly number[];
}
