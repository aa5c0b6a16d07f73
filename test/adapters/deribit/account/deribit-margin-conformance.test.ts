import { describe, expect } from 'vitest';
import { marginConformance } from '../../../conformance/margins.ts';
import { ACCOUNT, BTC } from '../../paper/paper-stage.ts';
import { until } from '../../until.ts';
import { connectTo } from '../connect-deribit.ts';
import { serveDeribit } from '../deribit-stage.ts';

describe('what orders need, by the Deribit adapter at a paper exchange over a real socket', () => {
  marginConformance(async () => {
    const exchange = await serveDeribit();
    const { venue, now, pass, faults } = await connectTo(exchange.url);
    venue.watch(BTC);
    await until(() => venue.quote(BTC)?.bid !== undefined);
    const close = async (): Promise<void> => {
      await venue.close();
      await exchange.close();
      expect([faults, exchange.reported]).toEqual([[], []]);
    };
    return { venue, now, pass, close, account: ACCOUNT, instrument: BTC };
  });
});
