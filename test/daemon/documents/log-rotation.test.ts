// docs/log-rotation.md with a real logrotate: the rules of the page, on a file that a process writes its log to as the page says.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../adapters/until.ts';
import { notProved } from '../../support/reporters/not-proved.ts';
import { blocksOf, ROOT } from './page-blocks.ts';

const PAGE = 'docs/log-rotation.md';
const FOLDER = '/var/log/twapd';
const logrotate = ['/usr/sbin/logrotate', '/usr/bin/logrotate'].find((path) => existsSync(path));
const rules = blocksOf(PAGE).find(({ language }) => language === 'text')?.lines ?? [];

/** Writes numbered lines to its standard output as the daemon writes its log. */
const WRITES = `
const { LineWriter } = await import('${join(ROOT, 'src/adapters/telemetry/log/line-writer.ts')}');
const ignore = () => undefined;
const writer = new LineWriter({ fd: 1, bufferMaxBytes: 1e6, onDropped: ignore, onFlush: ignore });
let number = 0;
setInterval(() => writer.write(JSON.stringify({ number: (number += 1), text: 'x'.repeat(200) }) + '\\n'), 2);
`;

let end = (): void => undefined;
afterEach(() => {
  end();
  end = () => undefined;
});

const numbersIn = (path: string): readonly number[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { readonly number: number }).number);

describe.runIf(logrotate !== undefined)('the rules for logrotate', () => {
  test('a rotation copies the log whole, and the emptied file continues with whole lines', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'twapd-logrotate-'));
    // logrotate refuses folders that others may write to.
    chmodSync(folder, 0o755);
    const log = join(folder, 'twapd.log');
    const config = join(folder, 'rules');
    writeFileSync(config, rules.join('\n').replaceAll(FOLDER, folder), { mode: 0o644 });
    const appended = openSync(log, 'a');
    const words = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', WRITES];
    const child = spawn(process.execPath, words, { stdio: ['ignore', appended, 'inherit'] });
    end = () => {
      child.kill('SIGKILL');
      closeSync(appended);
      rmSync(folder, { recursive: true, force: true });
    };
    const hasLines = (): boolean => readFileSync(log, 'utf8').split('\n').length > 200;
    await until(hasLines);
    const said = spawnSync(logrotate ?? '', ['--debug', config], { encoding: 'utf8' }).stderr;
    // A size alone would keep a small log for ever.
    expect(said).toContain('after 1 days');
    const state = join(folder, 'state');
    execFileSync(logrotate ?? '', ['--state', state, '--force', config], { stdio: 'pipe' });
    await until(hasLines);
    child.kill('SIGKILL');
    const [copy] = readdirSync(folder).filter((name) => /^twapd\.log-\d{8}-\d+$/.test(name));
    const before = numbersIn(join(folder, copy ?? ''));
    expect(before).toEqual(before.map((_, index) => index + 1));
    expect(before.length).toBeGreaterThan(199);
    const after = numbersIn(log);
    const first = after[0] ?? 0;
    expect(first).toBeGreaterThan(before.length);
    expect(after).toEqual(after.map((_, index) => first + index));
  });
});

test('a machine without logrotate says that its page was not followed', () => {
  expect(rules.join('\n')).toContain(`${FOLDER}/twapd.log {`);
  if (logrotate === undefined) {
    notProved(PAGE, 'logrotate is not installed; apt-get install logrotate');
  }
});
