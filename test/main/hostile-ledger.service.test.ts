// Foreign text never controls the operator's terminal: the commands that read the ledger's database run as
// processes of their own over a ledger with hostile text in every field. The lines of `export events` are covered by
// its own test.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PostgresNoticeOutbox } from '../../src/adapters/postgres/notify/postgres-notice-outbox.ts';
import { openPostgresLedger } from '../../src/adapters/postgres/postgres-ledger.ts';
import { PostgresActionLog } from '../../src/adapters/postgres/records/postgres-action-log.ts';
import { PostgresKeyRecords } from '../../src/adapters/postgres/records/postgres-key-records.ts';
import { actionAt } from '../conformance/action-log.ts';
import { grantOf } from '../conformance/key-records.ts';
import { happened } from '../conformance/notify/notices.ts';
import { lives } from '../support/daemon/lives.ts';
import { addressOf, createDatabase, type TestDatabase } from '../support/daemon/services.ts';
import { type Ran, twapd } from './cli-world.ts';
import { expectHarmless } from './expect-harmless.ts';
import { HOSTILE, startHostileDaemon } from './hostile-daemon.ts';

/** As stored in UTF-8, which has no lone surrogates. */
const STORED = HOSTILE.replace('\ud800', '\ufffd');
const MASTER = randomBytes(32).toString('base64');
const NOBODY = 'http://127.0.0.1:9';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  const { connectionString } = database;
  const keys = new PostgresKeyRecords({ connectionString });
  const texts = { uid: HOSTILE, nickname: HOSTILE, makerAlias: HOSTILE, addresses: [HOSTILE] };
  await keys.add(grantOf(HOSTILE, texts), 'sealed');
  await keys.close();
  const actions = new PostgresActionLog({ connectionString });
  await actions.record(
    actionAt(Date.UTC(2026, 10, 20), {
      keyId: HOSTILE,
      uid: HOSTILE,
      nickname: HOSTILE,
      method: HOSTILE,
      address: HOSTILE,
      instrument: HOSTILE,
      label: HOSTILE,
      orderId: HOSTILE,
      outcome: HOSTILE,
    }),
  );
  await actions.close();
  const outbox = new PostgresNoticeOutbox({ connectionString });
  const happening = happened(HOSTILE, { title: HOSTILE, detail: HOSTILE });
  await outbox.add({ happenings: [{ happening, channels: [STORED] }] });
  await outbox.close();
  const ledger = await openPostgresLedger({ connectionString });
  const [first] = await lives();
  // An event of an unknown kind: the audit's finding names it.
  const events = first?.turn.events.map((event) => ({ ...event, kind: HOSTILE })) as never;
  if (first !== undefined) await ledger.commit([{ ...first.turn, events }]);
  await ledger.close();
});
afterAll(() => database.drop());

const run = (...words: string[]): Promise<Ran> =>
  twapd(words, {
    env: {
      DATABASE_URL: addressOf(database),
      TWAPD_KEYS_SECRET: MASTER,
    },
  });

test.each([[['keys', 'list', '--all']], [['actions']]])(
  '%j shows hostile text as visible escapes, and as JSON that is safe on a terminal',
  async (words) => {
    const shown = await run(...words);
    expect([shown.code, shown.err]).toEqual([0, '']);
    expect(shown.out).toContain('EVIL\\x1b[2J');
    expectHarmless(shown.out);
    const { out } = await run(...words, '--json');
    expectHarmless(out);
    const nicknames = (JSON.parse(out) as { nickname: string }[]).map(({ nickname }) => nickname);
    expect(nicknames).toContain(STORED);
  },
);

test.each([[[]], [['--json']]])(
  'notify status %j shows hostile text as visible escapes',
  async (words) => {
    const { code, out } = await run('notify', 'status', ...words);
    expect(code).toBe(0);
    expect(out).toContain('EVIL');
    expectHarmless(out);
  },
);

test.each([[[]], [['--json']]])(
  'audit %j shows hostile text in its findings as visible escapes',
  async (words) => {
    const { code, out, err } = await run('audit', '--url', NOBODY, ...words);
    expect(code).toBe(1);
    expect(out).toContain(words.length === 0 ? 'no state' : 'findings');
    expectHarmless(out);
    expectHarmless(err);
  },
);

