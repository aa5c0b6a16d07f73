import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type LoadOptions, loadConfig } from '../../../src/main/config/load-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-archive-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'wJalrXUtnFEMI/K7MDENG';

const read = (ledger: string, options: Pick<LoadOptions, 'without'> = {}) => {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, `${readFileSync('config/paper.yaml', 'utf8')}\nledger: ${ledger}\n`);
  return loadConfig(path, {
    ...options,
    environment: (name) => (name === 'STORE' ? SECRET : undefined),
  });
};

const bucketOf = (more: string): string =>
  `{ archiveBucket: { bucket: days, accessKeyId: id, ${more} } }`;
const GOOD = 'endpoint: "https://s3.example.com", secretKey: env:STORE';

describe('ledger.archiveBucket', () => {
  test('its secret is fetched, and shown by no print of the configuration', () => {
    const reading = read(bucketOf(GOOD));
    if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
    const { archiveBucket } = reading.value.ledger;
    expect(archiveBucket).toMatchObject({ region: 'us-east-1', prefix: '', cacheMb: 10_000 });
    expect(archiveBucket?.secretKey.reveal()).toBe(SECRET);
    expect(JSON.stringify(reading)).not.toContain(SECRET);
  });

  test('the gateway has its secret, and the engine has not', () => {
    const secretWithout = (without: 'clients' | 'engine') => {
      const reading = read(bucketOf(GOOD), { without });
      if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
      const { ledger, secretVariables } = reading.value;
      expect(secretVariables.clients).toContain('STORE');
      expect(secretVariables.engine).not.toContain('STORE');
      return ledger.archiveBucket?.secretKey.reveal();
    };
    expect([secretWithout('engine'), secretWithout('clients')]).toEqual([SECRET, '']);
  });

  test.each([
    [
      'http beyond this machine',
      bucketOf('endpoint: "http://s3.example.com", secretKey: env:STORE'),
    ],
    ['no secret', bucketOf('endpoint: "https://s3.example.com"')],
    ['an unset variable', bucketOf('endpoint: "https://s3.example.com", secretKey: env:OTHER')],
    ['a folder beside it', bucketOf(GOOD).replace('{', '{ archive: days,')],
    ['a prefix without an end', bucketOf(`${GOOD}, prefix: days`)],
    ['no room for copies', bucketOf(`${GOOD}, cacheMb: 0`)],
  ])('%s is refused with the option', (_name, ledger) => {
    const reading = read(ledger);
    if (reading.kind === 'read') return expect.unreachable('it was read');
    expect(reading.faults.map(({ field }) => field)).toEqual([
      expect.stringContaining('ledger.archiveBucket'),
    ]);
    expect(reading.faults[0]?.message).toContain('accepted');
  });
});
