// Days of a ledger on their way to an object store and back: whatever is killed when, a day is in one of both places, whole,
// and what reads it there reads what it read before.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { archiveDays, restoreDay } from '../../../../src/main/ledger/archive/archive-ledger.ts';
import { must } from '../../../../src/values/assert.ts';
import { addressOf } from '../../../support/daemon/services.ts';
import { S3_ACCESS, type S3Server, s3Server } from '../../../support/objects/s3-server.ts';
import { twapd } from '../../cli-world.ts';
import { expectNothingLost } from './archive-kills.ts';
import { type ArchivePlace, filesAt } from './archive-place.ts';
import { DAY, EndedLedger, NEXT } from './ended-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-archive-bucket-'));
let on: EndedLedger;
let server: S3Server;
let place: ArchivePlace;
let count = 0;

beforeEach(async () => {
  count += 1;
  on = await EndedLedger.open(join(folder, String(count)));
  server = await s3Server();
  place = { kind: 'bucket', endpoint: server.endpoint, folder: join(folder, `${count}-copies`) };
  on.files = filesAt(place);
});
afterEach(async () => {
  await on.close();
  await server.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifests = (): readonly string[] =>
  [...server.objects.keys()].filter((key) => key.endsWith(`/manifest.json`));

test('a day in an object store is read as it was, audited there, and comes back as it was', async () => {
  const before = await on.rows();
  const loaded = () =>
    on.withLedger(on.reader(), (ledger) => Promise.all(on.ended.map((id) => ledger.load(id))));
  const events = await loaded();
  expect(await archiveDays(on.options(), NEXT)).toMatchObject([{ day: DAY, kind: 'archived' }]);
  expect(await on.held()).toBe(0);
  expect(server.requests.filter((one) => one.includes('partNumber')).length).toBeGreaterThan(3);
  expect(await loaded()).toEqual(events);
  // On a machine that has no copies yet.
  on.files = filesAt({ ...place, folder: join(folder, `${count}-others`) } as ArchivePlace);
  expect(await loaded()).toEqual(events);
  expect(await on.audited(on.files)).toMatchObject({
    archived: on.ended.length,
    unread: 0,
    findings: [],
  });
  await restoreDay(on.options(), DAY);
  expect(await on.rows()).toEqual(before);
  expect(await archiveDays(on.options(), NEXT)).toMatchObject([{ kind: 'archived' }]);
  expect(await loaded()).toEqual(events);
});

test('an archive in an object store that is killed at any of its steps, or at any moment, loses nothing and is completed by the next', async () => {
  await expectNothingLost(on, place, () => manifests().length > 0);
}, 300_000);

test('a run after one that was interrupted while it stored the day continues under the same keys', async () => {
  server.refuse(/PUT .*market\.parquet/, 1_000);
  await expect(archiveDays(on.options(), NEXT)).rejects.toThrow('503 SlowDown');
  expect(manifests()).toEqual([]);
  expect(await on.held()).toBeGreaterThan(0);
  const [stored] = [...server.objects.keys()];
  server.allow();
  const before = server.requests.length;
  await archiveDays(on.options(), NEXT);
  expect([...server.objects.keys()].filter((key) => key.endsWith('turns.parquet'))).toEqual([
    stored?.replace(/[^/]*$/, 'turns.parquet'),
  ]);
  const after = server.requests.slice(before);
  expect(after.some((one) => /^(PUT|POST) .*turns\.parquet/.test(one))).toBe(false);
});

test('a day whose object is not what was written is not taken out of the database', async () => {
  const before = await on.rows();
  const options = on.options({
    onStep: (_day, step) => {
      if (step !== 'verify') return;
      const key = must(
        [...server.objects.keys()].find((one) => one.endsWith('/fills.parquet')),
        'the object',
      );
      const bytes = Buffer.from(must(server.objects.get(key), 'its content'));
      bytes[9] = (bytes[9] ?? 0) ^ 1;
      server.objects.set(key, bytes);
    },
  });
  await expect(archiveDays(options, NEXT)).rejects.toThrow(
    'fills.parquet is not what was archived',
  );
  expect(await on.rows()).toEqual(before);
});

test('an audit names the day of an object that was changed or is gone, whatever copies there are', async () => {
  await archiveDays(on.options(), NEXT);
  await on.withLedger(on.reader(), (ledger) => Promise.all(on.ended.map((id) => ledger.load(id))));
  const key = must(
    [...server.objects.keys()].find((one) => one.endsWith('/turns.parquet')),
    'the object',
  );
  const bytes = must(server.objects.get(key), 'its content');
  server.objects.set(key, Buffer.alloc(bytes.length));
  const findings = async () => (await on.audited(on.files)).findings;
  expect(await findings()).toMatchObject([
    { portfolio: DAY, detail: expect.stringContaining('turns.parquet is not what was archived') },
  ]);
  server.objects.delete(key);
  expect(await findings()).toMatchObject([
    { portfolio: DAY, detail: expect.stringContaining('has no') },
  ]);
});

test('the commands move days to the bucket of the configuration, audit and export them there, and bring them back', async () => {
  const config = join(folder, `config-${count}.yaml`);
  const paper = readFileSync('config/paper.yaml', 'utf8');
  const { region, accessKeyId, secretKey } = S3_ACCESS;
  const at = `endpoint: "${server.endpoint}", region: ${region}, bucket: heads, prefix: days/`;
  const to = `${at}, accessKeyId: ${accessKeyId}, secretKey: env:STORE, cacheFolder: ${folder}/copies-${count}`;
  writeFileSync(config, `${paper}\nledger: { retention: 2, archiveBucket: { ${to} } }\n`);
  const DATABASE_URL = addressOf(on.database);
  const run = (words: readonly string[], env: object = { STORE: secretKey }) =>
    twapd([...words, '-c', config], { env: { DATABASE_URL, ...env } });
  const events = (await run(['export'])).out;
  const refused = await run(['archive', '--before', NEXT], {});
  expect([refused.code, refused.err]).toEqual([
    expect.any(Number),
    expect.stringContaining('secret access key'),
  ]);
  const moved = await run(['archive', '--before', NEXT, '--to', 'bucket', '--json']);
  expect([moved.code, JSON.parse(moved.out)]).toEqual([
    0,
    [expect.objectContaining({ day: DAY, kind: 'archived', portfolios: on.ended.length })],
  ]);
  expect([...server.objects.keys()].every((key) => key.startsWith(`days/${DAY}/`))).toBe(true);
  const audit = await run(['audit', '--json', '--url', 'http://127.0.0.1:9']);
  expect(JSON.parse(audit.out).ledger).toMatchObject({ archived: on.ended.length, findings: [] });
  expect((await run(['export'])).out).toBe(events);
  const elsewhere = await run([
    'audit',
    '--archive',
    `${folder}/none`,
    '--url',
    'http://127.0.0.1:9',
  ]);
  expect([elsewhere.code, elsewhere.out]).toEqual([1, expect.stringContaining(DAY)]);
  const back = await run(['archive', 'restore', DAY, '--from', 'bucket']);
  expect([back.code, back.err]).toEqual([0, '']);
  server.refuse(/./, 1_000);
  expect((await run(['export'])).out).toBe(events);
}, 240_000);