test.each([
  [['keys', 'create', 'mine', '--uid', '42', '--nickname', STORED]],
  [['keys', 'create', STORED, '--uid', '42', '--nickname', 'Desk']],
])('%#: keys create never shows the hostile text of a key raw', async (words) => {
  const { out, err } = await run(...words, '--accounts', '10001', '--scopes', 'trade');
  expect(out + err).not.toBe('');
  expectHarmless(out);
  expectHarmless(err);
});

test.each(['rotate', 'revoke'])(
  'keys %s shows the id of the key as visible escapes',
  async (verb) => {
    const { out, err } = await run('keys', verb, STORED);
    expect(out + err).toContain('EVIL\\x1b[2J');
    expectHarmless(out);
    expectHarmless(err);
  },
);

test('backups show hostile text of a manifest as visible escapes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-hostile-'));
  try {
    const taken = await run('backup', '--to', folder, '--json');
    expectHarmless(taken.out);
    const backup = String(JSON.parse(taken.out).folder);
    const path = join(backup, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...manifest, deployment: STORED, version: STORED }));
    const verified = await run('backup', 'verify', backup);
    expect(verified.out).toContain('EVIL\\x1b[2J');
    expectHarmless(verified.out + verified.err);
    const restored = await run('restore', backup);
    expect([restored.code, restored.err]).toEqual([1, expect.stringContaining('EVIL\\x1b[2J')]);
    expectHarmless(restored.out + restored.err);
    const status = await run('ledger', 'status');
    expect([status.code, status.out]).toEqual([0, expect.stringContaining('database')]);
    const unaccounted = await run('ledger', 'unaccounted');
    expect([unaccounted.code, unaccounted.out]).toEqual([0, expect.stringContaining('nothing')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the archive shows the hostile name of a day as visible escapes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-hostile-'));
  try {
    const restored = await run('archive', 'restore', STORED, '--from', folder);
    expect([restored.code, restored.err]).toEqual([2, expect.stringContaining('EVIL\\x1b[2J')]);
    expectHarmless(restored.out + restored.err);
    const moved = await run('archive', '--to', folder, '--before', STORED);
    expect([moved.code, moved.err]).toEqual([1, expect.stringContaining('ledger.retention')]);
    expectHarmless(moved.out + moved.err);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([[[]], [['--csv']], [['--json']]])(
  'reconcile %j shows hostile text of a venue as visible escapes',
  async (words) => {
    const daemon = await startHostileDaemon();
    try {
      const to = new Date().toISOString();
      const asked = ['--account', '10001', '--to', to, '--url', daemon.url];
      const { code, out, err } = await run('reconcile', ...asked, ...words);
      expect([code, err]).toEqual([1, '']);
      expect(out).toMatch(/EVIL(?:\\x1b|\\u001b)\[2J/);
      expectHarmless(out);
    } finally {
      await daemon.close();
    }
  },
);

test.each([[[]], [['--csv']], [['--json']]])(
  'audit --witness %j shows hostile ids of keys and hostile lines of the witness as visible escapes',
  async (words) => {
    const folder = mkdtempSync(join(tmpdir(), 'twapd-hostile-'));
    const client = new Client(database);
    await client.connect();
    try {
      await client.query("UPDATE api_key SET uid = uid || ' changed'");
      const key = join(folder, 'key');
      await run('ledger', 'key', key);
      const witness = join(folder, `${STORED.replaceAll('/', '')}.jsonl`);
      const lines = [HOSTILE.replaceAll('\n', ' '), JSON.stringify({ [STORED]: STORED })];
      writeFileSync(witness, `${lines.join('\n')}\n`);
      const asked = ['--url', NOBODY, '--witness', witness, '--public-key', `${key}.pub`];
      const { code, out, err } = await run('audit', ...asked, ...words);
      expect([code, err]).toEqual([1, '']);
      // A table breaks its lines anywhere.
      expect(out.replaceAll(/\s+/g, '')).toMatch(/thegrantofkeyEVIL(?:\\x1b|\\u001b)\[2J/);
      expectHarmless(out);
    } finally {
      await client.end();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
