// A live venue is configured with one place, one source of each secret, and limits of its own where money is real.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { mayBeLive, placeOf } from '../../../src/main/config/rules/venue-place.ts';
import { venueSecrets } from '../../../src/main/config/secrets/venue-secrets.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const DEMO = 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==';
const VARIABLES = {
  SECRET: Buffer.from('a secret of our own, long enough').toString('base64'),
  ID: 'the-client',
  PASS: 'the-client-secret',
};
const KEY = '{ account: "1", clientId: env:ID, clientSecret: env:PASS }';
const LIMITS = `limits: { orderUsdMax: "1000", legUsdMax: "5000" }
controls: { positionMax: { "*": "10" }, grossUsdMax: { "*": "9" }, slippageUsdMax: { "*": "9" } }
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-deribit-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Variables = Readonly<Record<string, string>>;

function load(text: string, variables: Variables = VARIABLES) {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  return loadConfig(path, { environment: (name) => variables[name] });
}

/** `field: message` of every fault. */
function faultsOf(text: string, variables?: Variables): readonly string[] {
  const reading = load(text, variables);
  return reading.kind === 'faulty'
    ? reading.faults.map(({ field, message }) => `${field}: ${message}`)
    : [];
}

const config = (options: string, { credentials = [KEY], more = '' } = {}): string => `venues:
  live:
    kind: deribit
    ${options}
    credentials:
${credentials.map((one) => `      - ${one}`).join('\n')}
accounts:
  - { id: "1", name: one, venue: live }
  - { id: "2", name: its shadow, venue: live, dummy: true }
keys:
  - { id: own, secret: env:SECRET, uid: "7", nickname: own, accounts: ["1"], scopes: [trade] }
