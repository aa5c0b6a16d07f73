// The two files of an exchange in a process of its own and of the daemon that trades on it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXCHANGE_OVERRIDES } from '../../../src/main/config/environment.ts';
import { type LoadOptions, loadConfig } from '../../../src/main/config/load-config.ts';
import { faultText } from '../../../src/main/fault.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const DAEMON = readFileSync(join(ROOT, 'config/paper-remote.yaml'), 'utf8');
const EXCHANGE = readFileSync(join(ROOT, 'config/exchange.yaml'), 'utf8');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-exchange-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(
  text: string,
  variables: Readonly<Record<string, string>> = {},
  options: LoadOptions = {},
) {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  return loadConfig(path, { environment: (name) => variables[name], ...options });
}

describe('an exchange beside a daemon', () => {
  test('config/paper-remote.yaml matches config/exchange.yaml in accounts and keys', () => {
    const daemon = load(DAEMON);
    const exchange = load(EXCHANGE);
    if (daemon.kind === 'faulty' || exchange.kind === 'faulty') throw new Error('faulty');
    const venue = daemon.value.venues['paper'];
    if (venue?.kind !== 'deribit') throw new Error('not over the wire of Deribit');
    expect(venue.url).toBe(`ws://127.0.0.1:${exchange.value.service.port}/ws/api/v2`);
    const given = venue.credentials.map(({ account, key }) => {
      if (key.kind !== 'deribit') throw new Error('not a key of Deribit');
      return [account, key.clientId.reveal(), key.clientSecret.reveal()];
    });
    expect(given).toEqual(
      exchange.value.keys.flatMap(({ id, secret, accounts }) =>
        accounts.map((account) => [account, id, secret.reveal()]),
      ),
    );
    // What a key may do at the daemon, it may do at the exchange.
    for (const { id, scopes, makerAlias } of exchange.value.keys) {
      const own = daemon.value.keys.find((key) => key.id === id);
      expect(scopes).toContain('blockRfq');
      expect([own?.scopes.includes('blockRfq'), own?.makerAlias]).toEqual([true, makerAlias]);
    }
    expect(JSON.stringify(daemon.value)).not.toContain(given[0]?.[2]);
  });

  test('an exchange has variables of its own and ignores those of the daemon', () => {
    const text = EXCHANGE;
    const variables = {
      TWAPD_PORT: '1',
      TWAPD_DATA_DIR: '/daemon',
      TWAPD_HOST: '0.0.0.0',
      TWAPD_EXCHANGE_PORT: '9',
      TWAPD_EXCHANGE_DATA_DIR: '/x',
      TWAPD_EXCHANGE_HOST: '::1',
    };
    const reading = load(text, variables, { overrides: EXCHANGE_OVERRIDES });
    expect(reading).toMatchObject({ value: { service: { port: 9, dataDir: '/x', host: '::1' } } });
    const wrong = load(text, { TWAPD_EXCHANGE_PORT: 'x' }, { overrides: EXCHANGE_OVERRIDES });
    expect(wrong.kind === 'faulty' && wrong.faults.map(faultText)[0]).toContain(
      'TWAPD_EXCHANGE_PORT service.port: is "x"',
    );
  });
});
