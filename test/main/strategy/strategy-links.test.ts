// What may be in the folder of strategies under the name of a strategy file: links, pipes, devices.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFolder } from '../../../src/main/strategy/strategy-folder.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const STRATEGY = readFileSync(join(ROOT, 'strategies/perpetual-accumulation.yaml'), 'utf8');
const NAME = 'perpetual-accumulation';

let above = '';
let folder = '';
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'twapd-links-'));
  folder = join(above, 'strategies');
  mkdirSync(folder);
});
afterEach(() => rmSync(above, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
function read(): { readonly names: readonly string[]; readonly faults: readonly string[] } {
  const { inForce, faults } = readFolder(folder);
  return { names: [...inForce.keys()], faults: faults.map(({ message }) => message) };
}

describe('the folder of strategies', () => {
  test('a link to a file of the folder is read, even via other links, as mounted files need it', () => {
    mkdirSync(at('..2026_11_22'));
    writeFileSync(at('..2026_11_22/one.yaml'), STRATEGY);
    symlinkSync('..2026_11_22', at('..data'));
    symlinkSync('..data/one.yaml', at('one.yaml'));
    expect(read()).toEqual({ names: [NAME], faults: [] });
  });

  test('a folder that is itself reached by a link is read', () => {
    writeFileSync(at('one.yaml'), STRATEGY);
    symlinkSync(folder, join(above, 'link'));
    const { inForce, faults } = readFolder(join(above, 'link'));
    expect([[...inForce.keys()], faults]).toEqual([[NAME], []]);
  });

  test.each(['../outside.yaml', '/etc/passwd', '..'])(
    'a link to %s leads out of the folder and is refused without repeating its content',
    (target) => {
      writeFileSync(join(above, 'outside.yaml'), `${STRATEGY}\nsecret: hunter2\n`);
      symlinkSync(target, at('one.yaml'));
      const { names, faults } = read();
      expect(names).toEqual([]);
      expect(faults).toEqual([
        'is a link that leads out of its folder; accepted: a YAML or JSON file in the folder itself',
      ]);
    },
  );

  test('a loop of links and a dangling link are faults', () => {
    symlinkSync('two.yaml', at('one.yaml'));
    symlinkSync('one.yaml', at('two.yaml'));
    symlinkSync('nowhere.yaml', at('three.yaml'));
    const { names, faults } = read();
    expect(names).toEqual([]);
    expect(faults.map((fault) => /\((\w+)\)/.exec(fault)?.[1]).toSorted()).toEqual([
      'ELOOP',
      'ELOOP',
      'ENOENT',
    ]);
  });

  test('a pipe, a link to a pipe, a link to a device and a folder are faults and block nothing', () => {
    execFileSync('mkfifo', [at('pipe.yaml')]);
    symlinkSync('pipe.yaml', at('to-pipe.yaml'));
    symlinkSync('/dev/zero', at('device.yaml'));
    mkdirSync(at('folder.yaml'));
    writeFileSync(at('whole.yaml'), STRATEGY);
    const { names, faults } = read();
    expect(names).toEqual([NAME]);
    expect(faults.map((fault) => fault.split(';', 1)[0])).toEqual([
      'is a link that leads out of its folder',
      'is not a regular file',
      'is not a regular file',
      'is not a regular file',
    ]);
  });

  test('a file of more than 64 KiB is a fault', () => {
    writeFileSync(at('one.yaml'), `${STRATEGY}\n#${'x'.repeat(64 * 1024)}`);
    expect(read().faults[0]).toMatch(/^has \d+ bytes, of 65536 at most/);
  });

  test('a file of holidays that is a pipe or leads out of the folder is a fault of the strategy', () => {
    const schedule = 'schedule: { cron: "0 8 * * 1-5", zone: Etc/UTC, holidays: days.yaml }';
    writeFileSync(at('one.yaml'), STRATEGY.replace(/^schedule: .*$/m, schedule));
    execFileSync('mkfifo', [at('days.yaml')]);
    expect(read().faults.join()).toContain('is not a regular file; accepted: a file of holidays');
    rmSync(at('days.yaml'));
    symlinkSync('/etc/passwd', at('days.yaml'));
    expect(read().faults.join()).toContain('is a link that leads out of its folder');
  });
});
