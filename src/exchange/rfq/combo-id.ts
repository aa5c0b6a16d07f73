// The combo name of a Block RFQ, if it has one: single legs, future spreads, call and put spreads, straddles and
// strangles, listed from the buyer's side. Any other structure is custom and has no name.
import { toNumber } from '../../values/amounts.ts';
import { type Instrument, signOf } from '../../values/instrument.ts';
import { namedStructure } from '../structures/combo-name.ts';
import type { RfqLeg } from './rfq.ts';

const CODES: ReadonlySet<string> = new Set(['FS', 'CS', 'PS', 'STRD', 'STRG']);

export function comboIdOf(
  legs: readonly (Pick<RfqLeg, 'side' | 'ratio'> & { readonly of: Instrument })[],
): string | undefined {
  const [first, ...others] = legs;
  if (first === undefined || legs.some(({ ratio }) => toNumber(ratio) !== 1)) return undefined;
  if (others.length === 0) return first.side === 'buy' ? first.of.name : undefined;
  const named = namedStructure(legs.map(({ of, side }) => ({ of, ratio: signOf(side) })));
  if (named === undefined || !CODES.has(named.code)) return undefined;
  const isBought = named.legs.some(
    ({ of, ratio }) => of === first.of && ratio === signOf(first.side),
  );
  return isBought ? named.name : undefined;
}
