import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../../src/main/config/config.ts';
import { engineSettings, submitLimits } from '../../../src/main/config/engine-settings.ts';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { Secret } from '../../../src/main/config/secrets/secret.ts';
import { type Fault, faultText } from '../../../src/main/fault.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const PAPER = readFileSync(join(ROOT, 'config/paper.yaml'), 'utf8');
const OWN_SECRET = Buffer.from('a secret of our own, long enough').toString('base64');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Variables = Readonly<Record<string, string>>;

function load(text: string, variables: Variables = {}) {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  return loadConfig(path, { environment: (name) => variables[name] });
}

function loaded(text: string, variables: Variables = {}): Config {
  const reading = load(text, variables);
  if (reading.kind === 'read') return reading.value;
  throw new Error(reading.faults.map(faultText).join('\n'));
}

function faultsOf(text: string, variables: Variables = {}): readonly Fault[] {
  const reading = load(text, variables);
  return reading.kind === 'faulty' ? reading.faults : [];
}

/** The line of `text` (from 1) that contains `part`. */
const lineOf = (text: string, part: string): number =>
  text.split('\n').findIndex((line) => line.includes(part)) + 1;

/** One venue, one account, one key whose secret comes from the environment. */
const MINIMAL = `venues:
  paper: { kind: paper }
accounts:
  - { id: "1", name: one, venue: paper }
keys:
  - { id: desk, secret: env:DESK_SECRET, uid: "7", nickname: desk, accounts: ["1"], scopes: [trade] }
`;
const WITH_SECRET = { DESK_SECRET: OWN_SECRET };

describe('the shipped configuration files', () => {
  test('config/paper.yaml has the published keys, accounts and scopes', () => {
    const { keys, accounts, service } = loaded(PAPER);
    expect(service.host).toBe('127.0.0.1');
    expect(service.port).toBe(8080);
    expect(
      keys.map(({ id, accounts: of, scopes, makerAlias }) => [id, of, scopes, makerAlias]),
    ).toEqual([
      ['demo-taker', ['10001', '20001'], ['trade', 'blockRfq', 'admin'], undefined],
      ['demo-maker', ['10002'], ['trade', 'blockRfq'], 'MAKER1'],
      ['demo-maker2', ['10003'], ['trade', 'blockRfq'], 'MAKER2'],
      ['demo-reader', ['10001'], ['read'], undefined],
    ]);
    expect(keys.map((key) => Buffer.from(key.secret.reveal(), 'base64').toString())).toEqual([
      'twapd-demo-taker-secret-0123456789',
      'twapd-demo-maker-secret-0123456789',
      'twapd-demo-maker2-secret-0123456789',
      'twapd-demo-reader-secret-0123456789',
    ]);
    expect(accounts.map(({ id, dummy }) => [id, dummy])).toEqual([
      ['10001', false],
      ['20001', true],
      ['10002', false],
      ['10003', false],
    ]);
  });

  test('config/deribit.yaml is complete except for its secrets, which are reported as unset', () => {
    const path = join(ROOT, 'config/deribit.yaml');
    const unset: string[] = [];
    const onUnset = (fault: Fault) => unset.push(fault.field);
    const reading = loadConfig(path, { environment: () => undefined, onUnset });
    expect(reading.kind).toBe('read');
    expect(unset).toEqual([
      'venues.deribit.credentials[0].clientId',
      'venues.deribit.credentials[0].clientSecret',
      'keys[0].secret',
    ]);
    expect(loadConfig(path, { environment: () => undefined }).kind).toBe('faulty');
  });

  test('the numbers of a configuration file reach the core', () => {
    const config = loaded(PAPER);
    expect(engineSettings(config)).toMatchObject({
      deployment: 'demo',
      skewMs: 250,
      validForMs: 2_000,
    });
    const limits = submitLimits(config);
    expect(limits).toMatchObject({
      durationSecMin: 10,
      frequencySecMin: 1,
      startBehindMsMax: 60_000,
    });
    expect([...limits.dummyAccounts]).toEqual(['20001']);
  });
});

