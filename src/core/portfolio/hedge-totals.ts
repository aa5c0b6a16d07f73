// The totals of hedge legs in an amendment. A hedge keeps its proportion, such as 10,000 USD per option, whatever the
// totals of the legs it follows; only a request that names the hedge's own total sets another one.
import {
  equals,
  isPositive,
  larger,
  minus,
  plus,
  type Quantity,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { tradable } from '../../values/instrument.ts';
import { hedgeTarget } from '../schedule/catch-up.ts';
import { type AmendTerms, amendedSpec, type LegTerms } from '../terms/amend-terms.ts';
import type { LegSpec, PortfolioSpec } from '../terms/spec.ts';
import { hedgeBasisOf } from './aggregate/hedge-allowance.ts';
import type { PortfolioState } from './aggregate/portfolio-state.ts';
import { committedOf, legInstrument } from './aggregate/positions.ts';

/** The specification that an amendment makes, hedges included; `undefined` if it is already in force. */
export function specAfter(state: PortfolioState, terms: AmendTerms): PortfolioSpec | undefined {
  const { spec } = state;
  const totals = spec.legs.map(({ quantity }, index) => named(terms, index)?.quantity ?? quantity);
  const isResized = spec.legs.some(
    ({ hedge, quantity }, index) => !hedge && !equals(totals[index] ?? quantity, quantity),
  );
  if (!isResized) return amendedSpec(spec, terms);
  const followers = spec.legs.flatMap((leg, index): LegTerms[] => {
    const asked = named(terms, index);
    if (!leg.hedge || asked?.quantity !== undefined) return [];
    return [{ ...asked, index, ...keptProportion(state, { leg, index, totals }) }];
  });
  const others = terms.legs.filter(({ index }) => followers.every((one) => one.index !== index));
  return amendedSpec(spec, { ...terms, legs: [...others, ...followers] });
}

const named = ({ legs }: AmendTerms, leg: number): LegTerms | undefined =>
  legs.find(({ index }) => index === leg);

interface Follower {
  readonly leg: LegSpec;
  readonly index: number;
  /** Of all legs, as amended; that of the hedge itself does not count. */
  readonly totals: readonly Quantity[];
}

/** Never below what it has committed, and without a rest that could not be traded. */
function keptProportion(state: PortfolioState, { leg, index, totals }: Follower) {
  const hedgeBasis = hedgeBasisOf(state.spec, leg);
  const instrument = legInstrument(state, index);
  const whole = hedgeBasis[index] ?? leg.quantity;
  const others = state.spec.legs.flatMap((other, at) => {
    const [filled, total] = [totals[at] ?? other.quantity, hedgeBasis[at] ?? other.quantity];
    return other.hedge ? [] : [{ filled, total }];
  });
  const target = hedgeTarget({ whole }, others, instrument);
  const committed = committedOf(state, index);
  const left = larger(minus(target, committed), ZERO_QUANTITY);
  const rest = isPositive(left) ? tradable(instrument, left) : ZERO_QUANTITY;
  return { quantity: plus(committed, rest), hedgeBasis };
}