${more}`;

function venueOf(text: string, variables?: Variables) {
  const reading = load(text, variables);
  if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
  const venue = reading.value.venues['live'];
  if (venue?.kind !== 'deribit') throw new Error('not of kind deribit');
  return { config: reading.value, venue };
}

describe('the place of a Deribit venue', () => {
  test('without a place it is the test network, and nothing about it may be live', () => {
    const { venue } = venueOf(config('timeoutMs: 10000'));
    expect(placeOf(venue)).toEqual({ url: 'wss://test.deribit.com/ws/api/v2', expected: 'test' });
    expect(mayBeLive(venue)).toBe(false);
  });

  test.each([
    ['environment: production', { url: 'wss://www.deribit.com/ws/api/v2', expected: 'production' }],
    ['url: wss://far.example/ws/api/v2', { url: 'wss://far.example/ws/api/v2', expected: 'any' }],
  ])('%s may trade real money and has an address of its own', (options, place) => {
    const { venue } = venueOf(config(options, { more: LIMITS }));
    expect(placeOf(venue)).toEqual(place);
    expect(mayBeLive(venue)).toBe(true);
  });

  test('an address of this machine never trades real money and allows short margins', () => {
    const margins = 'engine: { skewMs: 100, readLagMs: 100 }\n';
    const { venue } = venueOf(config('url: ws://127.0.0.1:9/ws/api/v2', { more: margins }));
    expect(placeOf(venue)).toEqual({ url: 'ws://127.0.0.1:9/ws/api/v2', expected: 'any' });
    expect(mayBeLive(venue)).toBe(false);
  });

  test.each([
    [
      '{ environment: test, url: "wss://far.example" }',
      'venues.live.url: is given together with environment; accepted: one of them',
    ],
    [
      '{ url: "ws://far.example" }',
      'venues.live.url: is not encrypted; accepted: wss, or an address of this machine',
    ],
    [
      '{ url: "https://far.example" }',
      'venues.live.url: is not an address of an exchange; accepted: for example ws://127.0.0.1:8090/ws/api/v2',
    ],
    [
      '{ url: "wss://me:word@far.example" }',
      'venues.live.url: carries more than an address; accepted: for example ws://127.0.0.1:8090/ws/api/v2',
    ],
    [
      '{ url: "wss://far.example/ws/api/v2?token=1" }',
      'venues.live.url: carries more than an address; accepted: for example ws://127.0.0.1:8090/ws/api/v2',
    ],
    [
      '{ url: "wss://www.deribit.com/ws/api/v2" }',
      'venues.live.url: is the address of an environment; accepted: environment: production in its place',
    ],
    [
      '{ url: "wss://streams.drb.coinbase.com/ws/api/v2" }',
      'venues.live.url: is the address of an environment; accepted: environment: coinbase in its place',
    ],
    ['{ timeoutMs: 99 }', 'venues.live.timeoutMs: is 99; accepted: at least 100'],
  ])('%s is refused with the reason', (options, fault) => {
    const text = config(options.slice(2, -2).replaceAll(', ', '\n    '), { more: LIMITS });
    expect(faultsOf(text)).toEqual([fault]);
  });

  test('a venue across a network requires the margins of a network', () => {
    const margins = 'engine: { skewMs: 1000, readLagMs: 1000 }\n';
    const faults = faultsOf(config('environment: test', { more: margins }));
    expect(faults.map((text) => text.split(':')[0])).toEqual(['engine.skewMs', 'engine.readLagMs']);
  });
});

describe('real money', () => {
  test.each(['environment: production', 'environment: coinbase', 'url: wss://far.example'])(
    '%s is refused without limits of its own in the file, each by its name',
    (options) => {
      const faults = faultsOf(config(options, { more: 'limits: { slicesMax: 3 }\n' }));
      const unlimited = faults.filter((text) => text.includes('may trade real money'));
      expect(unlimited.toSorted()).toEqual(
        [
          'controls.grossUsdMax',
          'controls.positionMax',
          'controls.slippageUsdMax',
          'limits.legUsdMax',
          'limits.orderUsdMax',
        ].map(
          (field) =>
            `${field}: is not in the file, and venue "live" may trade real money; accepted: a limit of your own`,
        ),
      );
    },
  );

  test('published secrets are refused wherever money may be real, from any source', () => {
    const text = config('environment: production', { more: LIMITS });
    expect(faultsOf(text)).toEqual([]);
    expect(faultsOf(text, { ...VARIABLES, PASS: DEMO })[0]).toContain('published demo key');
    expect(faultsOf(text, { ...VARIABLES, SECRET: DEMO })[0]).toContain('published demo key');
  });
});

describe('the credentials of a Deribit venue', () => {
  const secretsOf = (text: string, variables?: Variables) => {
    const { config: read, venue } = venueOf(text, variables);
    const { key } = venue.credentials[0] ?? {};
    return { key, read };
  };

  test('they come from the environment or from files, and are never written out', () => {
    const path = join(folder, 'client.secret');
    writeFileSync(path, 'of a file\n', { mode: 0o600 });
    const entry = `{ account: "1", clientId: env:ID, clientSecret: "file:${path}" }`;
    const { key, read } = secretsOf(config('environment: test', { credentials: [entry] }));
    expect(key?.kind === 'deribit' && key.clientId.reveal()).toBe('the-client');
    expect(key?.kind === 'deribit' && key.clientSecret.reveal()).toBe('of a file');
    expect(JSON.stringify(read)).not.toMatch(/of a file|the-client/);
    expect(venueSecrets(read.venues)).toEqual(['of a file']);
  });

  test('a published key may be written down for an address of this machine, also with an account', () => {
    const demo = `{ account: "1", clientId: demo-taker/1, clientSecret: "${DEMO}" }`;
    const here = config('url: ws://127.0.0.1:9/ws/api/v2', { credentials: [demo] });
    const { key } = secretsOf(here);
    expect(key?.kind === 'deribit' && key.clientSecret.reveal()).toBe(DEMO);
    const far = config('environment: test', { credentials: [demo] });
    expect(faultsOf(far)).toEqual([
      expect.stringContaining('credentials[0].clientId: is in plain text'),
      expect.stringContaining('credentials[0].clientSecret: is in plain text'),
    ]);
    const own = '{ account: "1", clientId: desk, clientSecret: "of our own" }';
    expect(faultsOf(config('url: ws://127.0.0.1:9', { credentials: [own] }))).toEqual([
      expect.stringContaining('credentials[0].clientId: is in plain text'),
      expect.stringContaining('credentials[0].clientSecret: is in plain text'),
    ]);
  });

  test.each([
    [
      '{ account: "1", clientId: env:ID }',
      'venues.live.credentials[0].clientSecret: is missing; accepted: env:VARIABLE, file:PATH, credential:NAME of systemd, or [program, argument, …] that prints it',
    ],
    [
      '{ account: "2", clientId: env:ID, clientSecret: env:PASS }',
      'venues.live.credentials: has no key for 1; accepted: each account of this venue in one entry',
      'venues.live.credentials[0].account: names "2", which is not a trading account of this venue; accepted: 1',
    ],
    [
      `${KEY}\n      - ${KEY}`,
      'venues.live.credentials[1].account: repeats 1; accepted: each account once',
    ],
    [
      '{ account: "1", clientId: env:NONE, clientSecret: env:PASS }',
      'venues.live.credentials[0].clientId: names the environment variable NONE, which is not set; accepted: one that is',
    ],
  ])('the entry %s is refused with the reason', (entry, ...faults) => {
    expect(faultsOf(config('environment: test', { credentials: [entry] }))).toEqual(faults);
  });

  test('an account hosted by Coinbase has the name of a key and a private key in PEM', () => {
    const entry = '{ account: "1", clientId: env:NAME, clientSecret: env:PEM }';
    const text = config('environment: coinbase', { credentials: [entry], more: LIMITS });
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
    const variables = { ...VARIABLES, NAME: 'organizations/a/apiKeys/b' };
    const oneLine = { ...variables, PEM: pem.trim().replaceAll('\n', '\\n') };
    const { key, read } = secretsOf(text, oneLine);
    expect(key?.kind === 'coinbase' && key.privateKey.reveal()).toBe(pem.trim());
    const [, body = ''] = pem.split('\n');
    expect(venueSecrets(read.venues)).toContain(body);
    const fault = `venues.live.credentials[0].clientSecret: gives no usable private key; accepted: EC (P-256) or Ed25519, in PEM`;
    expect(faultsOf(text, { ...variables, PEM: 'no key' })).toEqual([fault]);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    const wrong = other.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(faultsOf(text, { ...variables, PEM: wrong })).toEqual([fault]);
    const deribit = config('environment: coinbase', { more: LIMITS });
    expect(faultsOf(deribit)).toEqual([fault]);
    const own = config('environment: test', { credentials: [entry] });
    expect(faultsOf(own, oneLine).at(-1)).toContain(
      'is the private key of a Coinbase key; accepted: with environment: coinbase',
    );
  });
});

describe("the venue's own protection", () => {
  const protectedBy = (...setups: readonly string[]): string =>
    config(`protection: [${setups.join(', ')}]`);
  const SETUP =
    '{ index: btc_usd, group: desk, intervalSec: 5, frozenTimeSec: 10, vegaLimit: "2" }';

  test('an index and a group are configured once, with at least one limit', () => {
    expect(faultsOf(protectedBy(SETUP, SETUP.replace('desk', 'other')))).toEqual([]);
    expect(faultsOf(protectedBy(SETUP, SETUP))).toEqual([
      'venues.live.protection[1]: repeats btc_usd and group desk; accepted: each once',
    ]);
    expect(faultsOf(protectedBy(SETUP.replace(', vegaLimit: "2"', '')))).toEqual([
      'venues.live.protection[0]: limits nothing; accepted: at least one of quantityLimit, deltaLimit, vegaLimit',
    ]);
  });

  test.each(['quantityLimit', 'deltaLimit', 'vegaLimit', 'maxQuoteQuantity'])(
    '%s is a decimal above 0',
    (limit) => {
      const setup = (text: string) =>
        protectedBy(`{ index: btc_usd, intervalSec: 5, frozenTimeSec: 0, ${limit}: ${text} }`);
      for (const text of ['"0"', '"-1"', '"many"']) {
        expect(faultsOf(setup(text))[0]).toContain(
          `venues.live.protection[0].${limit}: is not an amount; accepted: a decimal above 0 in quotes`,
        );
      }
      expect(faultsOf(setup('"0.5"')).join()).not.toContain('is not an amount');
    },
  );
});

describe('a paper venue on live prices', () => {
  const paper = (market: string): string => `venues:
  paper: { kind: paper, market: ${market} }