describe('a fault names its line, its field and what is accepted', () => {
  test.each([
    [
      'a word for a number',
      'port: 8080',
      'port: eighty',
      'service.port',
      'is "eighty"; accepted: a whole number',
    ],
    ['a number out of range', 'port: 8080', 'port: 70000', 'service.port', 'at most 65535'],
    [
      'a misspelt option',
      'port: 8080',
      'prot: 8080',
      'service.prot',
      'did you mean port?; accepted here: host, port, deployment',
    ],
    [
      'a missing field',
      'nickname: Demo reader',
      '',
      'keys[3].nickname',
      'is missing; accepted: text',
    ],
    [
      'a wrong word',
      'scopes: [read]',
      'scopes: [reed]',
      'keys[3].scopes[0]',
      'is "reed"; accepted: read, trade, blockRfq, admin',
    ],
    [
      'an unknown venue kind',
      'kind: paper',
      'kind: papr',
      'venues.paper.kind',
      'accepted: paper, deribit',
    ],
    [
      'an empty list',
      'accounts: ["10002"]',
      'accounts: []',
      'keys[1].accounts',
      'has 0 entries; accepted: at least 1 entries',
    ],
    [
      'a number where text is needed',
      'BTC: "100"',
      'BTC: 100',
      'venues.paper.startingBalances.BTC',
      'is 100; accepted: text',
    ],
    ['a null', 'seed: 1', 'seed:', 'venues.paper.seed', 'is empty; accepted: a whole number'],
    [
      'an unknown account',
      'accounts: ["10003"]',
      'accounts: ["10009"]',
      'keys[2].accounts[0]',
      'which is not a known account; accepted: 10001, 20001, 10002, 10003',
    ],
    [
      'an account given twice',
      'id: "10003", name: Demo maker two',
      'id: "10002", name: Demo maker two',
      'accounts[3].id',
      'repeats 10002',
    ],
    [
      'a self-trade mode for a dummy',
      'dummy: true',
      'dummy: true, selfTrade: cancel_maker',
      'accounts[1].selfTrade',
      'is set for a dummy account; accepted: on accounts that trade on a paper venue',
    ],
    [
      'an alias shared by two makers',
      'makerAlias: MAKER2',
      'makerAlias: MAKER1 #',
      'keys[2].makerAlias',
      'is MAKER1 for the accounts 10002 and 10003; accepted: an alias for each',
    ],
    [
      'a maker with two aliases',
      'accounts: ["10003"]',
      'accounts: ["10002"] #',
      'keys[2].makerAlias',
      'account 10002 is MAKER1 already; accepted: one alias an account',
    ],
    [
      'an unknown venue',
      'name: Demo shadow, venue: paper',
      'name: Demo shadow, venue: papyrus',
      'accounts[1].venue',
      'which is not a known venue; accepted: paper',
    ],
  ])(
    'a configuration with %s is refused with the line of the fault',
    (_what, from, to, field, message) => {
      const text = PAPER.replace(from, to);
      expect(text).not.toBe(PAPER);
      const fault = faultsOf(text).find((one) => one.field === field);
      expect(fault?.message).toContain(message);
      if (to !== '' && !to.endsWith('#')) expect(fault?.line).toBe(lineOf(text, to));
    },
  );

  test('all faults of a file are reported at once, from top to bottom', () => {
    const text = PAPER.replace('port: 8080', 'port: x')
      .replace('seed: 1', 'seed: -1')
      .replace('latencyMs: 5', 'latency: 5')
      .replace('uid: "1002"', 'uid: two');
    const found = faultsOf(text);
    expect(found.map((fault) => fault.field).sort()).toEqual(
      ['keys[1].uid', 'service.port', 'venues.paper.latency', 'venues.paper.seed'].sort(),
    );
  });

  test.each([
    ['a broken indent', 'service:\n  port: 1\n bad', 3],
    ['a key given twice', 'service: {}\nservice: {}\n', 2],
  ])('text that is not YAML is refused with its line: %s', (_what, text, line) => {
    const [fault] = faultsOf(text);
    expect(fault?.message).toContain('is not YAML');
    expect(fault?.line).toBe(line);
  });

  test('a missing file is reported as a fault of the whole file', () => {
    const reading = loadConfig(join(folder, 'nowhere.yaml'));
    expect(reading).toMatchObject({ kind: 'faulty', faults: [{ field: '' }] });
  });

  test('an empty file is refused', () => {
    expect(faultsOf('')[0]?.message).toContain('accepted: a block of fields');
  });
});

