// Why a daemon is not ready, as `/readyz` and the gauge say it.
import { expect, test } from 'vitest';
import { type Needed, readiness } from '../../../src/main/lifecycle/readiness.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';

/** Ready but for what is changed. */
const needed = (changes: Partial<Needed> = {}): Needed => ({
  engine: { isReady: true },
  barrier: { accounts: () => [] },
  disk: { reasonsNotReady: () => [] },
  ledger: { setMetadata: () => Promise.resolve() },
  observer: { observe: () => undefined, programmingErrors: () => [] },
  queue: { pulse: () => ({ connected: true, canaryAgeMs: 0 }) } as Needed['queue'],
  venues: { all: () => [], forAccount: () => undefined },
  ...changes,
});

test('a daemon whose parts all answer is ready', async () => {
  expect(await readiness(needed())).toEqual([]);
});

test('a daemon whose disk is nearly full is not ready, and the folder comes first', async () => {
  const full = 'disk: /data: 0.0 % free (0 B of 1.0 GiB); free some, or enlarge the disk';
  const ledger = { setMetadata: () => Promise.reject(new Error('No space left on device')) };
  const reasons = await readiness(needed({ disk: { reasonsNotReady: () => [full] }, ledger }));
  expect(reasons).toEqual([full, 'ledger: No space left on device']);
});

test('a daemon whose database can be read and not written is not ready', async () => {
  const refused = new LedgerFailure('cannot execute INSERT in a read-only transaction', false);
  const ledger = { setMetadata: () => Promise.reject(refused) };
  expect(await readiness(needed({ ledger }))).toEqual([`ledger: ${refused.message}`]);
});

test('a queue whose Redis is full is a reason with what Redis says', async () => {
  const refusal = "OOM command not allowed when used memory > 'maxmemory'.";
  const pulse = () => ({ connected: true, canaryAgeMs: 20_001, refusal });
  const queue = { pulse } as Needed['queue'];
  expect(await readiness(needed({ queue }))).toEqual([
    `queue: no job has come through lately: Redis refuses them (${refusal})`,
  ]);
});

test('the database is written once for all that ask within a second', async () => {
  const written: string[] = [];
  const ledger = {
    setMetadata: (name: string) => {
      written.push(name);
      return Promise.resolve();
    },
  };
  await Promise.all([readiness(needed({ ledger })), readiness(needed({ ledger }))]);
  await readiness(needed({ ledger }));
  expect(written).toEqual(['readiness']);
});
