import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PostgresKeyRecords } from '../../../src/adapters/postgres/records/postgres-key-records.ts';
import { KeySeal } from '../../../src/gateway/auth/key-seal.ts';
import { must } from '../../../src/values/assert.ts';
import { addressOf, createDatabase, type TestDatabase } from '../../support/daemon/services.ts';
import { type Ran, twapd } from '../cli-world.ts';
import { warmCli } from '../warm-cli.ts';

const MASTER = randomBytes(32).toString('base64');
const GRANT = ['--uid', '42', '--nickname', 'Desk', '--accounts', '10001', '--scopes', 'trade'];

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = mkdtempSync(join(tmpdir(), 'twapd-keys-'));
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const withDatabase = (env: NodeJS.ProcessEnv = {}) => ({
  env: { DATABASE_URL: addressOf(database), TWAPD_KEYS_SECRET: MASTER, ...env },
});
const keys = (words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ran> =>
  warmCli.run(['keys', ...words], withDatabase(env));

/** Runs in a process of its own, which must close the database to end. */
const keysProcess = (words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ran> =>
  twapd(['keys', ...words], withDatabase(env));

async function made(id: string, words: readonly string[] = GRANT): Promise<string> {
  const { code, out, err } = await keys(['create', id, ...words, '--json']);
  expect([code, err]).toEqual([0, '']);
  return (JSON.parse(out) as { secret: string }).secret;
}

async function listed(id: string): Promise<Record<string, unknown>> {
  const { out } = await keys(['list', '--all', '--json']);
  const rows = JSON.parse(out) as Record<string, unknown>[];
  return must(
    rows.find((row) => row['id'] === id),
    id,
  );
}

async function stored(id: string) {
  const records = new PostgresKeyRecords({ connectionString: database.connectionString });
  const all = await records.list();
  await records.close();
  return must(
    all.find((key) => key.id === id),
    id,
  );
}

async function everythingStored(): Promise<string> {
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  const { rows } = await client.query('SELECT k::text FROM api_key AS k');
  await client.end();
  return JSON.stringify(rows);
}

describe('keys create', () => {
  test('keys create shows the secret once, and the store holds it sealed', async () => {
    const { code, out } = await keysProcess(['create', 'shown', ...GRANT]);
    expect(code).toBe(0);
    const secret = must(/^secret {2}(\S{44})$/m.exec(out)?.[1], 'a secret');
    expect(await everythingStored()).not.toContain(secret);
    const { sealed } = await stored('shown');
    expect(new KeySeal(MASTER).open(sealed, { grant: await stored('shown'), generation: 1 })).toBe(
      secret,
    );
    const after = await keysProcess(['list', '--csv']);
    expect(after.out).toMatch(/^shown,ledger,42,Desk,10001,trade,any,in force,/m);
    expect(after.out).not.toContain(secret);
  });

  test('keys create stores every option', async () => {
    await made('whole', [
      '--uid',
      '43',
      '--nickname',
      'Maker',
      '--accounts',
      '10001, 20001',
      '--scopes',
      'read,trade,blockRfq',
      '--maker-alias',
      'MAKER9',
      '--bind-body',
      '--addresses',
      '10.0.0.0/8,::1',
      '--expires',
      '2099-01-31T00:00:00Z',
    ]);
    expect(await listed('whole')).toMatchObject({
      source: 'ledger',
      uid: '43',
      nickname: 'Maker',
      accounts: ['10001', '20001'],
      scopes: ['read', 'trade', 'blockRfq'],
      makerAlias: 'MAKER9',
      bindBody: true,
      addresses: ['10.0.0.0/8', '::1'],
      expiresAt: '2099-01-31T00:00:00.000Z',
      hasEnded: false,
    });
  });

  test('keys create refuses an id that was used before', async () => {
    await made('twice');
    const again = await keysProcess(['create', 'twice', ...GRANT]);
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.err).toContain('twice has been used before; accepted: another id');
  });

  test('keys create, rotate and revoke refuse keys of the configuration', async () => {
    for (const words of [
      ['create', 'demo-taker', ...GRANT],
      ['rotate', 'demo-taker'],
      ['revoke', 'demo-taker'],
    ]) {
      const { code, err } = await keys(words);
      expect([code, err]).toEqual([
        1,
        'demo-taker is a key of config/paper.yaml; change it there\n',
      ]);
    }
    expect(await listed('demo-taker')).toMatchObject({ source: 'configuration' });
  });

  test.each([
    [['--uid', 'x'], '--uid: is not a user id'],
    [['--accounts', '10001,77'], '--accounts: 77 is not a known account; accepted: 10001'],
    [['--accounts', ','], '--accounts: '],
    [['--scopes', 'trade,root'], '--scopes: '],
    [['--addresses', '10.0.0.0/33'], '--addresses: is not an address or network'],
    [['--expires', 'soon'], '--expires: is not an instant'],
    [['--maker-alias', 'low'], '--maker-alias: is not an alias'],
  ])('keys create refuses %j with what is accepted', async (words, message) => {
    const { code, err } = await keys(['create', 'wrong', ...GRANT, ...words]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('keys create without a master secret names the variable to set', async () => {
    const { code, err } = await keys(['create', 'unsealed', ...GRANT], { TWAPD_KEYS_SECRET: '' });
    expect(code).toBe(1);
    expect(err).toContain('TWAPD_KEYS_SECRET');
    expect(err).toContain('openssl rand -base64 32');
  });

  test('keys create with an invalid master secret refuses it without repeating it', async () => {
    const { code, err } = await keys(['create', 'unsealed', ...GRANT], {
      TWAPD_KEYS_SECRET: 'c2hvcnQ=',
    });
    expect(code).toBe(1);
    expect(err).toContain('TWAPD_KEYS_SECRET gateway.keysSecret: is not a master secret');
    expect(err).not.toContain('c2hvcnQ=');
  });

  test('keys list reports a database that does not answer with exit code 3', async () => {
    const { code, err } = await keysProcess(['list'], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    });
    expect(code).toBe(3);
    expect(err).toContain('the ledger cannot be used: ');
  });
});

describe('keys rotate and revoke', () => {
  test('keys rotate shows a new secret and keeps the old one for the overlap', async () => {
    const first = await made('turned');
    const { code, out } = await keysProcess(['rotate', 'turned', '--overlap', '60', '--json']);
    expect(code).toBe(0);
    const { secret, overlapUntil } = JSON.parse(out) as { secret: string; overlapUntil: number };
    const { sealed, previous, generation } = await stored('turned');
    const seal = new KeySeal(MASTER);
    expect(seal.open(sealed, { grant: await stored('turned'), generation: 2 })).toBe(secret);
    expect(
      seal.open(must(previous, 'one before').sealed, {
        grant: await stored('turned'),
        generation: 1,
      }),
    ).toBe(first);
    expect([generation, previous?.until]).toEqual([2, overlapUntil]);
    expect(await listed('turned')).toMatchObject({
      overlapUntil: new Date(overlapUntil).toISOString(),
    });
  });

  test('within the overlap, keys rotate requires --replace and keeps the secret before the last rotation', async () => {
    const first = await made('again');
    expect((await keys(['rotate', 'again', '--overlap', '0'])).code).toBe(0);
    const without = await keys(['rotate', 'again', '--replace']);
    expect([without.code, without.err]).toEqual([
      1,
      'again has no rotation within its overlap; accepted: the command without --replace\n',
    ]);
    const third = await keys(['rotate', 'again', '--json']);
    const { previous: second } = await stored('again');
    const more = await keys(['rotate', 'again']);
    expect([more.code, more.out]).toEqual([1, '']);
    expect(more.err).toMatch(/^again was rotated already, .* until .* UTC\naccepted: --replace/);
    const foreign = await keys(['rotate', 'again', '--replace'], {
      TWAPD_KEYS_SECRET: randomBytes(32).toString('base64'),
    });
    expect([foreign.code, foreign.err]).toEqual([1, expect.stringContaining('does not open')]);
    expect(await stored('again')).toMatchObject({ generation: 3, previous: second });
    const fourth = await keys(['rotate', 'again', '--replace', '--json']);
    const { sealed, previous, generation } = await stored('again');
    const shown = [third, fourth].map(({ out }) => (JSON.parse(out) as { secret: string }).secret);
    const seal = new KeySeal(MASTER);
    expect([generation, seal.open(sealed, { grant: await stored('again'), generation })]).toEqual([
      5,
      shown[1],
    ]);
    const grant = await stored('again');
    const open = (one: string, of: number): string => seal.open(one, { grant, generation: of });
    const kept = open(must(previous, 'one before').sealed, 4);
    expect(kept).toBe(open(must(second, 'one before').sealed, 2));
    expect([first, ...shown]).not.toContain(kept);
  });

  test('a revoked key stays revoked, and only list --all shows it', async () => {
    await made('ended');
    expect((await keysProcess(['revoke', 'ended'])).out).toBe('revoked ended\n');
    for (const words of [
      ['revoke', 'ended'],
      ['rotate', 'ended'],
    ]) {
      const { code, err } = await keys(words);
      expect([code, err.startsWith('ended was revoked at ')]).toEqual([1, true]);
    }
    expect((await keys(['list'])).out).not.toContain('ended');
    expect(await listed('ended')).toMatchObject({ hasEnded: true });
  });

  test('keys revoke of an unknown key reports that the key does not exist', async () => {
    const { code, err } = await keys(['revoke', 'nobody']);
    expect([code, err]).toEqual([1, 'nobody: no such key; accepted: one of `keys list`\n']);
  });

  test('the master secret may come from a file that only its owner can read', async () => {
    const secretFile = join(folder, 'master');
    writeFileSync(secretFile, `${MASTER}\n`, { mode: 0o600 });
    const config = join(folder, 'config.yaml');
    const paper = readFileSync('config/paper.yaml', 'utf8');
    writeFileSync(config, `${paper}\ngateway:\n  keysSecret: file:${secretFile}\n`);
    const made = await keys(['create', 'by-file', ...GRANT, '--config', config, '--json'], {
      TWAPD_KEYS_SECRET: '',
    });
    expect(made.code).toBe(0);
    const { secret } = JSON.parse(made.out) as { secret: string };
    const { sealed } = await stored('by-file');
    expect(
      new KeySeal(MASTER).open(sealed, { grant: await stored('by-file'), generation: 1 }),
    ).toBe(secret);
  });
});