describe('environment variables override the file', () => {
  test('variables override the listening address and the data folder', () => {
    const { service } = loaded(PAPER, {
      TWAPD_HOST: 'localhost',
      TWAPD_PORT: '9001',
      TWAPD_DATA_DIR: '/var/lib/twapd',
    });
    expect(service).toMatchObject({ host: 'localhost', port: 9001, dataDir: '/var/lib/twapd' });
  });

  test('variables override the addresses of Redis and PostgreSQL', () => {
    const config = loaded(PAPER, {
      REDIS_URL: 'redis://:pass@cache:6379/1',
      DATABASE_URL: 'postgres://twapd:pass@db/twapd',
    });
    expect(config.redis.url?.reveal()).toBe('redis://:pass@cache:6379/1');
    expect(config.database.url?.reveal()).toBe('postgres://twapd:pass@db/twapd');
  });

  test.each([
    ['TWAPD_PORT', 'eighty', 'is "eighty"; accepted: a whole number from 0 to 65535'],
    ['TWAPD_PORT', '65536', 'accepted: a whole number'],
    ['REDIS_URL', 'http://:hunter2@cache', 'accepted: for example redis://'],
    ['DATABASE_URL', 'hunter2', 'accepted: for example postgres://'],
  ])('the value of the variable %s is validated: %s', (variable, value, message) => {
    const [fault] = faultsOf(PAPER, { [variable]: value });
    expect(fault?.source).toBe(variable);
    expect(fault?.message).toContain(message);
    expect(fault?.message).not.toContain('hunter2');
  });
});

describe('plain HTTP', () => {
  test.each(['0.0.0.0', '::', '10.0.0.7', 'desk.example'])(
    'on %s it is refused unless the file vouches for the network',
    (host) => {
      const variables = { ...WITH_SECRET, TWAPD_HOST: host };
      const [fault] = faultsOf(MINIMAL, variables);
      expect(fault).toMatchObject({ source: 'TWAPD_HOST', field: 'service.host' });
      expect(fault?.message).toContain('accepted: 127.0.0.1, gateway.tls, or service.plainHttp');
      expect(loaded(`service: { plainHttp: true }\n${MINIMAL}`, variables).service.host).toBe(host);
    },
  );
});

describe('the published keys', () => {
  test.each(['0.0.0.0', '::', '192.168.1.4', 'example.org', '127.0.0.1.example.org'])(
    'the published keys are refused on %s',
    (host) => {
      const [fault] = faultsOf(PAPER, { TWAPD_HOST: host });
      expect(fault?.source).toBe('TWAPD_HOST');
      expect(fault?.message).toContain('published demo key');
    },
  );

  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])(
    'the published keys are accepted on %s',
    (host) => {
      expect(loaded(PAPER, { TWAPD_HOST: host }).service.host).toBe(host);
    },
  );

  test('the published keys in the file are refused on an open address, with the line', () => {
    const text = PAPER.replace('host: 127.0.0.1', 'host: 0.0.0.0');
    expect(faultsOf(text)[0]).toMatchObject({
      field: 'service.host',
      line: lineOf(text, '0.0.0.0'),
    });
  });

  test('a published key is recognised under any name and from any source', () => {
    const published = 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==';
    const variables = { DESK_SECRET: published, TWAPD_HOST: '0.0.0.0' };
    expect(faultsOf(MINIMAL, variables)[0]?.message).toContain('published demo key');
    const trusted = `service: { plainHttp: true }\n${MINIMAL}`;
    expect(loaded(trusted, { ...WITH_SECRET, TWAPD_HOST: '0.0.0.0' }).service.host).toBe('0.0.0.0');
  });

  test('the published keys are refused beside a live venue', () => {
    const live = `  deribit:
    kind: deribit
    credentials: [{ account: "5", clientId: env:ID, clientSecret: env:SECRET }]
accounts:
  - { id: "5", name: live, venue: deribit }`;
    const text = PAPER.replace('accounts:', live).replaceAll('250', '5000');
    const found = faultsOf(text, { ID: 'x', SECRET: 'y' });
    expect(found.map((fault) => fault.field)).toEqual(['venues.deribit']);
  });
});

describe('margins', () => {
  test('margins below 5 s are refused as soon as one venue is not a local paper exchange', () => {
    const text = readFileSync(join(ROOT, 'config/deribit.yaml'), 'utf8').replace(
      'skewMs: 5000',
      'skewMs: 4999',
    );
    const found = faultsOf(text);
    expect(found[0]).toMatchObject({ field: 'engine.skewMs', line: lineOf(text, '4999') });
    expect(found[0]?.message).toContain('at least 5000');
  });
});

