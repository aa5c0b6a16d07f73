// The real daemon while its PostgreSQL is stopped, its connections are killed, its replies lost, its tables locked,
// its disk full. While the ledger cannot write nothing is sent; afterwards each portfolio ends with its exact
// total.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/adapters/postgres/private-server/embedded-postgres.ts';
import { FaultStage } from '../support/daemon/fault-stage.ts';
import { smallDisk } from '../support/daemon/full-disk.ts';
import { course } from '../support/engine/two-legs.ts';

const SECONDS = 4;
const QUIET = { info: () => undefined, warn: () => undefined };
const CONNECTIONS = 24;
/** Longer than the auditor's grace period for a fill: while nothing can be booked, nothing counts as unbooked. */
const BEYOND_GRACE_MS = 5_000;
/** Orders that became durable before the fault may still be sent: they have been once none was for this long. Slices are a second apart. */
const QUIET_MS = 400;

const disk = smallDisk(256);
let postgresDir: string;
let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open({
    deployment: 'lflt',
    ownPostgres: { max_connections: String(CONNECTIONS), max_wal_size: '64MB' },
    ...(disk && { postgresDir: join(disk.folder, 'postgres') }),
  });
  const socket = new URL(stage.databaseUrl.replace('@/', '@placeholder/')).searchParams.get('host');
  postgresDir = join(socket ?? '', '..');
});
afterAll(async () => {
  // Absent if it could not be opened.
  await (stage as FaultStage | undefined)?.close();
  disk?.remove();
});

const postmaster = (): number =>
  Number(readFileSync(join(postgresDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);

async function through(name: string, fault: () => Promise<void>): Promise<void> {
  const id = await stage.submit(course(SECONDS), name);
  await sleep(500);
  await fault();
  await stage.filled(id);
}

/** Asserts that no order is sent while the fault leaves the daemon without a ledger. */
async function silentFor(delayMs: number): Promise<void> {
  let before: number;
  do {
    before = stage.lines.venue.count;
    await sleep(QUIET_MS);
  } while (stage.lines.venue.count > before);
  // Absence: an order that was not durable would be sent.
  await sleep(delayMs);
  expect(stage.lines.venue.count).toBe(before);
}

async function inDatabase(use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: stage.databaseUrl });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

test('a portfolio ends exactly after an immediate stop and a restart of PostgreSQL', () =>
  through('immediate', async () => {
    process.kill(postmaster(), 'SIGQUIT');
    await silentFor(1_500);
    await startEmbeddedPostgres({ dataDir: postgresDir, log: QUIET, settings: { fsync: 'off' } });
  }));

test('a portfolio ends exactly while database connections are killed continuously', () =>
  through('killed', () =>
    inDatabase(async (client) => {
      for (let at = 0; at < 2_500; at += 150) {
        await client.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
        await sleep(150);
      }
    }),
  ));

test.each(['before', 'after'] as const)(
  'a portfolio ends exactly after five or more connections lost %s a commit is answered',
  (when) =>
    through(`cut ${when}`, async () => {
      const { database } = stage.lines;
      for (let n = 0; n < 5; n += 1) await database.strike({ nth: 1, when });
      for (const nth of [2, 3]) await database.strike({ nth, when });
    }),
);

test('a portfolio ends exactly after the database connection falls silent', () =>
  through('silent', async () => {
    const { database } = stage.lines;
    database.isSilent = true;
    await silentFor(2_500);
    database.speak();
  }));

test('a portfolio ends exactly after another session has locked a table', () =>
  through('locked', () =>
    inDatabase(async (client) => {
      await client.query('BEGIN; LOCK TABLE turn IN ACCESS EXCLUSIVE MODE');
      await silentFor(BEYOND_GRACE_MS);
      await client.query('COMMIT');
    }),
  ));

test('a portfolio ends exactly after the server was read-only', () =>
  through('read only', () =>
    inDatabase(async (client) => {
      await client.query('ALTER SYSTEM SET default_transaction_read_only = on');
      await client.query('SELECT pg_reload_conf()');
      await silentFor(BEYOND_GRACE_MS);
      await client.query('SET default_transaction_read_only = off');
      await client.query('ALTER SYSTEM RESET default_transaction_read_only');
      await client.query('SELECT pg_reload_conf()');
    }),
  ));

test('a portfolio ends exactly after the server had no free connections', () =>
  through('no connection', async () => {
    const held: Client[] = [];
    await inDatabase(async (client) => {
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      for (;;) {
        const one = new Client({ connectionString: stage.databaseUrl });
        one.on('error', () => undefined);
        try {
          await one.connect();
          held.push(one);
        } catch (error) {
          expect(String(error)).toContain('too many clients');
          break;
        }
      }
    });
    await sleep(1_500);
    await Promise.all(held.map((one) => one.end()));
  }));

if (disk !== undefined) {
  test('a portfolio ends exactly after a full disk, once there is space again', () =>
    through('full', async () => {
      disk.fill();
      await expect(
        inDatabase(async (client) => {
          await client.query(
            "CREATE TABLE filler AS SELECT repeat('x', 1000) FROM generate_series(1, 100000)",
          );
        }),
      ).rejects.toThrow(/No space left|terminat|closed/);
      await sleep(BEYOND_GRACE_MS);
      disk.free();
      // If the server gave up, it is started again.
      await startEmbeddedPostgres({ dataDir: postgresDir, log: QUIET, settings: { fsync: 'off' } });
    }));
}

test('after all ledger faults the daemon is ready, and ledger and exchange agree', async () => {
  await stage.ready();
  await stage.expectSameBooks();
});
