// Opens ledgers that earlier versions left, continues them at their own time and audits them: ended
// portfolios read the same, active ones reach their end, and the audit finds nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { openLog } from '../../../src/adapters/telemetry/log/logger.ts';
import { drainAndStop } from '../../../src/lifetime/lifetime.ts';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { lockDataDir } from '../../../src/main/data-dir.ts';
import { auditLedger } from '../../../src/main/ledger/audit-ledger.ts';
import { type Wired, wire } from '../../../src/main/wiring/wire.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import {
  KEPT_LEDGERS,
  type KeptLedger,
  type KeptPortfolio,
  restoreFiles,
  restoreLedger,
} from '../../fixtures/kept-ledger.ts';
import { addressOf, createEmptyDatabase, redisUrl } from '../../support/daemon/services.ts';

const END_MS_MAX = 300_000;
const TIMEOUT_MS = 600_000;
/** The daemon's downtime, as far as the ledger knows. */
const AWAY_MS = 1_500;
const BY = { uid: '1001', nickname: 'Demo taker' };
const STATUS = { filled: 2, cancelled: 3 } as const;

const isAtWork = ({ record }: KeptPortfolio): boolean => record.portfolioStatus === 1;
/** Each leg as text, with one of its quantities. */
const shown =
  <K extends string>(quantity: K) =>
  (leg: { readonly instrument: string } & Readonly<Record<K, string>>): string =>
    `${leg.instrument} ${leg[quantity]}`;

async function recordOf({ operations }: Wired, id: string) {
  const record = must(await operations.info(portfolioId(id)), `portfolio ${id} is stored`);
  return { status: record.status, filled: record.legs.map(shown('filled')) };
}

/** The number of turns that are stored. */
async function turnsOf(connectionString: string): Promise<number> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ turns: number }>(
      'SELECT count(*)::int AS turns FROM turn',
    );
    return must(rows[0], 'one row').turns;
  } finally {
    await client.end();
  }
}

async function opened(kept: KeptLedger, folder: string, databaseUrl: string): Promise<Wired> {
  const dataDir = join(folder, 'data');
  const configPath = join(folder, 'config.yaml');
  const paper = readFileSync('config/paper.yaml', 'utf8')
    .replace(/deployment: \w+/, `deployment: ${kept.deployment}`)
    .replace(/dataDir: .*/, `dataDir: ${dataDir}`)
    .replace(/durationSec: .*/, 'durationSec: { min: 1, max: 86400 }');
  writeFileSync(configPath, paper);
  restoreFiles(kept.name, dataDir);
  const given = new Map([
    ['DATABASE_URL', databaseUrl],
    ['REDIS_URL', `unix://${redisUrl()}`],
  ]);
  const reading = loadConfig(configPath, { environment: (variable) => given.get(variable) });
  if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
  const behindMs = Date.now() - kept.stoppedAt - AWAY_MS;
  return await wire({
    config: reading.value,
    dataDir: lockDataDir(dataDir),
    log: openLog({ level: 'error', format: 'json', fields: {}, secrets: [] }),
    onFatal: (error) => expect.unreachable(String(error)),
    time: { wallMs: () => Date.now() - behindMs, monotonicMs: () => performance.now() },
  });
}

test('there is at least one ledger of an earlier version', () => {
  expect(KEPT_LEDGERS.length).toBeGreaterThan(0);
  for (const { portfolios } of KEPT_LEDGERS) {
    expect(portfolios.filter(isAtWork).length).toBeGreaterThan(3);
    expect(portfolios.filter((one) => !isAtWork(one)).length).toBeGreaterThan(3);
  }
});

test.each(KEPT_LEDGERS.map((kept) => [kept.name, kept] as const))(
  'the ledger of %s can be opened, continued and audited',
  async (_name, kept) => {
    const folder = mkdtempSync(join(tmpdir(), 'twapd-kept-'));
    const database = await createEmptyDatabase();
    try {
      await restoreLedger(kept.name, database.connectionString);
      const wired = await opened(kept, folder, addressOf(database));
      const { engine, operations, auditor, ledger } = wired;
      const before = await turnsOf(database.connectionString);
      await engine.start();
      await auditor.start();
      for (const one of kept.portfolios.filter((each) => !isAtWork(each))) {
        const { portfolioId: id, portfolioStatus, legs } = one.record;
        const read = await recordOf(wired, id);
        expect(STATUS[read.status as keyof typeof STATUS], one.kind).toBe(portfolioStatus);
        expect(read.filled, one.kind).toEqual(legs.map(shown('filledQuantity')));
      }
      const page = await operations.page({
        accounts: [accountId('10001')],
        orderBy: 'submittedAt',
        descending: false,
        offset: 0,
        limit: 100,
      });
      const own = kept.portfolios.map(({ record }) => record.portfolioId);
      expect(page.rows.map(({ portfolio }) => portfolio).toSorted()).toEqual(own.toSorted());

      for (const one of kept.portfolios.filter(isAtWork)) {
        const id = portfolioId(one.record.portfolioId);
        if (one.kind === 'paused') {
          // Refused while the engine recovers.
          await expect.poll(() => operations.resume(id, BY)).toMatchObject({ kind: 'done' });
        }
      }
      for (const one of kept.portfolios.filter(isAtWork)) {
        const { portfolioId: id, legs } = one.record;
        await expect
          .poll(async () => (await recordOf(wired, id)).status, {
            timeout: END_MS_MAX,
            message: one.kind,
          })
          .toBe(one.ends);
        const { filled } = await recordOf(wired, id);
        expect(filled, one.kind).toEqual(legs.map(shown('placeQuantity')));
      }
      expect((await turnsOf(database.connectionString)) - before).toBeGreaterThan(
        kept.portfolios.filter(isAtWork).length,
      );
      await drainAndStop(engine, { clock: wired.clock, graceMs: 4_000 });
      const audit = await auditLedger({
        connectionString: database.connectionString,
        folder: join(folder, 'data'),
        getMetadata: (name) => ledger.getMetadata(name),
      });
      expect(audit.findings).toEqual([]);
      expect(audit.portfolios).toBeGreaterThanOrEqual(kept.portfolios.length);
      expect(wired.switches.settings()).toEqual([]);
      await wired.close();
    } finally {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  TIMEOUT_MS,
);
