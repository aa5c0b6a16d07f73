// The secrets of witnesses of the ledger: fetched, and never in a log.
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
const BUCKET = 'fE3wq0rT1mK8zX5vB2nL';
const { privateKey } = generateKeyPairSync('ed25519');
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

function secrets(ledger: string): readonly string[] {
  const path = join(folder, 'config.yaml');
  copyFileSync('config/paper.yaml', path);
  appendFileSync(path, `\n${ledger}`);
  const variables: Readonly<Record<string, string>> = { KEY, BUCKET };
  const reading = loadConfig(path, { environment: (name) => variables[name] });
  if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
  return witnessSecrets(reading.value);
}

test('a log shows neither the key that signs heads nor what gives access to a witness', () => {
  const found = secrets(`ledger:
  witness:
    keyEnv: KEY
    webhook: ${HOOK}
    bucket: { endpoint: 'https://s3.example.com', region: eu, bucket: heads, accessKeyId: AK, secretKeyEnv: BUCKET }
`);
  const redactor = new Redactor(found);
  const body = nonEmpty(KEY.split('\n').filter((line) => line !== '' && !line.startsWith('-----')));
  for (const secret of [HOOK, BUCKET, KEY, ...body]) {
    const line = JSON.stringify({ msg: `witness: ${secret} cannot be reached` });
    expect(redactor.redacted(line)).toBe('{"msg":"witness: [secret] cannot be reached"}');
  }
});

test('a ledger without witnesses has no secrets of them', () => {
  expect(secrets('')).toEqual([]);
});
