// The witness of the ledger: one place for heads, and secrets that are fetched and never in a log.
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Redactor } from '../../../src/adapters/telemetry/log/redactor.ts';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { witnessSecrets } from '../../../src/main/witness/open-witness.ts';
import { nonEmpty } from '../../support/non-empty.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-witness-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HOOK = 'https://witness.example.com/heads/8c1f53a97b';
const { privateKey } = generateKeyPairSync('ed25519');
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

function reading(ledger: string): ReturnType<typeof loadConfig> {
  const path = join(folder, 'config.yaml');
  copyFileSync('config/paper.yaml', path);
  appendFileSync(path, `\n${ledger}`);
  return loadConfig(path, { environment: (name) => (name === 'KEY' ? KEY : undefined) });
}

function secrets(ledger: string): readonly string[] {
  const read = reading(ledger);
  if (read.kind === 'faulty') throw new Error(JSON.stringify(read.faults));
  return witnessSecrets(read.value);
}

test('a log shows neither the key that signs heads nor what gives access to a witness', () => {
  const found = secrets(`ledger:
  witness:
    key: env:KEY
    place: ${HOOK}
`);
  const redactor = new Redactor(found);
  const body = nonEmpty(KEY.split('\n').filter((line) => line !== '' && !line.startsWith('-----')));
  for (const secret of [HOOK, KEY, ...body]) {
    const line = JSON.stringify({ msg: `witness: ${secret} cannot be reached` });
    expect(redactor.redacted(line)).toBe('{"msg":"witness: [secret] cannot be reached"}');
  }
});

test('a ledger without a witness has no secrets of one', () => {
  expect(secrets('')).toEqual([]);
});

test.each([
  ['no place', '', 'ledger.witness.place: is missing; accepted: text'],
  ['an unencrypted address', ', place: "http://far.example/x"', 'is not an address of a witness'],
  ['another kind of address', ', place: "ftp://far.example/x"', 'is not an address of a witness'],
  ['a bucket', `, place: heads, bucket: { endpoint: 'https://s3.example.com' }`, 'bucket'],
])('a witness with %s is refused', (_what, places, message) => {
  const read = reading(`ledger: { witness: { key: env:KEY${places} } }\n`);
  const faults = read.kind === 'faulty' ? read.faults : [];
  expect(faults.map((fault) => `${fault.field}: ${fault.message}`)).toEqual([
    expect.stringContaining(message),
  ]);
});
