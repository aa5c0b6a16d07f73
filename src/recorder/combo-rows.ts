// The legs of recorded combos: rows of `combos.csv`, which replaying reads instead of taking a combo's name apart.
import type { Instrument } from '../values/instrument.ts';

export const COMBOS_FILE = 'combos.csv';
export const COMBOS_HEADER = 'exchange,symbol,leg,ratio';

/** One for each leg; none if it is not a combo. */
export const comboLines = (exchange: string, { name, legs = [] }: Instrument): readonly string[] =>
  legs.map(({ instrument, ratio }) => [exchange, name, instrument, ratio].join(','));
