// The legs of combos, which Deribit lists apart from the instruments.

import type { Fields } from '../../../ports/deribit-wire/message-fields.ts';
import { instrumentName } from '../../../values/ids.ts';
import type { ComboLeg } from '../../../values/instrument.ts';

/** `undefined` for what is no combo of several legs. @throws MalformedMessage */
export function comboLegsIn(combo: Fields): readonly ComboLeg[] | undefined {
  const legs = combo.each('legs').map((leg) => ({
    instrument: instrumentName(leg.text('instrument_name')),
    ratio: leg.whole('amount'),
  }));
  return legs.length >= 2 && legs.every(({ ratio }) => ratio !== 0) ? legs : undefined;
}
