// The quick reading of address and keys gives what the whole schema gives, or leaves the file to it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quickClientConfig } from '../../../src/main/config/client-config.ts';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { must } from '../../../src/values/assert.ts';

const PAPER = readFileSync('config/paper.yaml', 'utf8');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-client-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(text: string): string {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  return path;
}

describe('address and keys of a configuration', () => {
  test.each(['config/paper.yaml', 'config/paper-remote.yaml', 'config/deribit.yaml'])(
    'those of %s are the same with and without the schema',
    (path) => {
      const quick = must(quickClientConfig(path), 'it has nothing unusual');
      const reading = loadConfig(path, { onUnset: () => undefined });
      if (reading.kind === 'faulty') throw new Error('the shipped file has faults');
      const { service, keys } = reading.value;
      expect(quick.service).toEqual({ host: service.host, port: service.port });
      expect(
        quick.keys.map(({ secret, ...key }) => ({ ...key, secret: secret?.reveal() })),
      ).toEqual(
        keys.map(({ id, accounts, bindBody, secret }) => ({
          id,
          accounts,
          bindBody,
          secret: secret.reveal() || undefined,
        })),
      );
    },
  );

  test.each([
    ['a section that is not known', `${PAPER}\nservce: {}\n`],
    ['a port out of range', PAPER.replace('port: 8080', 'port: 80800')],
    ['a port that is text', PAPER.replace('port: 8080', 'port: "8080x"')],
    ['an account without quotes', PAPER.replace('accounts: ["10001"', 'accounts: [10001')],
    ['a secret of its own in plain text', PAPER.replace('id: demo-taker', 'id: desk')],
    ['a key twice', PAPER.replace('id: demo-maker2', 'id: demo-maker')],
    ['no keys', PAPER.replace(/\nkeys:\n[\s\S]*/, '\n')],
    ['text that is not YAML', `${PAPER}\n  - }{`],
  ])('%s is left to the schema, which refuses it', (_, text) => {
    expect(text).not.toBe(PAPER);
    const path = fileOf(text);
    expect(quickClientConfig(path)).toBeUndefined();
    expect(loadConfig(path, { onUnset: () => undefined }).kind).toBe('faulty');
  });

  test('a file that does not exist is left to the schema too', () => {
    expect(quickClientConfig(join(folder, 'none.yaml'))).toBeUndefined();
  });
});