accounts:
  - { id: "1", name: one, venue: paper }
keys:
  - { id: own, secret: env:SECRET, uid: "7", nickname: own, accounts: ["1"], scopes: [trade] }
`;

  test('it needs neither a key nor limits, nor the margins of a network', () => {
    const margins = 'engine: { skewMs: 100, readLagMs: 100 }\n';
    for (const market of ['{ from: deribit }', '{ kind: live, from: deribit }']) {
      expect(faultsOf(paper(market) + margins)).toEqual([]);
    }
  });

  test.each([
    [
      '{ from: deribit, url: "ws://far.example" }',
      'venues.paper.market.url: is not encrypted; accepted: wss, or an address of this machine',
    ],
    [
      '{ from: deribit, environment: test, url: "wss://far.example" }',
      'venues.paper.market.url: is given together with environment; accepted: one of them',
    ],
    ['{ from: binance }', 'venues.paper.market.from: is "binance"; accepted: deribit'],
    ['{ kind: live }', 'venues.paper.market.from: is missing; accepted: deribit'],
    ['{ kind: lives }', 'venues.paper.market.kind: is "lives"; accepted: seeded, recorded, live'],
    ['{ regime: calm }', 'venues.paper.market.kind: is missing; accepted: seeded, recorded, live'],
    ['{}', 'venues.paper.market.kind: is missing; accepted: seeded, recorded, live'],
  ])('the market %s is refused with the reason', (market, fault) => {
    expect(faultsOf(paper(market))).toEqual([fault]);
  });
});

test('the shipped example has every limit that real money requires', () => {
  const example = readFileSync(join(ROOT, 'config/deribit.yaml'), 'utf8');
  const real = example.replace('environment: test', 'environment: production');
  const variables = {
    DERIBIT_CLIENT_ID: 'x',
    DERIBIT_CLIENT_SECRET: 'y',
    TWAPD_KEY_SECRET: VARIABLES.SECRET,
  };
  expect(faultsOf(real, variables)).toEqual([]);
});

describe('the variables that hold secrets', () => {
  test('variables that hold secrets are kept from the part that does not use them, and one for both from neither', () => {
    const of = (variable: string) => {
      const credentials = [`{ account: "1", clientId: env:ID, clientSecret: env:${variable} }`];
      const reading = load(config('environment: test', { credentials }));
      return reading.kind === 'faulty' ? reading.faults : reading.value.secretVariables;
    };
    expect(of('PASS')).toMatchObject({ engine: ['ID', 'PASS'] });
    expect(of('PASS')).toMatchObject({ clients: expect.arrayContaining(['SECRET']) });
    expect(of('SECRET')).toEqual({
      engine: ['ID'],
      clients: expect.not.arrayContaining(['SECRET']),
    });
  });
});
