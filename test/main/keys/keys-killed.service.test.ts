// The real command line, killed with -9 before and after its only statement about a key: the change is
// complete or absent, and rerunning the command makes it or reports what exists.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PostgresKeyRecords } from '../../../src/adapters/postgres/records/postgres-key-records.ts';
import { KeySeal } from '../../../src/gateway/auth/key-seal.ts';
import type { KeyRecord } from '../../../src/ports/key-records.ts';
import { must } from '../../../src/values/assert.ts';
import { FaultLine } from '../../support/daemon/fault-line.ts';
import { bindsOf } from '../../support/daemon/line-senses.ts';
import { addressOf, createDatabase, type TestDatabase } from '../../support/daemon/services.ts';
import { type CliOptions, type Ran, twapd } from '../cli-world.ts';
import { warmCli } from '../warm-cli.ts';

const MASTER = randomBytes(32).toString('base64');
const SEAL = new KeySeal(MASTER);
const GRANT = ['--uid', '42', '--nickname', 'Desk', '--accounts', '10001', '--scopes', 'trade'];
const KILLED = { code: null, out: '', err: '' };

let database: TestDatabase;
let records: PostgresKeyRecords;
let line: FaultLine;
/** The key whose statement triggers the kill: no other statement has its id. */
let meant: string | undefined;
beforeAll(async () => {
  database = await createDatabase();
  const { searchParams } = new URL(addressOf(database).replace(':///', '://placeholder/'));
  const socket = join(must(searchParams.get('host'), 'a socket'), '.s.PGSQL.5432');
  line = await FaultLine.to(
    socket,
    bindsOf((message) => meant !== undefined && message.includes(meant)),
  );
  // Migrates the schema.
  expect((await keys(['list'])).code).toBe(0);
  records = new PostgresKeyRecords({ connectionString: database.connectionString });
});
afterAll(async () => {
  await records.close();
  await line.close();
  await database.drop();
});

function throughLine(): CliOptions {
  const url = new URL(database.connectionString.replace('@/', '@placeholder/'));
  const env = {
    TWAPD_KEYS_SECRET: MASTER,
    DATABASE_URL: `postgresql://${url.username}@127.0.0.1:${line.port}${url.pathname}`,
  };
  return { env };
}

const keys = (words: readonly string[]): Promise<Ran> =>
  warmCli.run(['keys', ...words], throughLine());

/** Runs the command until its statement, and kills the process before or after it. */
async function killed(id: string, when: 'before' | 'after', words: readonly string[]) {
  meant = id;
  let child: ChildProcess | undefined;
  const act = async (): Promise<void> => {
    const gone = once(must(child, 'a process'), 'exit');
    child?.kill('SIGKILL');
    expect((await gone)[1]).toBe('SIGKILL');
  };
  const struck = line.strike({ nth: 1, when, act });
  const onStart = (started: ChildProcess): void => {
    child = started;
  };
  const ran = twapd(['keys', ...words], { ...throughLine(), onStart });
  await struck;
  expect(await ran).toEqual(KILLED);
}

async function made(id: string): Promise<string> {
  return secretIn(await keys(['create', id, ...GRANT, '--json']));
}

function secretIn({ code, out, err }: Ran): string {
  expect([code, err]).toEqual([0, '']);
  return (JSON.parse(out) as { secret: string }).secret;
}

async function readKey(): Promise<{ version: number; keys: ReadonlyMap<string, KeyRecord> }> {
  const read = must(await records.changedSince(0), 'the keys');
  return { version: read.version, keys: new Map(read.keys.map((key) => [key.id, key])) };
}

const stored = async (id: string): Promise<KeyRecord> => must((await readKey()).keys.get(id), id);

/** The row of `keys list --all`. */
async function listed(id: string): Promise<Record<string, unknown> | undefined> {
  const { out } = await keys(['list', '--all', '--json']);
  return (JSON.parse(out) as Record<string, unknown>[]).find((row) => row['id'] === id);
}

