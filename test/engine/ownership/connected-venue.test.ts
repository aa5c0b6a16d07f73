// A venue whose accounts have connections of their own is the venue itself, as long as the connections are there.
import { describe } from 'vitest';
import { ConnectedVenue } from '../../../src/engine/ownership/connected-venue.ts';
import { must } from '../../../src/values/assert.ts';
import { ACCOUNT, BTC, paperStage } from '../../adapters/paper/paper-stage.ts';
import { MAKERS, RFQ_ACCOUNTS, TAKER } from '../../adapters/paper/rfq-accounts.ts';
import { blockRfqConformance } from '../../conformance/block-rfq.ts';
import { comboConformance } from '../../conformance/combos.ts';
import { marginConformance } from '../../conformance/margins.ts';
import { venueConformance } from '../../conformance/venue.ts';
import { ungated } from '../../support/engine/past-the-gate.ts';

function connected(options: Parameters<typeof paperStage>[0] = {}) {
  const { venue: paper, clock, pass } = paperStage(options);
  const venue = new ConnectedVenue(paper, {
    request: (_account, send) => send(),
    trade: (_account, send) => send(),
  });
  const close = (): Promise<void> => paper.close();
  return { venue, clock, pass, close, now: () => clock.now(), account: ACCOUNT, instrument: BTC };
}

describe('ConnectedVenue', () => venueConformance(() => Promise.resolve(connected())));

describe('combos of a ConnectedVenue', () => comboConformance(() => Promise.resolve(connected())));

describe('margins of a ConnectedVenue', () => {
  marginConformance(() => Promise.resolve(connected()));
});

describe('Block RFQs of a ConnectedVenue', () => {
  blockRfqConformance(() => {
    const { venue, pass, close } = connected({ accounts: RFQ_ACCOUNTS });
    const rfqs = ungated(must(venue.rfqs, 'the paper exchange has Block RFQs'));
    const who = { taker: TAKER, makers: MAKERS, perpetual: BTC };
    return Promise.resolve({ rfqs, venue, pass, close, ...who });
  });
});
