import { describe, expect } from 'vitest';
import { venueConformance } from '../../conformance/venue.ts';
import { ACCOUNT, BTC } from '../paper/paper-stage.ts';
import { until } from '../until.ts';
import { connectTo } from './connect-deribit.ts';
import { serveDeribit } from './deribit-stage.ts';

async function staged() {
  const exchange = await serveDeribit();
  const { venue, now, pass, faults } = await connectTo(exchange.url);
  const close = async (): Promise<void> => {
    await venue.close();
    await exchange.close();
    expect(faults).toEqual([]);
  };
  return {
    venue,
    now,
    pass,
    close,
    account: ACCOUNT,
    instrument: BTC,
    passesCancelReasons: false,
  };
}

describe('DeribitVenue at a paper exchange over a real socket', () => {
  venueConformance(async () => {
    const stage = await staged();
    const { venue, instrument } = stage;
    venue.watch(instrument);
    await until(() => venue.quote(instrument)?.bid !== undefined);
    return stage;
  });
});
