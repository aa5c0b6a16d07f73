import { describe, expect } from 'vitest';
import { blockRfqConformance } from '../../conformance/block-rfq.ts';
import { BTC } from '../paper/paper-stage.ts';
import { MAKERS, RFQ_ACCOUNTS, TAKER } from '../paper/rfq-accounts.ts';
import { ALL_CREDENTIALS, connectTo, jumpAhead, serveExchange } from './remote-stage.ts';

/** Longer waits are jumps of the clocks; a query makes the exchange process what is due. */
const JUMPS_FROM_MS = 1_000;

describe('the Block RFQs of RemoteVenue at a paper exchange over a real socket', () => {
  blockRfqConformance(async () => {
    const exchange = await serveExchange({ accounts: RFQ_ACCOUNTS });
    const { venue, faults, ...rest } = await connectTo(exchange.url, {
      credentials: ALL_CREDENTIALS,
    });
    const { rfqs } = venue;
    const pass = async (forMs: number): Promise<void> => {
      if (forMs < JUMPS_FROM_MS) return await rest.pass(forMs);
      jumpAhead(forMs);
      await rfqs.makers(TAKER);
    };
    const close = async (): Promise<void> => {
      await venue.close();
      await exchange.close();
      expect(faults).toEqual([]);
    };
    return { rfqs, venue, pass, close, taker: TAKER, makers: MAKERS, perpetual: BTC };
  });
});
