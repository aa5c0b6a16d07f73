import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../../../src/adapters/postgres/postgres-ledger.ts';
import type { TurnLog } from '../../../src/ports/turn-log.ts';
import { must } from '../../../src/values/assert.ts';
import { instant } from '../../../src/values/instant.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';
import { turnLogConformance } from '../../conformance/turn-log.ts';
import { createDatabase } from '../../support/daemon/services.ts';

const AT = 1_900_000_000_000;
/** A position beyond any transaction. */
const FAR = 2n ** 62n;

const telling = (turn: number, atMs: number) =>
  turnWith(7, turn, { turn: { tells: 1 }, row: { updatedAt: instant(atMs) } });

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

/** Consumes transaction numbers until `beyond` has ended: log rows below it become visible. */
const TAKE_NUMBERS = (beyond: bigint) => `DO $$ BEGIN
  WHILE pg_current_xact_id() <= '${beyond}'::xid8 LOOP COMMIT; END LOOP;
END $$`;

/** Moves the rows of the commits to given positions: the server's own counter cannot be set. */
const MOVE = `UPDATE turn_log SET position = (placed.to)::text::xid8
FROM (SELECT place, $1::bigint - 1 + row_number() OVER (ORDER BY place) AS to
  FROM (SELECT turn_log.position AS place FROM turn_log) AS rows) AS placed
WHERE turn_log.position = placed.place`;

async function logAt(first: bigint, count: number): Promise<TurnLog> {
  const { ledger, connectionString } = await open();
  for (let turn = 1; turn < count; turn += 1) await ledger.commit([telling(turn - 1, AT)]);
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(TAKE_NUMBERS(first + BigInt(count)));
    // Moved far away first: no two rows may share a position even for a moment.
    await client.query(MOVE, [String(FAR)]);
    await client.query(MOVE, [String(first)]);
  } finally {
    await client.end();
  }
  return ledger.turnLog;
}

turnLogConformance(async () => {
  const { ledger } = await open();
  return { ledger, log: ledger.turnLog };
}, logAt);

test('a turn is shown once the transactions before it have ended, and not earlier', async () => {
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

test('transactions of other databases of the server do not delay the log', async () => {
  const [{ ledger }, { connectionString }] = [await open(), await open()];
  const foreign = new Client({ connectionString });
  await foreign.connect();
  cleanUp.push(() => foreign.end());
  await foreign.query('BEGIN');
  await foreign.query('SELECT pg_current_xact_id()');
  await ledger.commit([telling(0, AT)]);
  expect(await ledger.turnLog.groupsFrom(0n, 10)).toHaveLength(2);
});

test('old rows are deleted, but never the newest', async () => {
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
