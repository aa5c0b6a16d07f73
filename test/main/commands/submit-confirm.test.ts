// What `submit` says and asks before it submits: on a terminal always, elsewhere it requires --yes for a file whose
// schedule it does not follow.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanRecord, PortfolioBody } from '../../../src/gateway/client/client.ts';
import { submitPreview } from '../../../src/main/commands/portfolio/submit-preview.ts';
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

const submittedSoFar = (): number => world.gateway.operations.records.size;

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

describe('what submit says before it asks', () => {
  test('the account, the daemon, the times, and each leg with its slices', async () => {
    const { err } = await submit('', [], 'n');
    expect(err.split('\n')).toEqual([
      `submit TWAP on account 10001 at ${world.gateway.url}`,
      'starts now',
      'ends at 2026-04-20 06:08:55 UTC, after 02:00; 2 slices',
      'leg  side  quantity  instrument     slices  first slice',
      '  1  BUY      10000  BTC-PERPETUAL       2         5000',
      'no estimate of the cost',
      'nothing was submitted; to submit without asking: --yes',
      '',
    ]);
  });

  test('a plan that the daemon refuses ends the submit before any question', async () => {
    const before = submittedSoFar();
    const path = join(world.folder, 'foreign.json');
    writeFileSync(path, JSON.stringify(perpetualBody({ accountId: '99999' })));
    const words = ['submit', path, '--url', world.gateway.url];
    const { code, err, asked } = await captured(words, { types: 'y' });
    expect([code, asked, submittedSoFar()]).toEqual([1, [], before]);
    expect(err).toContain('accountId');
  });
});

describe('the preview of a submit', () => {
  const plan: PlanRecord = {
    startTimestamp: String(Date.UTC(2027, 0, 4, 9)),
    endTimestamp: String(Date.UTC(2027, 0, 4, 9, 30)),
    legs: [
      { instrument: 'BTC_USDC', side: 2, quantity: '0.1', slices: 1, hedge: false },
      { instrument: 'BTC-26MAR27-90000-C', side: 1, quantity: '2', slices: 0, hedge: true },
    ],
    slices: [
      {
        leg: 0,
        slice: 0,
        dueTimestamp: String(Date.UTC(2027, 0, 4, 9)),
        quantity: '0.1',
        cumulativeQuantity: '0.1',
      },
    ],
    verdict: {
      canComplete: false,
      findings: [{ kind: 'fault', leg: 0, about: 'margin', message: 'is short of 2 BTC' }],
      legs: [
        {
          costBps: '3.10',
          cost: '2.79',
          costCurrency: 'USDC',
          fee: '0.5',
          feeCurrency: 'USDC',
          resting: '0',
          beyondDepth: '0',
        },
        { costCurrency: 'BTC', fee: '0.0006', feeCurrency: 'BTC', resting: '2', beyondDepth: '0' },
      ],
      margin: [],
      orders: { children: 1, mostAtOnce: 1, editsPerSecond: '0.00' },
    },
  };
  const body = {
    ...perpetualBody(),
    portfolioType: 'TWAP',
    accountId: 10001,
    twapTrade: {
      startTimestamp: Number(plan.startTimestamp),
      durationSec: 1800,
      frequencySec: 1800,
    },
  } as PortfolioBody;
  const at = (width: number): readonly string[] =>
    submitPreview(plan, { body, url: 'http://localhost:8080', width }).split('\n');

  test('the preview has start, cost, fees, hedges and objections', () => {
    expect(at(100)).toEqual([
      'submit TWAP on account 10001 at http://localhost:8080',
      'starts at 2027-01-04 09:00:00 UTC',
      'ends at 2027-01-04 09:30:00 UTC, after 30:00; 1 slice',
      'leg  side  quantity  instrument           slices  first slice  cost bps       cost        fees',
      '  1  SELL       0.1  BTC_USDC                  1          0.1      3.10  2.79 USDC    0.5 USDC',
      '  2  BUY          2  BTC-26MAR27-90000-C   hedge            –         –          –  0.0006 BTC',
      'fault   leg 1: is short of 2 BTC',
      'cannot complete as things are',
    ]);
  });

  test('a narrow preview keeps the quantity and the cost of each leg', () => {
    expect(at(52).slice(3, 6)).toEqual([
      'side  quantity  instrument                cost',
      'SELL       0.1  BTC_USDC             2.79 USDC',
      'BUY          2  BTC-26MAR27-90000-C          –',
    ]);
  });
});

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

  test('a file without a schedule is submitted without a question where there is no terminal', async () => {
    const before = submittedSoFar();
    const { code, err, asked } = await submit('');
    expect([code, err, asked, submittedSoFar()]).toEqual([0, '', [], before + 1]);
  });

  test('on a terminal a file without a schedule is submitted only after a yes', async () => {
    const before = submittedSoFar();
    const declined = await submit('', [], 'n');
    expect([declined.code, submittedSoFar()]).toEqual([1, before]);
    const agreed = await submit('', [], 'y');
    expect([agreed.code, submittedSoFar()]).toEqual([0, before + 1]);
  });

  test('with --yes nothing is asked on a terminal, and no estimate is made', async () => {
    const { code, err, asked } = await submit('', ['--yes'], 'n');
    expect([code, err, asked]).toEqual([0, '', []]);
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
