import { describe, expect } from 'vitest';
import { venueConformance } from '../../conformance/venue.ts';
import { ACCOUNT, BTC } from '../paper/paper-stage.ts';
import { until } from '../until.ts';
import { connectTo, serveExchange } from './remote-stage.ts';

async function staged() {
  const exchange = await serveExchange();
  const { venue, now, pass, faults } = await connectTo(exchange.url);
  const close = async (): Promise<void> => {
    await venue.close();
    await exchange.close();
    expect(faults).toEqual([]);
  };
  return { venue, now, pass, close, account: ACCOUNT, instrument: BTC };
}

describe('RemoteVenue at a paper exchange over a real socket', () => {
  venueConformance(async () => {
    const stage = await staged();
    const { venue, instrument } = stage;
    venue.watch(instrument);
    await until(() => venue.quote(instrument)?.bid !== undefined);
    return stage;
  });
});
