// Secrets alongside variables and files: what a command prints, and credentials of systemd.

import { hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoadOptions, loadConfig } from '../../../src/main/config/load-config.ts';
import { faultText } from '../../../src/main/fault.ts';
import { rereadConfig } from '../../../src/main/lifecycle/reread-config.ts';
import { observing } from '../../../src/ports/observer.ts';
import { captured } from '../captured-terminal.ts';

const SECRET = Buffer.from('a secret of our own, long enough').toString('base64');
const OTHER = Buffer.from('another one, which is as long').toString('base64');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-sources-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (program: string): string => JSON.stringify([process.execPath, '-e', program]);
const printing = (text: string): string => node(`console.log(${JSON.stringify(text)})`);

const key = (id: string, source: string): string =>
  `  - { id: ${id}, ${source}, uid: "7", nickname: ${id}, accounts: ["1"], scopes: [trade] }\n`;
const file = (keys: string, more = ''): string =>
  `venues:\n  paper: { kind: paper }\naccounts:\n  - { id: "1", name: one, venue: paper }\n${more}keys:\n${keys}`;

function written(text: string): string {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  return path;
}

const load = (text: string, options: LoadOptions = {}) => loadConfig(written(text), options);

function secretsOf(text: string, options: LoadOptions = {}): readonly string[] {
  const reading = load(text, options);
  if (reading.kind === 'faulty') throw new Error(reading.faults.map(faultText).join('\n'));
  return reading.value.keys.map(({ secret }) => secret.reveal());
}

function faultsOf(text: string, options: LoadOptions = {}): string {
  const reading = load(text, options);
  return reading.kind === 'faulty' ? reading.faults.map(faultText).join('\n') : '';
}