describe('secrets', () => {
  test('secrets may come from the environment', () => {
    expect(loaded(MINIMAL, WITH_SECRET).keys[0]?.secret.reveal()).toBe(OWN_SECRET);
  });

  test('secrets may come from a file that only its owner can read', () => {
    const path = join(folder, 'desk.secret');
    writeFileSync(path, `${OWN_SECRET}\n`, { mode: 0o600 });
    const text = MINIMAL.replace('secret: env:DESK_SECRET', `secret: file:${path}`);
    expect(loaded(text).keys[0]?.secret.reveal()).toBe(OWN_SECRET);
    for (const mode of [0o640, 0o604, 0o644]) {
      chmodSync(path, mode);
      const [fault] = faultsOf(text);
      expect(fault?.field).toBe('keys[0].secret');
      expect(fault?.message).toContain(`mode ${mode.toString(8)}`);
      expect(fault?.message).toContain('accepted: mode 600');
    }
  });

  test.each([
    ['are not set', 'secret: env:DESK_SECRET', {}, 'keys[0].secret', 'not set'],
    [
      'are not base64',
      'secret: env:DESK_SECRET',
      { DESK_SECRET: 'hunter2 hunter2' },
      'keys[0].secret',
      'canonical base64',
    ],
    [
      'are too short',
      'secret: env:DESK_SECRET',
      { DESK_SECRET: 'aHVudGVyMg==' },
      'keys[0].secret',
      'at least 16 random bytes',
    ],
    [
      'are zeros',
      'secret: env:DESK_SECRET',
      { DESK_SECRET: Buffer.alloc(32).toString('base64') },
      'keys[0].secret',
      'random bytes',
    ],
    [
      'repeat one byte',
      'secret: env:DESK_SECRET',
      { DESK_SECRET: Buffer.alloc(32, 'ab').toString('base64') },
      'keys[0].secret',
      'random bytes',
    ],
    ['are empty', "secret: ''", {}, 'keys[0].secret', 'has 0 characters'],
    [
      'are in the file in plain text',
      `secret: ${OWN_SECRET}`,
      {},
      'keys[0].secret',
      'is in plain text',
    ],
    ['are no text', 'secret: { env: DESK_SECRET }', {}, 'keys[0].secret', 'names no secret'],
    ['have no source', 'makerAlias: DESK', {}, 'keys[0].secret', 'is missing; accepted: env:'],
    ['are in a file that is not there', 'secret: file:/nowhere/x', {}, 'keys[0].secret', 'ENOENT'],
  ] as const)('secrets are refused if they %s', (_what, option, variables, field, message) => {
    const text = MINIMAL.replace('secret: env:DESK_SECRET', option);
    const [fault] = faultsOf(text, variables);
    expect(fault?.field).toBe(field);
    expect(fault?.message).toContain(message);
    expect(JSON.stringify(fault)).not.toMatch(/hunter2|aHVudGVy/);
    expect(JSON.stringify(fault)).not.toContain(OWN_SECRET);
  });

  test('an address with a password in the file is refused, and is not repeated', () => {
    const text = `${MINIMAL}redis: { url: "redis://:hunter2@cache:6379" }\n`;
    const [fault] = faultsOf(text, WITH_SECRET);
    expect(fault?.message).toContain('accepted: REDIS_URL, env:VARIABLE, file:PATH');
    expect(JSON.stringify(fault)).not.toContain('hunter2');
  });

  test('an address may come from a file', () => {
    const path = join(folder, 'database.url');
    writeFileSync(path, 'postgres://twapd:hunter2@db/twapd\n', { mode: 0o600 });
    const text = `${MINIMAL}database: { url: file:${path} }\n`;
    const config = loaded(text, WITH_SECRET);
    expect(config.database.url?.reveal()).toBe('postgres://twapd:hunter2@db/twapd');
  });

  test('no text conversion of the configuration contains a secret', () => {
    const config = loaded(PAPER, { DATABASE_URL: 'postgres://twapd:hunter2@db/twapd' });
    const secrets = [...config.keys.map((key) => key.secret.reveal()), 'hunter2'];
    const error = new Error(`could not start with ${config.database.url}`, { cause: config });
    const texts = [
      JSON.stringify(config),
      inspect(config, { depth: 10, showHidden: true, getters: true }),
      inspect(config, { depth: 10, customInspect: false }),
      format('%o %O %s %j', config, config, config.keys[0]?.secret, config),
      inspect(error, { depth: 10 }),
      `${config.keys[0]?.secret}`,
      String(Object.entries(config.keys[0]?.secret ?? {})),
    ];
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
    expect(JSON.stringify(config.keys[0])).toContain('[secret]');
  });

  test('a secret is revealed only by reveal()', () => {
    const secret = new Secret('hunter2');
    expect(`${secret}|${JSON.stringify({ secret })}|${inspect(secret)}`).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2');
  });
});
