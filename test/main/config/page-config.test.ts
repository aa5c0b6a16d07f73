// What the configuration says about people who come to the page by a proxy.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Config } from '../../../src/main/config/config.ts';
import { type LoadOptions, loadConfig } from '../../../src/main/config/load-config.ts';
import { proxySignIn } from '../../../src/main/config/rules/gateway-limits.ts';
import { faultText } from '../../../src/main/fault.ts';

const SECRET = 'Kf83mz0PqL2vX71b';
const folder = mkdtempSync(join(tmpdir(), 'twapd-page-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY =
  'keys:\n  - { id: alice, secret: env:KEY_SECRET, uid: "7", nickname: alice, accounts: ["1"], scopes: [trade] }\n';
const VARIABLES: Readonly<Record<string, string>> = {
  KEY_SECRET: Buffer.from('a secret of our own, long enough').toString('base64'),
  PROXY_SECRET: SECRET,
};
const ALICE = { person: 'alice@desk.example', key: 'alice' };
const SIGN_IN = { secret: 'env:PROXY_SECRET', people: [ALICE] };

function load(section: object, trustedProxies = ['10.0.0.7'], options: LoadOptions = {}) {
  const path = join(folder, 'config.yaml');
  const gateway = { trustedProxies, page: { proxySignIn: section } };
  writeFileSync(
    path,
    `venues:\n  paper: { kind: paper }\naccounts:\n  - { id: "1", name: one, venue: paper }\n${KEY}gateway: ${JSON.stringify(gateway)}\n`,
  );
  const environment = (name: string) => VARIABLES[name];
  return loadConfig(path, { environment, ...options });
}

function read(section: object, options?: LoadOptions): Config {
  const reading = load(section, undefined, options);
  if (reading.kind === 'faulty') throw new Error(reading.faults.map(faultText).join('\n'));
  return reading.value;
}

const faultsOf = (section: object, trustedProxies?: string[], options?: LoadOptions): string => {
  const reading = load(section, trustedProxies, options);
  return reading.kind === 'faulty' ? reading.faults.map(faultText).join('\n') : '';
};

test('people come in with the headers, the secret and the keys that the file names', () => {
  const people = [{ ...ALICE, scopes: ['read'] }];
  const config = read({ ...SIGN_IN, personHeader: 'X-Auth-Email', people });
  expect(proxySignIn(config)).toEqual({
    personHeader: 'X-Auth-Email',
    secretHeader: 'X-Twapd-Proxy-Secret',
    secret: SECRET,
    people,
  });
  expect(JSON.stringify(config)).not.toContain(SECRET);
  expect(config.secretVariables.clients).toContain('PROXY_SECRET');
  expect(proxySignIn(read(SIGN_IN, { without: 'clients' }))).toBeUndefined();
});

test.each([
  ['no trusted proxy', SIGN_IN, [], 'no proxy is trusted; accepted: with the address'],
  ['no secret', { people: [ALICE] }, undefined, 'secret: is missing; accepted: env:'],
  ['nobody', { ...SIGN_IN, people: [] }, undefined, 'has 0 entries'],
  [
    'one header for both',
    { ...SIGN_IN, personHeader: 'x-twapd-proxy-secret' },
    undefined,
    'which has the secret; accepted: another header',
  ],
  [
    'two people with one key',
    { ...SIGN_IN, people: [ALICE, { ...ALICE, person: 'bob' }] },
    undefined,
    'people[1].key: repeats alice; accepted: each key once',
  ],
  [
    'a name with a line end',
    { ...SIGN_IN, people: [{ ...ALICE, person: 'a\nb' }] },
    undefined,
    'is not a name as a header has it',
  ],
])('%s is a fault', (_what, section, trusted, message) => {
  expect(faultsOf(section, trusted).replaceAll('gateway.page.proxySignIn.', '')).toContain(message);
});

test('a secret that is short or unset is a fault that does not repeat it', () => {
  const having = (secret: string | undefined): LoadOptions => ({
    environment: (name) => (name === 'PROXY_SECRET' ? secret : VARIABLES[name]),
  });
  const short = faultsOf(SIGN_IN, undefined, having('hunter2'));
  expect(short).toContain('accepted: at least 16 random characters');
  expect(short).not.toContain('hunter2');
  expect(faultsOf(SIGN_IN, undefined, having(undefined))).toContain('PROXY_SECRET');
});