describe('a command', () => {
  test('what it prints is the secret, without the line end', () => {
    expect(secretsOf(file(key('desk', `secret: ${printing(SECRET)}`)))).toEqual([SECRET]);
  });

  test('its arguments reach it as they are, through no shell', () => {
    const words = JSON.stringify([
      process.execPath,
      '-e',
      'console.log(Buffer.from(process.argv[1]).toString("base64"))',
      '$(id) `id` ; "long enough" > x',
    ]);
    const [secret = ''] = secretsOf(file(key('desk', `secret: ${words}`)));
    expect(Buffer.from(secret, 'base64').toString()).toBe('$(id) `id` ; "long enough" > x');
  });

  test.each([
    ['that fails', node(`console.log('${SECRET}'); process.exit(3)`), 'ended with 3'],
    ['that prints nothing', node(''), 'printed nothing'],
    ['that is missing', '[no-such-program-of-ours]', 'is not found on this machine'],
    ['that is killed', node('process.kill(process.pid, "SIGKILL")'), 'was ended by a signal'],
    ['that prints too much', node('console.log("x".repeat(100000))'), 'printed more than'],
    ['that does not end', node(`console.log('${SECRET}'); setInterval(() => {}, 9)`), 'took too'],
  ])('one %s is a fault with the reason and none of its output', (_what, words, said) => {
    const fault = faultsOf(file(key('desk', `secret: ${words}`)));
    expect(fault).toMatch(/keys\[0\]\.secret: names the command/);
    expect(fault).toContain(said);
    expect(fault).not.toContain(SECRET);
  });

  test('a weak secret that it prints is refused and not repeated', () => {
    const weak = Buffer.alloc(32, 7).toString('base64');
    const fault = faultsOf(file(key('desk', `secret: ${printing(weak)}`)));
    expect(fault).toContain('gives no usable secret');
    expect(fault).not.toContain(weak);
  });

  test('addresses of stores, the master secret and the token can come from commands', () => {
    const more =
      `database: { url: ${printing('postgres://u:pass@db/twapd')} }\n` +
      `redis: { url: ${printing('redis://:pass@queue:6379/0')} }\n` +
      `gateway: { keysSecret: ${printing(SECRET)} }\n` +
      `metrics: { token: ${printing('0123456789abcdefghij')} }\n`;
    const reading = load(file(key('desk', `secret: ${printing(SECRET)}`), more), {
      environment: () => undefined,
    });
    if (reading.kind === 'faulty') throw new Error(reading.faults.map(faultText).join('\n'));
    const { database, redis, keysSecret, metricsToken } = reading.value;
    expect([database.url, redis.url, keysSecret, metricsToken].map((one) => one?.reveal())).toEqual(
      ['postgres://u:pass@db/twapd', 'redis://:pass@queue:6379/0', SECRET, '0123456789abcdefghij'],
    );
    expect(JSON.stringify(reading.value)).not.toContain('pass@');
  });

  test('a reload takes the new secret, and the process does other work meanwhile', async () => {
    const slow = (text: string): string =>
      node(`setTimeout(() => console.log(${JSON.stringify(text)}), 400)`);
    const path = written(
      file(key('a', `secret: ${slow(SECRET)}`) + key('b', `secret: ${slow(OTHER)}`)),
    );
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    const config = await rereadConfig(path, observing({}));
    clearInterval(timer);
    expect(config?.keys.map(({ secret }) => secret.reveal())).toEqual([SECRET, OTHER]);
    expect(turns).toBeGreaterThan(1);
  });

  test('a reload with a failing command reports it and changes nothing', async () => {
    const path = written(file(key('a', `secret: ${node('process.exit(1)')}`)));
    const failures: string[] = [];
    const observer = observing({ failed: ({ error }) => failures.push(String(error)) });
    expect(await rereadConfig(path, observer)).toBeUndefined();
    expect(failures.join()).toContain('ended with 1');
  });

  test('the command line runs only the command of the key that it signs with', async () => {
    const marking = (name: string): string =>
      node(
        `require('node:fs').writeFileSync(${JSON.stringify(join(folder, name))}, ''); console.log('${SECRET}')`,
      );
    const path = written(
      file(key('a', `secret: ${marking('a')}`) + key('b', `secret: ${marking('b')}`)),
    );
    const at = ['--config', path, '--url', 'http://127.0.0.1:9'];
    const ran = await captured(['list', '--key', 'b', ...at]);
    expect(ran.code).toBe(3);
    expect(['a', 'b'].map((name) => existsSync(join(folder, name)))).toEqual([false, true]);
  });
});

