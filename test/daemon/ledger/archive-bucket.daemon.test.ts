// A real daemon whose days are archived to an object store while it runs: its gateway and its commands show the portfolios of the
// day as before, a mirror and what it mirrors among them, and refuse what they cannot read.
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client as Gateway } from '../../../src/gateway/client/client.ts';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { archiveDays } from '../../../src/main/ledger/archive/archive-ledger.ts';
import { archiveFiles } from '../../../src/main/open-archive.ts';
import { dayOf } from '../../../src/ports/archive/submit-day.ts';
import { must } from '../../../src/values/assert.ts';
import { DAY_MS, instant } from '../../../src/values/instant.ts';
import { until } from '../../adapters/until.ts';
import { type Ran, twapd } from '../../main/cli-world.ts';
import {
  allowLongEnds,
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../../support/daemon/daemon-process.ts';
import {
  addressOf,
  createDatabaseWithoutDays,
  type TestDatabase,
} from '../../support/daemon/services.ts';
import { course } from '../../support/engine/two-legs.ts';
import { S3_ACCESS, type S3Server, s3Server } from '../../support/objects/s3-server.ts';

let database: TestDatabase;
let files: DaemonFiles;
let store: S3Server;
let daemon: Daemon;
const environment = (): Record<string, string> => ({
  DATABASE_URL: addressOf(database),
  STORE_SECRET: S3_ACCESS.secretKey,
});

beforeAll(async () => {
  database = await createDatabaseWithoutDays();
  store = await s3Server();
  files = daemonFiles('days', 'config/paper.yaml', 'apart');
  allowLongEnds(files);
  const { region, accessKeyId } = S3_ACCESS;
  const place = `endpoint: "${store.endpoint}", region: ${region}, bucket: heads, prefix: days/`;
  const bucket = `${place}, accessKeyId: ${accessKeyId}, secretKey: env:STORE_SECRET`;
  appendFileSync(files.configPath, `ledger: { retention: 2, archiveBucket: { ${bucket} } }\n`);
  daemon = await startDaemon(files, environment());
}, 300_000);
afterAll(async () => {
  await daemon?.end('SIGTERM');
  await store.close();
  files.remove();
  await database.drop();
});

const run = (...words: string[]): Promise<Ran> =>
  twapd([...words, '--config', files.configPath], { env: environment() });

/** Filled, cancelled. */
const OVER: ReadonlySet<number> = new Set([2, 3]);

/** Everything that a client reads of a portfolio that has ended. */
async function shown(client: Gateway, id: string): Promise<Readonly<Record<string, unknown>>> {
  const page = await client.page({ accountId: 'all' });
  const course = await client.course(id);
  const report = await client.report(id);
  return {
    info: await client.info(id),
    history: await client.history(id),
    // Both say of which moment they are, and a report waits for the market after the last fill.
    course: course.kind === 'done' ? { ...course.value, timestamp: '' } : course,
    report: report.kind,
    listed: page.kind === 'done' && page.value.values.filter((one) => one.portfolioId === id),
  };
}

async function ended(client: Gateway): Promise<readonly [original: string, mirror: string]> {
  const body = { ...course(10), sendToDummyAccountIds: [20001] };
  let submitted = await client.submit(body, 'once');
  await until(async () => {
    if (submitted.kind === 'refused' && submitted.status === 503) {
      submitted = await client.submit(body, 'once');
    }
    return submitted.kind !== 'refused' || submitted.status !== 503;
  }, 120_000);
  if (submitted.kind !== 'done') throw new Error(JSON.stringify(submitted));
  const { portfolioId, mirrorPortfolioIds } = submitted.value;
  const both = [String(portfolioId), String(must(mirrorPortfolioIds?.[0], 'a mirror'))] as const;
  await until(async () => {
    await sleep(500);
    const infos = await Promise.all(both.map((one) => client.info(one)));
    return infos.every((one) => one.kind === 'done' && OVER.has(one.value.portfolioStatus));
  }, 240_000);
  return both;
}

/** Moves today, which no retention would let go: the command refuses it. */
async function archiveToday(): Promise<void> {
  const config = loadConfig(files.configPath, { environment: (name) => environment()[name] });
  if (config.kind === 'faulty') throw new Error(JSON.stringify(config.faults));
  const outcomes = await archiveDays(
    {
      connectionString: database.connectionString,
      files: must(archiveFiles(config.value), 'the bucket'),
      deployment: 'days',
      witness: { of: () => undefined },
      now: () => new Date(),
      onStep: () => undefined,
    },
    dayOf(instant(Date.now() + DAY_MS)),
  );
  expect(outcomes).toMatchObject([{ kind: 'archived' }]);
}

test('what a daemon shows of a portfolio and of its mirror stays the same when their day goes to an object store', async () => {
  const { client } = daemon;
  const both = await ended(client);
  // Until the market behind the last fill is recorded, a report grows.
  const settled = async () => {
    const read = () => Promise.all(both.map((id) => shown(client, id)));
    for (let before = JSON.stringify(await read()); ; ) {
      await sleep(3_000);
      const now = await read();
      if (JSON.stringify(now) === before) return now;
      before = JSON.stringify(now);
    }
  };
  const before = await settled();
  for (const one of before) expect(one).toMatchObject({ history: { kind: 'done' } });
  await archiveToday();
  expect([...store.objects.keys()].some((key) => key.startsWith('days/20'))).toBe(true);
  const gets = () => store.requests.filter((one) => one.startsWith('GET')).length;
  // As on another machine: what was verified is read from the store again.
  rmSync(join(files.dataDir, 'archive-cache'), { recursive: true });
  const verified = gets();
  expect(await Promise.all(both.map((id) => shown(client, id)))).toEqual(before);
  expect(gets()).toBeGreaterThan(verified);

  const audit = await run('audit', '--json', '--url', daemon.url);
  expect(JSON.parse(audit.out).ledger).toMatchObject({ archived: 2, unread: 0, findings: [] });
  const table = await run('export', 'portfolios', '--account', '20001');
  expect([table.code, table.out.split('\n').length]).toEqual([0, 3]);

  rmSync(join(files.dataDir, 'archive-cache'), { recursive: true });
  store.refuse(/GET/, 1_000);
  expect(await client.history(both[1])).toMatchObject({ kind: 'refused' });
  expect(await client.info(both[0])).toEqual(before[0]?.['info']);
  const unread = await run('export', 'portfolios');
  expect([unread.code, unread.err]).toEqual([1, expect.stringContaining('503 SlowDown')]);
  store.allow();
  expect(await client.history(both[1])).toEqual(before[1]?.['history']);

  const today = dayOf(instant(Number(both[0]) / 1_000));
  const back = await run('archive', 'restore', today, '--from', 'bucket');
  expect([back.code, back.out]).toEqual([0, expect.stringContaining('in the database again')]);
  store.refuse(/./, 1_000);
  expect(await Promise.all(both.map((id) => shown(client, id)))).toEqual(before);
}, 600_000);
