// Two daemons of one deployment are replaced one after the other by those of the next version, whose first start migrates the schema,
// while portfolios are at work. The next version is this one with another number and one migration more: a checkout in CI has no
// earlier commit, and what earlier versions stored is opened by test/main/ledger/kept-ledgers.service.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIGRATIONS } from '../../../src/adapters/postgres/migrations.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId } from '../../../src/values/ids.ts';
import { clientOf, metric, submit, sum, until } from '../../support/daemon/daemon-deployment.ts';
import { type Daemon, startDaemonOf } from '../../support/daemon/daemon-process.ts';
import { FaultStage } from '../../support/daemon/fault-stage.ts';

const NEXT_VERSION = '9.9.9';
const NEXT_SCHEMA = must(MIGRATIONS.at(-1), 'a migration').number + 1;
const SECONDS = 90;
const SHARDS = 256;
const FILLED = 2;
/** The parts of a checkout that a daemon runs. */
const CHECKED_OUT = ['src', 'config', 'package.json', 'package-lock.json'];
/** Tables and columns are added while others write. */
const MIGRATION = `
import { sql as upgraded } from './migrations/next-version.ts';
export const NEXT = migration(${NEXT_SCHEMA}, 'next version', upgraded);
`;
const SQL = `export const sql = \`
ALTER TABLE portfolio ADD COLUMN upgraded boolean NOT NULL DEFAULT false;
CREATE TABLE upgraded (at bigint NOT NULL);
\`;
`;

let next: string;
let stage: FaultStage;
const daemons: Daemon[] = [];

beforeAll(async () => {
  next = mkdtempSync(join(tmpdir(), 'twapd-next-'));
  for (const part of CHECKED_OUT) cpSync(part, join(next, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(next, 'node_modules'));
  edit('package.json', (text) =>
    text.replace(/"version": "[^"]*"/, `"version": "${NEXT_VERSION}"`),
  );
  const folder = 'src/adapters/postgres';
  writeFileSync(join(next, folder, 'migrations/next-version.ts'), SQL);
  edit(`${folder}/migrations.ts`, (text) => {
    const list = text.replace(
      /\n\];\s*$/,
      '\n  migration(NEXT.number, NEXT.name, upgraded),\n];\n',
    );
    return list.replace('\nexport const MIGRATIONS', `${MIGRATION}\nexport const MIGRATIONS`);
  });
  stage = await FaultStage.open({ deployment: 'rolu' });
  daemons.push(stage.daemon, await stage.startBeside('second'));
});
afterAll(async () => {
  for (const one of daemons) await one.end('SIGKILL');
  await stage?.close();
  rmSync(next, { recursive: true, force: true });
});

function edit(name: string, change: (text: string) => string): void {
  const path = join(next, name);
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${name} has nothing to change`);
  writeFileSync(path, changed);
}

const environment = (folder: string): Record<string, string> => ({
  ...stage.environment,
  TWAPD_DATA_DIR: join(next, 'data', folder),
});

const upgraded = (folder: string): Promise<Daemon> =>
  startDaemonOf(next, stage, environment(folder));

const shared = (): Promise<void> =>
  until(async () => {
    const owned = await Promise.all(daemons.map((one) => metric(one, 'twapd_shards_owned')));
    return sum(owned) === SHARDS && Math.min(...owned) > 0;
  });

async function versionOf({ url }: Daemon): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return /^twapd_build_info\{[^}]*version="([^"]*)"/m.exec(text)?.[1];
}

const fillsOf = async (): Promise<number> => {
  const [row] = await stage.query<{ count: number }>('SELECT count(*)::int AS count FROM fill');
  return row?.count ?? 0;
};

/** Portfolios go on while both versions are there. */
async function goesOn(): Promise<void> {
  const before = await fillsOf();
  await until(async () => (await fillsOf()) > before + 4);
}

test('two daemons are upgraded one after the other while portfolios are at work, and nothing is lost or sent twice', async () => {
  await shared();
  const ids: string[] = [];
  for (const account of [10001, 10002, 10003] as const) {
    for (const daemon of daemons) ids.push(await submit(daemon, account, SECONDS));
  }
  await goesOn();

  expect(await daemons.shift()?.end('SIGTERM')).toBe(0);
  daemons.push(await upgraded('first'));
  await shared();
  await goesOn();
  const versions = await Promise.all(daemons.map(versionOf));
  expect(new Set(versions).size).toBe(2);
  expect(versions).toContain(NEXT_VERSION);
  const [applied] = await stage.query<{ number: number }>(
    'SELECT max(number) AS number FROM schema_migration',
  );
  expect(applied?.number).toBe(NEXT_SCHEMA);
  // What is entered at one version is worked by whichever owns the account.
  for (const daemon of daemons) ids.push(await submit(daemon, 10001, SECONDS / 3));

  expect(await daemons.shift()?.end('SIGTERM')).toBe(0);
  daemons.push(await upgraded('second'));
  await shared();
  for (const id of ids) {
    await until(async () => {
      const found = await Promise.all(
        ([10001, 10002, 10003] as const).map((account) =>
          clientOf(daemons[0] as Daemon, account).info(id),
        ),
      );
      return found.some((one) => one.kind === 'done' && one.value.portfolioStatus === FILLED);
    });
  }
});

test('after that the earlier version refuses to start, and says what to do', async () => {
  const words = [resolve('src/setup/run.mjs'), '--quiet', resolve('src/main/cli.ts'), 'start'];
  const child = spawn(process.execPath, [...words, '--config', stage.configPath], {
    env: { ...process.env, ...environment('third') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const [code] = await once(child, 'close');
  expect(printed).toContain(
    `the database has schema ${NEXT_SCHEMA} (next version), this version knows up to ${NEXT_SCHEMA - 1}: start the newer version, or restore a backup from before it`,
  );
  expect(code).toBe(1);
});

test('ledger and exchange agree afterwards', async () => {
  for (const one of daemons.splice(0)) expect(await one.end('SIGTERM')).toBe(0);
  await stage.expectSameBooks(['10001', '10002', '10003'].map((id) => accountId(id)));
});
