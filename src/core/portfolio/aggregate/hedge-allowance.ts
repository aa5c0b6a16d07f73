// What the fills of the other legs require of a hedge leg. The proportion is the one of the submit, or of the latest
// amendment that named the hedge's total: other amendments change totals and leave it as it was.
import type { Quantity } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import { hedgeTarget } from '../../schedule/catch-up.ts';
import type { LegSpec, PortfolioSpec } from '../../terms/spec.ts';
import type { PortfolioState } from './portfolio-state.ts';

type View = Pick<PortfolioState, 'spec' | 'instruments'>;

/** The totals of all legs, by index, that the proportion of a hedge leg was set with. */
export const hedgeBasisOf = ({ legs }: PortfolioSpec, { hedgeBasis }: LegSpec) =>
  hedgeBasis ?? legs.map(({ quantity }) => quantity);

/** What a hedge leg should have, once each other leg has `reachedOf` it; legs without an answer do not count. */
export function hedgeAllowance(
  { spec, instruments }: View,
  leg: number,
  reachedOf: (other: number) => Quantity | undefined,
): Quantity {
  const own = must(spec.legs[leg], () => `leg ${leg} exists`);
  const basis = hedgeBasisOf(spec, own);
  const others = spec.legs.flatMap((other, index) => {
    const filled = other.hedge ? undefined : reachedOf(index);
    return filled === undefined ? [] : [{ filled, total: basis[index] ?? other.quantity }];
  });
  const instrument = must(instruments.get(own.instrument), () => `${own.instrument} is known`);
  const whole = basis[leg] ?? own.quantity;
  return hedgeTarget({ whole, most: own.quantity }, others, instrument);
}