const refusal = ({ code, out, err }: Ran): string => {
  expect([code, out]).toEqual([1, '']);
  return err;
};

describe('a command killed before its statement', () => {
  test('create killed before its statement makes no key, and succeeds when rerun', async () => {
    const { version } = await readKey();
    await killed('early-made', 'before', ['create', 'early-made', ...GRANT]);
    expect(await listed('early-made')).toBeUndefined();
    expect((await readKey()).version).toBe(version);
    const secret = await made('early-made');
    const { sealed } = await stored('early-made');
    expect(SEAL.open(sealed, { grant: await stored('early-made'), generation: 1 })).toBe(secret);
  });

  test.each([
    { what: 'rotate', id: 'early-turned', after: { generation: 2 } },
    { what: 'revoke', id: 'early-ended', after: { revokedAt: expect.any(Number) } },
  ])(
    '$what killed before its statement changes nothing, and succeeds when rerun',
    async ({ what, id, after }) => {
      await made(id);
      const before = await readKey();
      await killed(id, 'before', [what, id]);
      expect(await readKey()).toEqual(before);
      expect((await keys([what, id])).code).toBe(0);
      expect(await stored(id)).toMatchObject(after);
    },
  );
});

describe('a command killed after its statement', () => {
  test('create killed after its statement leaves a complete key that can be rotated and revoked but not created again', async () => {
    await killed('late-made', 'after', ['create', 'late-made', ...GRANT]);
    expect(await listed('late-made')).toMatchObject({ uid: '42', hasEnded: false });
    const first = await stored('late-made');
    const unseen = SEAL.open(first.sealed, { grant: await stored('late-made'), generation: 1 });
    const again = await keys(['create', 'late-made', ...GRANT]);
    expect(refusal(again)).toContain('late-made has been used before; accepted: another id');
    expect(await stored('late-made')).toEqual(first);
    const seen = secretIn(await keys(['rotate', 'late-made', '--overlap', '0', '--json']));
    expect(seen).not.toBe(unseen);
    expect((await keys(['revoke', 'late-made'])).code).toBe(0);
    expect(await listed('late-made')).toMatchObject({ hasEnded: true });
  });

  test('rotate killed after its statement is complete, and --replace renews the unseen secret without ending the one in use', async () => {
    const id = 'late-turned';
    const first = await made(id);
    await killed(id, 'after', ['rotate', id, '--overlap', '600']);
    const { generation, sealed, previous } = await stored(id);
    expect(generation).toBe(2);
    expect(SEAL.open(sealed, { grant: await stored(id), generation })).not.toBe(first);
    const kept = must(previous, 'the secret before');
    expect(SEAL.open(kept.sealed, { grant: await stored(id), generation: 1 })).toBe(first);
    const overlapUntil = new Date(kept.until).toISOString();
    expect(await listed(id)).toMatchObject({ overlapUntil, hasEnded: false });
    expect(refusal(await keys(['rotate', id]))).toContain(`${id} was rotated already`);
    expect(await stored(id)).toMatchObject({ generation, sealed, previous });
    const seen = secretIn(await keys(['rotate', id, '--replace', '--json']));
    const now = await stored(id);
    expect(SEAL.open(now.sealed, { grant: await stored(id), generation: 4 })).toBe(seen);
    const still = must(now.previous, 'the secret before');
    expect(SEAL.open(still.sealed, { grant: await stored(id), generation: 3 })).toBe(first);
  });

  test('revoke killed after its statement is complete, and a rerun reports when', async () => {
    await made('late-ended');
    await killed('late-ended', 'after', ['revoke', 'late-ended']);
    const ended = await stored('late-ended');
    expect(ended.revokedAt).toEqual(expect.any(Number));
    expect(refusal(await keys(['revoke', 'late-ended']))).toContain('late-ended was revoked at ');
    expect(await stored('late-ended')).toEqual(ended);
  });
});
