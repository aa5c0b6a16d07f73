import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../../src/adapters/postgres/postgres-ledger.ts';
import { must } from '../../src/values/assert.ts';
import { instant } from '../../src/values/instant.ts';
import { turnWith } from '../conformance/ledger-stage.ts';
import { turnLogConformance } from '../conformance/turn-log.ts';
import { createDatabase } from '../support/services.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function open(): Promise<{ ledger: PostgresLedger; connectionString: string }> {
  const { connectionString, drop } = await createDatabase();
  cleanUp.push(drop);
  const ledger = await openPostgresLedger({ connectionString });
  cleanUp.push(() => ledger.close());
  return { ledger, connectionString };
}

turnLogConformance(async () => {
  const { ledger } = await open();
  return { ledger, log: ledger.turnLog };
});

const AT = 1_900_000_000_000;
const telling = (turn: number, atMs: number) =>
  turnWith(7, turn, { turn: { tells: 1 }, row: { updatedAt: instant(atMs) } });

test('shows a turn when the transactions in front of it have ended, and not before', async () => {
  const { ledger, connectionString } = await open();
  const slow = new Client({ connectionString });
  await slow.connect();
  cleanUp.push(() => slow.end());
  await slow.query('BEGIN');
  await slow.query('SELECT pg_current_xact_id()');
  await ledger.commit([telling(0, AT)]);
  expect(await ledger.turnLog.groupsFrom(0n, 10)).toHaveLength(1);
  expect(await ledger.turnLog.newestPosition()).toBe(0n);
  await slow.query('COMMIT');
  expect(await ledger.turnLog.groupsFrom(0n, 10)).toHaveLength(2);
  expect(await ledger.turnLog.newestPosition()).toBeGreaterThan(0n);
});

test('does not wait for transactions of other databases of the server', async () => {
  const [{ ledger }, { connectionString }] = [await open(), await open()];
  const foreign = new Client({ connectionString });
  await foreign.connect();
  cleanUp.push(() => foreign.end());
  await foreign.query('BEGIN');
  await foreign.query('SELECT pg_current_xact_id()');
  await ledger.commit([telling(0, AT)]);
  expect(await ledger.turnLog.groupsFrom(0n, 10)).toHaveLength(2);
});

test('forgets what is old, never the newest', async () => {
  const { ledger } = await open();
  for (let turn = 0; turn < 6; turn += 1) await ledger.commit([telling(turn, AT + turn)]);
  const groups = must(await ledger.turnLog.groupsFrom(0n, 10), 'nothing is forgotten yet');
  await ledger.turnLog.forget(instant(AT + 3));
  expect(await ledger.turnLog.groupsFrom(0n, 10)).toBeUndefined();
  const kept = must(groups[3], 'a group for each turn');
  expect(await ledger.turnLog.groupsFrom(kept.position, 10)).toEqual(groups.slice(3));
  await ledger.turnLog.forget(instant(AT + 1_000));
  const newest = must(groups.at(-1), 'a group for each turn');
  expect(await ledger.turnLog.newestPosition()).toBe(newest.position);
  expect(await ledger.turnLog.groupsFrom(newest.position, 10)).toEqual([newest]);
});
