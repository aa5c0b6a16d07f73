import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXCHANGE_OVERRIDES } from '../../../src/main/config/environment.ts';
import { type LoadOptions, loadConfig } from '../../../src/main/config/load-config.ts';
import { faultText } from '../../../src/main/fault.ts';
import { SpentNonces } from '../../../src/main/wiring/spent-nonces.ts';
import { instant, later } from '../../../src/values/instant.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const REMOTE = readFileSync(join(ROOT, 'config/paper-remote.yaml'), 'utf8');
const SECRET = Buffer.from('a secret of our own, long enough').toString('base64');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-remote-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Variables = Readonly<Record<string, string>>;

function load(text: string, variables: Variables = {}, options: LoadOptions = {}) {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  return loadConfig(path, { environment: (name) => variables[name], ...options });
}

/** `field: message` of every fault. */
function faultsOf(text: string, variables?: Variables): readonly string[] {
  const reading = load(text, variables);
  return reading.kind === 'faulty'
    ? reading.faults.map(({ field, message }) => `${field}: ${message}`)
    : [];
}

/** A configuration with one account and one key at an exchange. */
const venue = (url: string, changes = ''): string => `venues:
  far:
    kind: remote
    url: ${url}
    credentials:
      - { keyId: desk, secretEnv: SECRET, accounts: ["1"] }
accounts:
  - { id: "1", name: one, venue: far }
keys:
  - { id: own, secretEnv: SECRET, uid: "7", nickname: own, accounts: ["1"], scopes: [trade] }
${changes}`;
const WITH_SECRET = { SECRET };

describe('a daemon that trades on another process', () => {
  test('config/paper-remote.yaml matches config/exchange.yaml in accounts and keys', () => {
    const daemon = load(REMOTE);
    const exchange = load(readFileSync(join(ROOT, 'config/exchange.yaml'), 'utf8'));
    if (daemon.kind === 'faulty' || exchange.kind === 'faulty') throw new Error('faulty');
    const remote = daemon.value.venues['paper'];
    if (remote?.kind !== 'remote') throw new Error('not remote');
    expect(remote.url).toBe(`http://127.0.0.1:${exchange.value.service.port}`);
    const given = remote.credentials.map(({ keyId, secret, accounts }) => ({
      ...{ keyId, accounts },
      secret: secret.reveal(),
    }));
    expect(given).toEqual(
      exchange.value.keys.map(({ id, secret, accounts }) => ({
        ...{ keyId: id, accounts },
        secret: secret.reveal(),
      })),
    );
    expect(JSON.stringify(daemon.value)).not.toContain(given[0]?.secret);
  });

  test('a venue secret comes from the environment or a file, or is a published one', () => {
    expect(faultsOf(venue('https://far.example'), WITH_SECRET)).toEqual([]);
    const [unset] = faultsOf(venue('https://far.example'));
    expect(unset).toContain('SECRET, which is not set');
    const plain = venue('https://far.example').replace('secretEnv: SECRET', `secret: ${SECRET}`);
    expect(faultsOf(plain, WITH_SECRET)[0]).toMatch(
      /^venues\.far\.credentials\[0\]\.secret: is in/,
    );
    const none = venue('https://far.example').replace('secretEnv: SECRET, ', '');
    expect(faultsOf(none, WITH_SECRET)[0]).toContain('has 0 secrets');
  });

  test.each([
    ['http://far.example:8090', 'venues.far.url: is not encrypted'],
    ['ws://192.168.1.4', 'venues.far.url: is not encrypted'],
    ['ftp://far.example', 'venues.far.url: is not an address'],
    ['https://user:pass@far.example', 'venues.far.url: carries more than an address'],
    ['https://far.example?a=b', 'venues.far.url: carries more than an address'],
  ])('the venue address %s is refused', (url, message) => {
    expect(faultsOf(venue(url), WITH_SECRET)[0]).toContain(message);
  });

  test('a venue across a network requires the margins of a network', () => {
    const margins = 'engine: { skewMs: 1000, readLagMs: 1000 }\n';
    const faults = faultsOf(venue('wss://far.example', margins), WITH_SECRET);
    expect(faults.map((text) => text.split(':')[0])).toEqual(['engine.skewMs', 'engine.readLagMs']);
    expect(faultsOf(venue('ws://[::1]:8090', margins), WITH_SECRET)).toEqual([]);
  });

  test('every trading account has exactly one key', () => {
    const entry = '- { keyId: desk, secretEnv: SECRET, accounts: ["1"] }';
    const text = venue('https://far.example');
    const swapped = text.replace(entry, entry.replace('["1"]', '["2"]'));
    expect(faultsOf(swapped, WITH_SECRET)).toEqual([
      expect.stringContaining('venues.far.credentials: has no key for 1'),
      expect.stringContaining('venues.far.credentials[0].accounts[0]: names "2"'),
    ]);
    const twice = text.replace(entry, `${entry}\n      ${entry}`);
    expect(faultsOf(twice, WITH_SECRET)[0]).toContain('credentials[1].accounts[0]: repeats 1');
  });

  test('a published key is refused beyond this machine under any name', () => {
    const published = 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==';
    const text = venue('https://far.example').replace(
      'secretEnv: SECRET, acc',
      'secretEnv: OTHER, acc',
    );
    expect(faultsOf(text, { SECRET, OTHER: published })[0]).toContain('published demo key');
  });
});

describe('an exchange beside a daemon', () => {
  test('an exchange has variables of its own and ignores those of the daemon', () => {
    const text = readFileSync(join(ROOT, 'config/exchange.yaml'), 'utf8');
    const variables = {
      ...{ TWAPD_PORT: '1', TWAPD_DATA_DIR: '/daemon', TWAPD_HOST: '0.0.0.0' },
      ...{ TWAPD_EXCHANGE_PORT: '9', TWAPD_EXCHANGE_DATA_DIR: '/x', TWAPD_EXCHANGE_HOST: '::1' },
    };
    const reading = load(text, variables, { overrides: EXCHANGE_OVERRIDES });
    expect(reading).toMatchObject({ value: { service: { port: 9, dataDir: '/x', host: '::1' } } });
    const wrong = load(text, { TWAPD_EXCHANGE_PORT: 'x' }, { overrides: EXCHANGE_OVERRIDES });
    expect(wrong.kind === 'faulty' && wrong.faults.map(faultText)[0]).toContain(
      'TWAPD_EXCHANGE_PORT service.port: is "x"',
    );
  });

  test('a nonce is accepted once, and never if an earlier process may have seen it', () => {
    let now = instant(1_000_000);
    const nonces = new SpentNonces(() => now);
    const livingUntil = (signedAt: number) => later(instant(signedAt), 20_000);
    expect(nonces.claim('before', livingUntil(999_999))).toBe(false);
    expect(nonces.claim('at', livingUntil(1_000_000))).toBe(false);
    expect(nonces.claim('after', livingUntil(1_000_001))).toBe(true);
    expect(nonces.claim('after', livingUntil(1_000_001))).toBe(false);
    for (let n = 0; n < 3_000; n += 1) {
      now = later(now, 100);
      expect(nonces.claim(`n${n}`, livingUntil(now))).toBe(true);
      expect(nonces.claim(`n${n}`, livingUntil(now))).toBe(false);
    }
  });
});
