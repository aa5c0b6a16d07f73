import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { type LoadOptions, loadConfig } from '../../../src/main/config/load-config.ts';
import { noticeSecrets } from '../../../src/main/wiring/notice-channels.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-notify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const VARIABLES: Readonly<Record<string, string>> = {
  HOOK: 'https://hooks.example.com/T0/B0/q8Zr3xkT0vWb5nLy',
  PLAIN: 'http://hooks.example.com/x',
  LOCAL: 'http://127.0.0.1:9/x',
  SECRET: 'Zq83nLyxkT0vWb5r-Zq83nLyxkT0vWb5r',
  SHORT: 'aaaa',
};

const read = (channels: string, options: Pick<LoadOptions, 'without'> = {}) => {
  const path = join(folder, 'config.yaml');
  writeFileSync(
    path,
    `${readFileSync('config/paper.yaml', 'utf8')}\nnotify:\n  channels:\n${channels}`,
  );
  return loadConfig(path, { ...options, environment: (name) => VARIABLES[name] });
};

const faults = (channels: string): string[] => {
  const reading = read(channels);
  return reading.kind === 'read'
    ? []
    : reading.faults.map(({ field, message }) => `${field}: ${message}`);
};

describe('the section notify', () => {
  test('nobody is notified by default', () => {
    const reading = loadConfig('config/paper.yaml', { environment: () => undefined });
    expect(reading).toMatchObject({ value: { notify: { channels: {} } } });
  });

  test('secrets are fetched, and no print of the configuration shows them', () => {
    const reading = read(
      '    desk: { kind: slack, url: env:HOOK }\n    own: { kind: webhook, url: env:LOCAL, secret: env:SECRET }\n' +
        '    bot: { kind: telegram, chat: "-1", token: env:SECRET }\n' +
        '    mail: { kind: email, host: mx, user: u, password: env:SECRET, from: a@b.ch, to: [c@d.ch] }\n',
    );
    if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
    const { HOOK = '', LOCAL = '', SECRET = '' } = VARIABLES;
    expect(noticeSecrets(reading.value)).toEqual([HOOK, LOCAL, SECRET, SECRET, SECRET]);
    for (const shown of [JSON.stringify(reading), inspect(reading, { depth: 20 })]) {
      expect(shown).not.toContain(SECRET);
      expect(shown).not.toContain('hooks.example.com');
    }
  });

  test('the gateway has no secret of a channel, and its variables are kept from it', () => {
    const channels =
      '    desk: { kind: slack, url: env:HOOK }\n    own: { kind: webhook, url: env:LOCAL, secret: env:SECRET }\n';
    const reading = read(channels, { without: 'engine' });
    if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
    expect(noticeSecrets(reading.value)).toEqual(['', '', '']);
    expect(reading.value.secretVariables.engine).toEqual(['HOOK', 'LOCAL', 'SECRET']);
  });

  test.each([
    [
      'http beyond this machine',
      '    desk: { kind: slack, url: env:PLAIN }\n',
      'url: is not an address',
    ],
    ['no address', '    desk: { kind: slack }\n', 'url: is missing; accepted: env:'],
    [
      'a weak secret',
      '    d: { kind: webhook, url: env:HOOK, secret: env:SHORT }\n',
      'secret: gives no usable secret',
    ],
    ['an unset variable', '    d: { kind: slack, url: env:NOBODY }\n', 'NOBODY, which is not set'],
    [
      'an address in plain text where it is a secret',
      '    d: { kind: slack, url: "https://hooks.example.com/x" }\n',
      'url: is in plain text',
    ],
    [
      'e-mail without encryption beyond this machine',
      '    d: { kind: email, host: mx, encryption: none, from: a@b.ch, to: [c@d.ch] }\n',
      'encryption',
    ],
    [
      'a user without a password',
      '    d: { kind: email, host: mx, user: u, from: a@b.ch, to: [c@d.ch] }\n',
      'has a user and no password',
    ],
    [
      'a zone that nobody knows',
      '    d: { kind: slack, url: env:HOOK, quietHours: ["22:00-07:00 Mars"] }\n',
      'quietHours',
    ],
    [
      'quiet hours that are no window',
      '    d: { kind: slack, url: env:HOOK, quietHours: ["22-7"] }\n',
      'quietHours',
    ],
    [
      'an unknown happening',
      '    d: { kind: slack, url: env:HOOK, happenings: [x] }\n',
      'happenings',
    ],
  ])('%s is refused with its field', (_what, channels, part) => {
    const found = faults(channels);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(part);
    expect(found[0]).toContain('notify.channels.');
    expect(found[0]).not.toContain('hooks.example.com');
  });

  test('http beyond this machine is accepted where the file says that the network is trusted', () => {
    expect(faults('    desk: { kind: slack, url: env:PLAIN }\n  unencrypted: true\n')).toEqual([]);
  });
});