describe('the key of links', () => {
  const MASTER = randomBytes(32).toString('base64');
  const GIVEN = randomBytes(32).toString('base64');
  const DERIVED = Buffer.from(
    hkdfSync('sha256', Buffer.from(MASTER, 'base64'), '', 'twapd engine link v1', 32),
  ).toString('base64');
  const desk = key('desk', 'secret: env:DESK');
  const variables =
    (more: Readonly<Record<string, string>> = {}) =>
    (name: string) =>
      ({ DESK: SECRET, ...more })[name];

  function linkOf(gateway: string, options: LoadOptions) {
    const reading = load(file(desk, gateway), options);
    if (reading.kind === 'faulty') throw new Error(reading.faults.map(faultText).join('\n'));
    const { linkKey, keysSecret } = reading.value;
    return { linkKey: linkKey?.reveal(), keysSecret: keysSecret?.reveal() };
  }

  const sources = (): readonly (readonly [string, string, Readonly<Record<string, string>>])[] => {
    writeFileSync(join(folder, 'master'), MASTER, { mode: 0o600 });
    return [
      ['variable', '', { TWAPD_KEYS_SECRET: MASTER }],
      ['file', `gateway: { keysSecret: file:${join(folder, 'master')} }\n`, {}],
      ['command', `gateway: { keysSecret: ${printing(MASTER)} }\n`, {}],
      [
        'credential',
        'gateway: { keysSecret: credential:master }\n',
        { CREDENTIALS_DIRECTORY: folder },
      ],
    ];
  };

  test('the engine derives it from a master secret of any source and does not keep that, the gateway keeps both', () => {
    for (const [source, gateway, more] of sources()) {
      const environment = variables(more);
      expect(linkOf(gateway, { environment, without: 'clients' }), source).toEqual({
        linkKey: DERIVED,
        keysSecret: undefined,
      });
      for (const options of [{ environment }, { environment, without: 'engine' as const }]) {
        expect(linkOf(gateway, options), source).toEqual({ linkKey: DERIVED, keysSecret: MASTER });
      }
    }
  });

  test('without a master secret there is none', () => {
    const none = { linkKey: undefined, keysSecret: undefined };
    expect(linkOf('', { environment: variables() })).toEqual(none);
    expect(linkOf('', { environment: variables(), without: 'clients' })).toEqual(none);
  });

  test('one that is given wins, and the engine then does not read the master secret', () => {
    const missing = 'gateway: { keysSecret: [no-such-program-of-ours] }\n';
    const environment = variables({ TWAPD_LINK_KEY: GIVEN });
    expect(linkOf(missing, { environment, without: 'clients' }).linkKey).toBe(GIVEN);
    expect(faultsOf(file(desk, missing), { environment })).toContain(
      'gateway.keysSecret: names the command',
    );
    const both = variables({ TWAPD_LINK_KEY: GIVEN, TWAPD_KEYS_SECRET: MASTER });
    expect(linkOf('', { environment: both })).toEqual({ linkKey: GIVEN, keysSecret: MASTER });
    const printed = `service: { link: { key: ${printing(GIVEN)} } }\n`;
    expect(linkOf(printed, { environment: variables() }).linkKey).toBe(GIVEN);
  });

  test('an engine that can read neither is refused, and the fault says what it may have instead', () => {
    const named = 'gateway: { keysSecret: file:/no/such/master }\n';
    const fault = faultsOf(file(desk, named), {
      environment: variables(),
      without: 'clients',
    });
    expect(fault).toContain('gateway.keysSecret: names /no/such/master');
    expect(fault).toContain('TWAPD_LINK_KEY');
  });

  test('a weak one is refused under the name of its variable and not repeated', () => {
    const weak = Buffer.alloc(32, 7).toString('base64');
    const fault = faultsOf(file(desk), { environment: variables({ TWAPD_LINK_KEY: weak }) });
    expect(fault).toMatch(/^TWAPD_LINK_KEY service\.link\.key: gives no usable key; accepted:/);
    expect(fault).not.toContain(weak);
  });
});

describe('a credential of systemd', () => {
  const variables = (credentials?: string) => (name: string) =>
    name === 'CREDENTIALS_DIRECTORY' ? credentials : undefined;

  test('it is read from the folder that systemd names, whatever the mode of its file', () => {
    const at = join(folder, 'credentials');
    mkdirSync(at);
    writeFileSync(join(at, 'secrets_desk.secret'), `${SECRET}\n`);
    chmodSync(join(at, 'secrets_desk.secret'), 0o440);
    const text = file(key('desk', 'secret: credential:secrets_desk.secret'));
    expect(secretsOf(text, { environment: variables(at) })).toEqual([SECRET]);
    expect(
      faultsOf(file(key('desk', 'secret: credential:other')), { environment: variables(at) }),
    ).toContain('cannot be read (ENOENT)');
  });

  test('outside of a service it is unset, and the fault says what gives it', () => {
    const text = file(key('desk', 'secret: credential:desk'));
    expect(faultsOf(text, { environment: variables() })).toContain('LoadCredential=');
    const unset: string[] = [];
    load(text, { environment: variables(), onUnset: ({ field }) => unset.push(field) });
    expect(unset).toEqual(['keys[0].secret']);
  });

  test.each(['../desk', '/etc/passwd', '', '.hidden'])('the name %j is refused', (name) => {
    const text = file(key('desk', `secret: ${JSON.stringify(`credential:${name}`)}`));
    expect(faultsOf(text)).toContain('is not the name of a credential');
  });
});
