import { afterEach, expect, test } from 'vitest';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import { instant } from '../../../src/values/instant.ts';
import { keptAnswersConformance } from '../../conformance/kept-answers.ts';
import { createDatabase } from '../../support/daemon/services.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

keptAnswersConformance(async () => {
  const { connectionString, drop } = await createDatabase();
  cleanUp.push(drop);
  let now = instant(0);
  const ledger = await openPostgresLedger({ connectionString, now: () => now });
  cleanUp.push(() => ledger.close());
  return {
    kept: ledger.keptAnswers,
    setNow: (at) => {
      now = at;
    },
  };
});

test('first replies survive a restart', async () => {
  const { connectionString, drop } = await createDatabase();
  cleanUp.push(drop);
  const request = { key: 'k', digest: 'a', until: instant(4_000_000_000_000) };
  const before = await openPostgresLedger({ connectionString });
  await before.keptAnswers.claim(request);
  await before.keptAnswers.keep('k', '"first"');
  await before.close();
  const after = await openPostgresLedger({ connectionString });
  cleanUp.push(() => after.close());
  expect(await after.keptAnswers.claim(request)).toEqual({ kind: 'again', answer: '"first"' });
});
