// Whatever an administrator of the database changes after a head was witnessed is found: each change is made in a real PostgreSQL,
// with the chains of the ledger computed again where they would give it away.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { PostgresAuditRecords } from '../../../src/adapters/postgres/records/postgres-audit-records.ts';
import { PostgresKeyRecords } from '../../../src/adapters/postgres/records/postgres-key-records.ts';
import {
  PostgresLedgerHeads,
  type StoredHead,
} from '../../../src/adapters/postgres/witness/ledger-heads.ts';
import { WitnessFile } from '../../../src/adapters/witness/witness-file.ts';
import { auditLedger } from '../../../src/main/ledger/audit-ledger.ts';
import { newKeyPair } from '../../../src/main/witness/signed-head.ts';
import { WitnessLane } from '../../../src/main/witness/witness-lane.ts';
import { WitnessedHeads } from '../../../src/main/witness/witnessed-heads.ts';
import type { KeyGrant } from '../../../src/ports/key-records.ts';
import { must } from '../../../src/values/assert.ts';
import { instant } from '../../../src/values/instant.ts';
import { eventChanged } from '../../support/daemon/tampered-events.ts';
import { EndedLedger } from './archive/ended-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-heads-'));
const pair = newKeyPair();
const publicKey = createPublicKey(pair.publicKey);
const LEDGER = 'the ledger';
let on: EndedLedger;
let path: string;
let count = 0;
let made: StoredHead[] = [];

const ACTIONS = `INSERT INTO action (at, key_id, uid, nickname, address, method, account, outcome)
  SELECT 1795000000000 + n, 'desk', '1', 'Ann', '127.0.0.1', 'order', '10001', 'ok ' || n FROM generate_series(1, 40) AS n`;
const SWITCHES = `INSERT INTO switch_setting (number, scope, name, state, uid, nickname, reason, at)
  SELECT n, 'account', '10001', 'halted', '1', 'Ann', 'reason ' || n, 1795000000000 + n FROM generate_series(1, 4) AS n`;

