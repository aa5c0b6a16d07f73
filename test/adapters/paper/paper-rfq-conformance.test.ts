import { describe } from 'vitest';
import { blockRfqConformance } from '../../conformance/block-rfq.ts';
import { BTC, paperStage } from './paper-stage.ts';
import { MAKERS, RFQ_ACCOUNTS, TAKER } from './rfq-accounts.ts';

describe('PaperRfqDesk in virtual time', () => {
  blockRfqConformance(() => {
    const { venue, pass } = paperStage({ accounts: RFQ_ACCOUNTS });
    const close = (): Promise<void> => venue.close();
    const { rfqs } = venue;
    return Promise.resolve({
      rfqs,
      venue,
      pass,
      close,
      taker: TAKER,
      makers: MAKERS,
      perpetual: BTC,
    });
  });
});
