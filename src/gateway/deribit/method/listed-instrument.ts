// The instrument of a private call, among those that the account's exchange lists.
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { instrumentNotFound } from '../../order-api/find-instrument.ts';
import type { DeribitAnswer, PrivateCall } from './deribit-method.ts';

/** Runs with the instrument, or refuses its name. */
export function ifListed(
  { desk, now }: PrivateCall,
  name: InstrumentName,
  run: (instrument: Instrument) => DeribitAnswer,
): DeribitAnswer {
  const instrument = desk.instrument(name);
  return instrument === undefined
    ? instrumentNotFound(name, { markets: [desk], now })
    : run(instrument);
}
