// The real daemon on a real terminal: what a person sees of a start, of a fault and of a stop.
import { spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { must } from '../../src/values/assert.ts';
import { until } from '../adapters/until.ts';
import { watchLog } from '../support/daemon/daemon-logs.ts';
import { daemonFiles, giveCluster } from '../support/daemon/daemon-process.ts';

const files = daemonFiles('cnsl', 'config/paper.yaml', 'apart');
afterAll(() => files.remove());

const START_MS = 240_000;

/** A terminal of 80 columns in which `start` is typed. */
function terminal(environment: Readonly<Record<string, string>> = {}) {
  const words = [
    process.execPath,
    resolve('src/setup/run.mjs'),
    '--quiet',
    resolve('src/main/cli.ts'),
  ];
  const line = [...words, 'start', '--config', files.configPath].join(' ');
  const child = spawn('script', ['-qefc', `stty cols 80 rows 24; exec ${line}`, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', SHELL: '/bin/sh', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  watchLog(child);
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  onTestFinished(async () => {
    // The next daemon needs the folder of one whose test failed.
    if (child.exitCode === null) child.stdin.write('\u0003');
    await ended;
  });
  return {
    ended,
    type: (keys: string) => child.stdin.write(keys),
    raw: () => written,
    shown: () => stripVTControlCharacters(written),
  };
}

test('a start on a terminal shows a banner and lines in place of the log, keeps a fault above them, and stops in order at q', async () => {
  giveCluster(files);
  cpSync('strategies/demo-two-minutes.yaml', join(files.strategies, 'demo.yaml'));
  const { type, shown, ended, raw } = terminal();
  await until(() => /ready on http:\/\/127\.0\.0\.1:\d+ after/.test(shown()), START_MS);
  await until(() => /^\d{16} .*% .*ACTIVE/m.test(shown()), START_MS);
  expect(shown()).toContain('paper money');
  expect(shown()).toMatch(/● ready +trading ACTIVE +MMP ready +1 at work/);
  // A slow machine may show its warnings.
  expect(shown()).not.toContain('INFO');
  const link = must(/#code=([\w-]{20,})/.exec(shown())?.[1], 'the banner has a link');
  type('l');
  await until(() => shown().includes('INFO: slice sent'), START_MS);
  type('l');
  const { pid } = JSON.parse(readFileSync(join(files.dataDir, 'daemon.lock'), 'utf8')) as {
    readonly pid: number;
  };
  process.kill(pid, 'SIGKILL');
  await until(
    () => /WARN the engine ended \(SIGKILL\); it is started again/.test(shown()),
    START_MS,
  );
  await until(() => /away, last seen[\s\S]+● ready/.test(shown()), START_MS);
  type('q');
  expect(await ended).toBe(0);
  expect(shown()).toMatch(/stopped in order after \d+\.\d s\s*$/);
  expect(raw()).not.toContain('\u001b[?1049h');
  const log = readFileSync(join(files.dataDir, 'log/twapd.log'), 'utf8');
  expect(log.match(/INFO: ended \{"part":"(engine|gateway)"\}/g)).toHaveLength(2);
  expect(log).toMatch(/^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] INFO: twapd .* starts with /);
  expect(log).toContain('the engine ended (SIGKILL)');
  expect(log).not.toContain(link);
});

test('a terminal that cannot be redrawn gets the lines of the log, and Ctrl-C stops in order', async () => {
  const { type, shown, raw, ended } = terminal({ TERM: 'dumb' });
  await until(() => /INFO.*: ready on http/.test(shown()), START_MS);
  type('\u0003');
  expect(await ended).toBe(0);
  expect(shown()).toContain('draining');
  expect(raw()).not.toContain('\u001b[2K');
});
