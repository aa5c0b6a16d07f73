// Clears requests for tests that call a venue directly; the gate itself is tested elsewhere.
import type { RfqDesk, VenueRfqDesk } from '../../../src/ports/block-rfq.ts';
import type { Cleared } from '../../../src/ports/cleared.ts';

export const pastTheGate = <T>(request: T): Cleared<T> => request as Cleared<T>;

/** The Block RFQs of a venue as a gateway has them, with no gate between. */
export const ungated = (desk: VenueRfqDesk): RfqDesk => ({
  ...desk,
  create: (rfq) => desk.create(pastTheGate(rfq)),
  accept: (accept) => desk.accept(pastTheGate(accept)),
  quote: (quote) => desk.quote(pastTheGate(quote)),
  editQuote: (change) => desk.editQuote(pastTheGate(change)),
});
