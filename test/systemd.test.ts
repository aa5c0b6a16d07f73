// The units for systemd, judged by systemd itself: no setting is unknown or ignored, and what a broken-in service could
// reach stays below the stated exposure.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nonEmpty } from './support/non-empty.ts';
import { notProved } from './support/reporters/not-proved.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const UNITS = nonEmpty(globSync('config/systemd/*.service', { cwd: ROOT }).toSorted());
const NODE = '/opt/twapd/node_modules/node/bin/node';
/** From 0 (nothing can be reached) to 10; docs/systemd.md says what each unit has. */
const EXPOSURE_MAX = '1.3';

const textOf = (unit: string): string => readFileSync(join(ROOT, unit), 'utf8');
const valuesOf = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-units-'));
  // Nothing is installed here: Node is that of this process.
  for (const unit of UNITS) {
    writeFileSync(join(folder, basename(unit)), textOf(unit).replaceAll(NODE, process.execPath));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const analyzed = (...words: readonly string[]): string => {
  const { stdout, stderr, status } = spawnSync('systemd-analyze', ['--no-pager', ...words], {
    encoding: 'utf8',
  });
  return `${status}\n${stderr}${status === 0 ? '' : stdout}`;
};

describe('the units', () => {
  test.runIf(hasSystemd).each(UNITS)('systemd accepts every line of %s', (unit) => {
    const path = join(folder, basename(unit));
    expect(analyzed('verify', '--man=no', '--generators=no', path)).toBe('0\n');
  });

  test.runIf(hasSystemd).each(UNITS)('the exposure of %s is at most the stated one', (unit) => {
    const threshold = `--threshold=${Number(EXPOSURE_MAX) * 10}`;
    const path = join(folder, basename(unit));
    expect(analyzed('security', '--offline=true', threshold, path)).toBe('0\n');
  });

  test('a machine without systemd says that the units were not judged', () => {
    if (!hasSystemd)
      notProved('the systemd units', 'systemd-analyze is not installed; apt-get install systemd');
  });

  test('each unit runs a command that exists, with a configuration below /etc/twapd', () => {
    const commands = UNITS.map((unit) => {
      const [start = ''] = valuesOf(textOf(unit), 'ExecStart');
      return /\/opt\/twapd\/node_modules\/twapd\/dist\/main\/cli\.js (\w+) --config \/etc\/twapd\/\w+\.yaml$/.exec(
        start,
      )?.[1];
    });
    expect(commands).toEqual(['engine', 'exchange', 'gateway', 'start']);
  });

  test('each unit gives the process longer to end than the daemon needs', () => {
    for (const unit of UNITS) {
      expect(Number(valuesOf(textOf(unit), 'TimeoutStopSec')[0]), unit).toBeGreaterThan(10);
      expect(valuesOf(textOf(unit), 'KillMode'), unit).toEqual(['mixed']);
    }
  });

  test('no unit shares the folder of its secrets or of its state with another', () => {
    for (const name of ['LoadCredential', 'StateDirectory']) {
      const values = UNITS.flatMap((unit) => valuesOf(textOf(unit), name));
      expect(new Set(values).size).toBe(UNITS.length);
    }
  });
});
