// A mirror's share of the portfolio it mirrors: totals and sums of fills times its scale, on the lot grid. A share is
// the difference of two rounded sums, so that rounding errors never accumulate and the total is exact.
import {
  larger,
  onStep,
  type Quantity,
  quantity,
  type Ratio,
  share,
  text,
} from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { TermsRecord } from './amend-terms.ts';
import type { PortfolioSpec } from './spec.ts';

type Grid = Pick<Instrument, 'amountStep' | 'minAmount'>;
type Instruments = ReadonlyMap<string, Instrument>;

/** Half a lot rounds up. */
export const scaledQuantity = (of: Quantity, scale: Ratio | undefined, grid: Grid): Quantity =>
  scale === undefined ? of : onStep(share(of, scale), grid.amountStep, 'half_up');

/** A total that can be planned: never below the instrument's minimum. */
const scaledTotal = (of: Quantity, scale: Ratio | undefined, grid: Grid): Quantity =>
  larger(scaledQuantity(of, scale, grid), onStep(grid.minAmount, grid.amountStep, 'up'));

const gridOf = (instruments: Instruments, name: string): Instrument =>
  must(instruments.get(name), `a mirror knows ${name}`);

/** The specification of the mirror of `spec`. */
export function scaledSpec(
  spec: PortfolioSpec,
  scale: Ratio | undefined,
  instruments: Instruments,
): PortfolioSpec {
  if (scale === undefined) return spec;
  const legs = spec.legs.map((leg) => {
    const grid = gridOf(instruments, leg.instrument);
    return { ...leg, quantity: scaledTotal(leg.quantity, scale, grid) };
  });
  return { ...spec, legs, scale };
}

/** The terms of the mirrored portfolio, scaled for its mirror. */
export function scaledTerms(
  terms: TermsRecord,
  { spec, instruments }: { readonly spec: PortfolioSpec; readonly instruments: Instruments },
): TermsRecord {
  if (spec.scale === undefined) return terms;
  const legs = terms.legs.map((leg, index) => {
    const name = must(spec.legs[index], `a mirror has leg ${index}`).instrument;
    const total = scaledTotal(quantity(leg.quantity), spec.scale, gridOf(instruments, name));
    return { ...leg, quantity: text(total) };
  });
  return { ...terms, legs };
}
