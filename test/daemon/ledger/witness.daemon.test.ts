// A real daemon with a witness of its ledger: its orderly end leaves a signed head in a file and its digest in the log, `twapd audit`
// trusts the file and the public key alone, and a witness that does not answer holds up neither the start nor the end.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { must } from '../../../src/values/assert.ts';
import { until } from '../../adapters/until.ts';
import { type Ran, twapd } from '../../main/cli-world.ts';
import {
  allowLongEnds,
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../../support/daemon/daemon-process.ts';
import { addressOf, createDatabase, type TestDatabase } from '../../support/daemon/services.ts';
import { eventChanged } from '../../support/daemon/tampered-events.ts';
import { TWO_LEGS } from '../../support/engine/two-legs.ts';

interface Head {
  readonly number: number;
  readonly portfolios: readonly (readonly [id: string, version: number, hash: string])[];
}

/** A busy machine may not read everything within the time of an end; the next one continues. */
const LIVES_MAX = 3;

/** A receiver of heads: silent at first. */
let receiver: Server;
let isSilent = true;
let asked = 0;
const received: string[] = [];
beforeAll(async () => {
  receiver = createServer((request, response) => {
    asked += 1;
    if (isSilent) {
      request.resume();
      return;
    }
    if (request.method === 'GET') {
      response.end(received.map((line) => `${line}\n`).join(''));
      return;
    }
    void text(request).then((line) => {
      received.push(line);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

let database: TestDatabase;
let files: DaemonFiles;
let daemon: Daemon | undefined;
let key: string;
let heads: string;
beforeEach(async () => {
  database = await createDatabase();
  files = daemonFiles('seen');
  allowLongEnds(files);
  key = join(files.folder, 'key');
  heads = join(files.folder, 'heads.jsonl');
});
afterEach(async () => {
  await daemon?.end('SIGTERM');
  daemon = undefined;
  files.remove();
  await database.drop();
});

const environment = (): Record<string, string> => ({ DATABASE_URL: addressOf(database) });
const run = (...words: string[]): Promise<Ran> => twapd(words, { env: environment() });

async function withWitness(place: string): Promise<void> {
  const { code, err } = await run('ledger', 'key', key);
  expect([code, err]).toEqual([0, '']);
  const witness = `everyMinutes: 1440, key: file:${key}, ${place}`;
  appendFileSync(files.configPath, `ledger: { witness: { ${witness} } }\n`);
}

async function begin(): Promise<Daemon> {
  daemon = await startDaemon(files, environment());
  return daemon;
}

async function end(): Promise<void> {
  expect(await daemon?.end('SIGTERM')).toBe(0);
  daemon = undefined;
}

const headOf = (line: string): Head => JSON.parse(line) as Head;

const written = (): readonly string[] =>
  existsSync(heads)
    ? readFileSync(heads, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

/** Ends the daemon, and starts and ends it again until the file has what is wanted. */
async function endUntil(isThere: () => boolean): Promise<void> {
  await end();
  for (let life = 1; life < LIVES_MAX && !isThere(); life += 1) {
    await begin();
    await end();
  }
}

async function query<T extends object>(text: string): Promise<readonly T[]> {
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

async function filled({ client }: Daemon): Promise<void> {
  const submitted = await client.submit(TWO_LEGS);
  if (submitted.kind !== 'done') throw new Error(JSON.stringify(submitted));
  await until(async () => {
    await sleep(200);
    const page = await client.page({ accountId: '10001', portfolioTag: 'OPEN_ORDER' });
    return page.kind === 'done' && page.value.totalCount === 0;
  }, 240_000);
}

async function audited(
  place = heads,
): Promise<{ code: number | null; findings: readonly object[] }> {
  const words = ['--config', files.configPath, '--witness', place, '--public-key', `${key}.pub`];
  const { code, out, err } = await run('audit', '--json', ...words);
  expect(err).toBe('');
  return { code, findings: JSON.parse(out).ledger.findings };
}

test('after an orderly end the audit finds nothing against the heads, and then an event that was changed', async () => {
  await withWitness(`place: ${heads}`);
  const first = await begin();
  await filled(first);
  const portfolios = 'SELECT id::text, version FROM portfolio';
  const known = (id: string): number | undefined =>
    written()
      .flatMap((line) => headOf(line).portfolios)
      .findLast(([other]) => other === id)?.[1];
  const [stored] = await query<{ id: string; version: number }>(portfolios);
  const { id, version } = must(stored, 'the portfolio');
  await endUntil(() => (known(id) ?? 0) >= version);
  const [ended] = await query<{ id: string; version: number }>(portfolios);
  expect(known(id)).toBe(ended?.version);
  expect(await audited()).toEqual({ code: 0, findings: [] });
  const digest = createHash('sha256').update(must(written()[0], 'a first head')).digest('hex');
  expect(first.output()).toContain(digest);

  await query(eventChanged(id, { version: 2, field: 'at', value: '1' }));
  await query('DELETE FROM audit_seal');
  const { code, findings } = await audited();
  expect(code).toBe(1);
  expect(findings).toContainEqual({
    portfolio: id,
    invariant: 'I15',
    detail: expect.stringContaining('witnessed by head'),
  });
});

test('a witness that does not answer holds up neither the start nor the end, and gets every head once it answers', async () => {
  const { port } = receiver.address() as AddressInfo;
  const place = `http://127.0.0.1:${port}/heads`;
  await withWitness(`place: '${place}'`);
  const { output } = await begin();
  await until(() => asked > 0, 120_000);
  await end();
  expect(output()).toContain('no answer before the end');
  isSilent = false;
  const stored = async (): Promise<readonly string[]> =>
    (await query<{ line: string }>('SELECT line FROM witness_head ORDER BY number')).map(
      ({ line }) => line,
    );
  const missed = (await stored()).length;
  expect(missed).toBeGreaterThan(0);
  await begin();
  await until(() => received.length >= missed, 120_000);
  await endUntil(() => received.length > missed);
  expect(received).toEqual(await stored());
  expect(await audited(place)).toEqual({ code: 0, findings: [] });
});

test('`ledger key` writes a private key for its owner only, and overwrites no file', async () => {
  expect((await run('ledger', 'key', key)).code).toBe(0);
  expect(statSync(key).mode & 0o777).toBe(0o600);
  const [first, firstPublic] = [readFileSync(key, 'utf8'), readFileSync(`${key}.pub`, 'utf8')];
  const again = await run('ledger', 'key', key);
  expect([again.code, again.out]).toEqual([1, '']);
  expect(again.err).toContain('accepted: a path without a file');
  expect([readFileSync(key, 'utf8'), readFileSync(`${key}.pub`, 'utf8')]).toEqual([
    first,
    firstPublic,
  ]);
});
