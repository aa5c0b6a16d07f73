// What `submit` does with a strategy file whose schedule it does not follow: it asks on a terminal, and
// requires --yes elsewhere.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perpetualBody } from '../../gateway/gateway-under-test.ts';
import { captured } from '../captured-terminal.ts';
import { CliWorld } from '../cli-world.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const CRON = 'schedule: { cron: "0 16 * * 1-5", zone: Europe/London }\n';

let world: CliWorld;
beforeAll(async () => {
  world = await CliWorld.start();
});
afterAll(() => world.close());

function strategyFile(frame: string): string {
  const path = join(world.folder, 'strategy.yaml');
  writeFileSync(path, `name: one\n${frame}portfolio: ${JSON.stringify(perpetualBody())}\n`);
  return path;
}

const submittedSoFar = (): number => world.gateway.operations.forms.length;

const submit = (frame: string, more: readonly string[] = [], types?: string) =>
  captured(
    ['submit', strategyFile(frame), ...more, '--url', world.gateway.url],
    types === undefined ? {} : { types },
  );

/** On a terminal of its own, where `typed` is typed once the question is shown. */
function onTerminal(
  words: readonly string[],
  typed: string,
): Promise<{ code: number; out: string }> {
  const node = join(ROOT, 'node_modules/.bin/node');
  const line = [node, join(ROOT, 'src/main/cli.ts'), ...words, '--url', world.gateway.url];
  const quoted = line.map((word) => `'${word}'`).join(' ');
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], NO_COLOR: '1', TERM: 'xterm', SHELL: '/bin/sh' };
    const child = spawn('script', ['-qec', quoted, '/dev/null'], { cwd: ROOT, env });
    let out = '';
    let isTyped = false;
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (isTyped || !out.includes('[y/N]')) return;
      isTyped = true;
      child.stdin.write(typed);
    });
    child.once('close', (code) => resolve({ code: code ?? -1, out }));
  });
}

describe('submit of a file that is scheduled for another time', () => {
  test.each([
    [CRON, 'has the schedule "cron 0 16 * * 1-5 Europe/London"'],
    ['schedule: { at: start }\n', 'has the schedule "at every start of the daemon"'],
    [
      'schedule: { at: "2027-03-01T09:00", zone: Asia/Tokyo }\n',
      'has the schedule "once, at 2027-03-01T09:00 Asia/Tokyo"',
    ],
    ['enabled: false\n', 'is not enabled (enabled: false)'],
  ])(
    'without a terminal and without --yes the submit is refused: the file %s',
    async (frame, said) => {
      const before = submittedSoFar();
      const { code, out, err } = await submit(frame);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(said);
      expect(err).toContain('nothing was submitted');
      expect(err).toContain('--yes');
      expect(submittedSoFar()).toBe(before);
    },
  );

  test('with --yes the file is submitted, and the ignored schedule is still reported', async () => {
    const before = submittedSoFar();
    const { code, out, err } = await submit(`${CRON}enabled: false\n`, ['--yes', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveProperty('portfolioId');
    expect(err).toContain('and is not enabled (enabled: false); submit ignores this');
    expect(submittedSoFar()).toBe(before + 1);
  });

  test.each(['n', '', 'yesterday', 'yn'])(
    'the answer %j does not submit the file',
    async (types) => {
      const before = submittedSoFar();
      const { code, err, asked } = await submit(CRON, [], types);
      expect([code, asked]).toEqual([1, ['submit it now? [y/N] ']]);
      expect(err).toContain('nothing was submitted');
      expect(submittedSoFar()).toBe(before);
    },
  );

  test.each(['y', 'Y', 'yes', ' yes '])('the answer %j submits the file', async (types) => {
    const before = submittedSoFar();
    const { code, out, asked } = await submit(CRON, [], types);
    expect([code, asked.length, submittedSoFar()]).toEqual([0, 1, before + 1]);
    expect(out).toMatch(/^submitted \d+/m);
  });

  test('a file without a schedule is submitted without a question', async () => {
    const before = submittedSoFar();
    const { code, asked } = await submit('', [], 'n');
    expect([code, asked, submittedSoFar()]).toEqual([0, [], before + 1]);
  });

  test.each(['n\n', '\u0004', '\u0003'])(
    'on a real terminal nothing is submitted after %j is typed',
    async (typed) => {
      const before = submittedSoFar();
      const { code, out } = await onTerminal(['submit', strategyFile(CRON)], typed);
      expect(code).toBe(1);
      expect(out).toContain('submit it now? [y/N]');
      expect(out).toContain('nothing was submitted');
      expect(submittedSoFar()).toBe(before);
    },
  );

  test('on a real terminal the file is submitted after a yes', async () => {
    const before = submittedSoFar();
    const { code, out } = await onTerminal(['submit', strategyFile(CRON)], 'y\n');
    expect([code, submittedSoFar()]).toEqual([0, before + 1]);
    expect(out).toMatch(/^submitted \d+/m);
  });
});