beforeEach(async () => {
  count += 1;
  made = [];
  on = await EndedLedger.open(join(folder, String(count)));
  path = join(folder, `${count}.jsonl`);
  await on.client.query(ACTIONS);
  await on.client.query(SWITCHES);
  const keys = new PostgresKeyRecords({ connectionString: on.connectionString });
  const grant: KeyGrant = {
    id: 'desk',
    uid: '1',
    nickname: 'Ann',
    accounts: [],
    scopes: ['read'],
    bindBody: false,
    addresses: [],
    createdAt: instant(1),
    expiresAt: undefined,
    makerAlias: undefined,
  };
  await keys.add(grant, 'sealed');
  await keys.rotate('desk', { from: 1, sealed: 'sealed again', overlapUntil: instant(5) });
  await keys.close();
  await head();
});
afterEach(() => on.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a head and brings it to the file, as a daemon does; returns what failed. */
async function head(): Promise<readonly unknown[]> {
  const { connectionString } = on;
  const faults: unknown[] = [];
  const reads = new PostgresAuditRecords({ connectionString });
  const lane = new WitnessLane({
    heads: new PostgresLedgerHeads({ connectionString }),
    reads,
    ledgerId: LEDGER,
    deployment: 'test',
    everyMinutes: 10,
    key: createPrivateKey(pair.privateKey),
    onHead: (one) => made.push(one),
    witness: { name: 'file', witness: new WitnessFile(path) },
    clock: {
      now: () => instant(Date.now()),
      monotonicMs: () => 0,
      at: () => () => undefined,
    },
    wait: () => Promise.resolve(),
    onFault: (fault) => faults.push(fault),
  });
  await lane.close();
  await reads.close();
  return faults;
}

async function audited(key = publicKey): Promise<readonly string[]> {
  const heads = await WitnessedHeads.read(new WitnessFile(path).lines(), [key]);
  const { findings } = await auditLedger({
    connectionString: on.connectionString,
    folder: on.folder,
    heads,
    getMetadata: () => Promise.resolve(LEDGER),
  });
  return findings.map(({ portfolio, detail }) => `${portfolio}: ${detail}`);
}

test('nothing is found in a ledger that nobody changed, after one head and after another with more', async () => {
  expect(await audited()).toEqual([]);
  await on.client.query(ACTIONS);
  await on.client.query(SWITCHES.replace('SELECT n,', 'SELECT n + 4,'));
  expect(await head()).toEqual([]);
  expect(await audited()).toEqual([]);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toEqual(made.map(({ line }) => line));
  expect(made.map(({ number }) => number)).toEqual([1, 2]);
});

test.each([
  [
    'an event is changed',
    (id: string) => eventChanged(id, { version: 2, field: 'at', value: '1' }),
    'not those that were witnessed by head 1',
  ],
  [
    'the last events are cut off',
    (id: string) =>
      `WITH gone AS (DELETE FROM turn WHERE portfolio = ${id} AND version = (SELECT max(version) FROM turn WHERE portfolio = ${id}) RETURNING version - size AS kept), unsealed AS (DELETE FROM audit_seal WHERE portfolio = ${id}) UPDATE portfolio SET version = kept FROM gone WHERE id = ${id}`,
    'that were witnessed by head 1',
  ],
  [
    'a portfolio is removed with everything of it',
    (id: string) =>
      `WITH a AS (DELETE FROM turn WHERE portfolio = ${id}), b AS (DELETE FROM fill WHERE portfolio = ${id}), c AS (DELETE FROM summary WHERE portfolio = ${id}) DELETE FROM portfolio WHERE id = ${id}`,
    '0 events are stored of',
  ],
  [
    'events of two turns are exchanged',
    (id: string) =>
      `UPDATE turn SET events = other.events FROM turn AS other WHERE turn.portfolio = ${id} AND other.portfolio = ${id} AND turn.version IN (5, 8) AND other.version IN (5, 8) AND turn.version <> other.version AND turn.size = other.size`,
    'witnessed by head 1',
  ],
  [
    'an event is added with a time of the past',
    (id: string) =>
      `WITH grown AS (UPDATE portfolio SET version = version + 1 WHERE id = ${id} RETURNING version) INSERT INTO turn (portfolio, batch, version, size, events) SELECT ${id}, 1, version, 1, (SELECT json_build_array(data) FROM event WHERE portfolio = ${id} ORDER BY version DESC LIMIT 1) FROM grown`,
    'inserted afterwards',
  ],
  [
    'the row of a portfolio states another number of events',
    (id: string) => `UPDATE portfolio SET version = version + 1 WHERE id = ${id}`,
    'does not state as many events',
  ],
  [
    'an action is changed',
    () => `UPDATE action SET nickname = 'Bob' WHERE outcome = 'ok 7'`,
    'actions: the actions are not those',
  ],
  [
    'an action is removed',
    () => `DELETE FROM action WHERE outcome = 'ok 7'`,
    'actions: 1 actions of head 1 are missing',
  ],
  [
    'an action is added with a time of the past',
    () => ACTIONS.replace('(1, 40)', '(50, 50)'),
    'is in no head',
  ],
  [
    'a setting of a switch is changed',
    () => `UPDATE switch_setting SET reason = 'none' WHERE number = 2`,
    'switches: the switches up to 4',
  ],
  [
    'the last setting of a switch is removed',
    () => 'DELETE FROM switch_setting WHERE number = 4',
    'switches: the switches up to 4',
  ],
  [
    'a setting of a switch is added with a time of the past',
    () => SWITCHES.replace('(1, 4)', '(5, 5)'),
    'setting 5 is in no head',
  ],
  [
    'a key is given a scope',
    () => `UPDATE api_key SET scopes = '{trade}' WHERE id = 'desk'`,
    'keys: the grant of key desk',
  ],
  [
    'a key is given another secret',
    () => `UPDATE api_key SET sealed = 'mine' WHERE id = 'desk'`,
    'keys: the grant of key desk',
  ],
  ['a key is removed', () => 'DELETE FROM api_key', 'key desk is missing'],
  [
    'a key is given a scope and its record says so',
    () =>
      `WITH a AS (UPDATE api_key SET scopes = '{trade}' RETURNING id) UPDATE key_change SET grants = jsonb_set(grants, '{scopes}', '["trade"]')`,
    'keys: the keys up to',
  ],
])('when %s, the audit with the witness finds it', async (_what, statement, expected) => {
  const { rows } = await on.client.query<{ id: string }>(
    'SELECT portfolio::text AS id FROM turn WHERE version IN (5, 8) GROUP BY 1 HAVING count(*) = 2 ORDER BY 1 LIMIT 1',
  );
  const { id } = must(rows[0], 'a portfolio with several turns');
  await on.client.query('SET session_replication_role = replica');
  await on.client.query(statement(id));
  expect((await audited()).join('\n')).toContain(expected);
});

test('a chain that was computed again with its seals is found, and so are heads made again and another id', async () => {
  const { rows } = await on.client.query<{ id: string }>(
    'SELECT min(portfolio)::text AS id FROM turn',
  );
  const { id } = must(rows[0], 'a portfolio');
  await on.client.query(eventChanged(id, { version: 2, field: 'at', value: '1' }));
  await on.client.query(
    'DELETE FROM audit_seal; DELETE FROM witnessed; DELETE FROM witness_head; DELETE FROM witness_delivery',
  );
  const faults = await head();
  expect(String(faults[0])).toContain('has another head 1');
  const found = (await audited()).join('\n');
  expect(found).toContain('not those that were witnessed by head 1');
  expect(found).toContain('head 1 of the ledger is not the one of the witness');
  const heads = await WitnessedHeads.read(new WitnessFile(path).lines(), [publicKey]);
  const other = await auditLedger({
    connectionString: on.connectionString,
    folder: on.folder,
    heads,
    getMetadata: () => Promise.resolve('another'),
  });
  expect(other.findings.map(({ detail }) => detail)).toContain(
    'the id of the ledger is another; the heads are of the ledger',
  );
});

test('a witness whose lines were changed, left out or signed with another key is found', async () => {
  await head();
  const [first = '', second = ''] = readFileSync(path, 'utf8').trim().split('\n');
  expect((await audited(createPublicKey(newKeyPair().publicKey))).join('\n')).toContain(
    'is signed with another key',
  );
  writeFileSync(
    path,
    `${first.replace('"deployment":"test"', '"deployment":"tset"')}\n${second}\n`,
  );
  expect((await audited()).join('\n')).toContain('has a signature that is not right');
  writeFileSync(path, `${second}\n`);
  expect((await audited()).join('\n')).toContain('head 2 does not follow the line before it');
});
