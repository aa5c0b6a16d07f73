import { describe, expect } from 'vitest';
import { comboConformance } from '../../../conformance/combos.ts';
import { ACCOUNT, BTC } from '../../paper/paper-stage.ts';
import { connectTo } from '../connect-deribit.ts';
import { serveDeribit } from '../deribit-stage.ts';

describe('the combos of the Deribit adapter at a paper exchange over a real socket', () => {
  comboConformance(async () => {
    const exchange = await serveDeribit();
    const { venue, now, pass, faults } = await connectTo(exchange.url);
    const close = async (): Promise<void> => {
      await venue.close();
      await exchange.close();
      expect([faults, exchange.reported]).toEqual([[], []]);
    };
    return { venue, now, pass, close, account: ACCOUNT, instrument: BTC };
  });
});
