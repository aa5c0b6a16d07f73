// The conformance suite of venues at Deribit's test network, with the credentials of an account there: `npm run
// test:deribit`. It places, edits and cancels small orders; the account needs test funds in BTC.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe } from 'vitest';
import { NETWORK, openDeribitVenue } from '../../src/adapters/deribit/open-deribit-venue.ts';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import { must } from '../../src/values/assert.ts';
import { accountId, instrumentName, venueName } from '../../src/values/ids.ts';
import { rng } from '../../src/values/rng.ts';
import { venueConformance } from '../conformance/venue.ts';
import { CLIENT_ID, CLIENT_SECRET } from './credentials.ts';

const ACCOUNT = accountId('1');
const PERPETUAL = instrumentName('BTC-PERPETUAL');
const WAIT_MS = 30_000;

const faults: unknown[] = [];
afterAll(() => {
  for (const fault of faults) console.error(fault);
});

async function staged() {
  const clock = new SystemClock({ unref: true });
  const venue = await openDeribitVenue({
    name: venueName('deribit'),
    line: NETWORK,
    url: 'wss://test.deribit.com/ws/api/v2',
    clock,
    expected: 'test',
    allowsLive: false,
    rng: rng('network'),
    skewMaxMs: 5_000,
    accounts: [
      {
        account: ACCOUNT,
        key: {
          kind: 'deribit',
          clientId: must(process.env[CLIENT_ID], CLIENT_ID),
          clientSecret: must(process.env[CLIENT_SECRET], CLIENT_SECRET),
        },
      },
    ],
    firstWaitMs: WAIT_MS,
    onFault: (error) => faults.push(error),
  });
  venue.watch(PERPETUAL);
  const until = performance.now() + WAIT_MS;
  while (venue.quote(PERPETUAL)?.bid === undefined) {
    if (performance.now() > until) throw new Error(venue.trouble() ?? 'no quote came');
    await sleep(100);
  }
  const close = async (): Promise<void> => {
    await venue.cancelAll({ account: ACCOUNT });
    await venue.close();
  };
  return {
    venue,
    close,
    account: ACCOUNT,
    instrument: PERPETUAL,
    passesCancelReasons: false,
    now: () => clock.now(),
    pass: (forMs: number) => sleep(forMs),
  };
}

describe("DeribitVenue at Deribit's test network", () => {
  venueConformance(staged);
});
