// The delivered Python client's examples and stream against a real daemon, whose death the stream outlives. That it performs every
// operation is in test/clients/python-client.ts.
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programText } from '../../../src/page/model/ticket/program-text.ts';
import { must } from '../../../src/values/assert.ts';
import { demoKeys } from '../../main/cli-world.ts';
import { clientOf, submit } from '../../support/daemon/daemon-deployment.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../../support/daemon/daemon-process.ts';

const run = promisify(execFile);
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
const secrets = JSON.stringify(
  Object.fromEntries([...demoKeys()].map(([id, { secret }]) => [id, secret])),
);
let files: DaemonFiles;
let daemon: Daemon | undefined;

beforeAll(async () => {
  files = daemonFiles('pyth', 'config/paper.yaml', 'apart');
  daemon = await startDaemon(files);
});
afterAll(async () => {
  await daemon?.end('SIGKILL');
  files.remove();
});

test.each([
  ['follow.py', [], /^portfolio \d+ has status 2, 2000 filled$/m],
  [
    'news_to_csv.py',
    ['-', '1'],
    /^sequence,timestamp,type,portfolio,version\n\d+,\d+,PORTFOLIO_\w+,\d+,\d+\n$/,
  ],
  ['chain.py', ['BTC'], /^expiry +strike[^\n]*\n\d{4}-\d{2}-\d{2} +\d+/],
  ['report.py', [], /shortfall/],
])('the example %s runs against the daemon', async (script, words, expected) => {
  const running = must(daemon, 'started before');
  // Its slices are news for as long as any of the examples runs.
  if (script === 'news_to_csv.py') await submit(running, 10001, 600);
  const { stdout } = await run('python3', [`examples/python/${script}`, running.url, ...words], {
    env,
  });
  expect(stdout).toMatch(expected);
});

test('the program that a ticket is copied as submits the portfolio', async () => {
  const running = must(daemon, 'started before');
  const note = 'from the "ticket" \\ of\tthe desk: \u{1f4c8}';
  const program = programText(
    {
      accountId: '10001',
      portfolioType: 'TWAP',
      customizedNote: note,
      twapTrade: { durationSec: 600, frequencySec: 60 },
      legs: [
        {
          instrument: 'BTC-PERPETUAL',
          instrumentType: 'PERPETUAL',
          side: 1,
          quantity: '6000',
          priceOptions: { priceType: 'MARKET' },
          postOnly: false,
        },
      ],
      execution: { randomSize: 0.2, escalation: [{ from: 0, manner: 'post' }] },
    },
    running.url,
  );
  const [key = '', { secret = '' } = {}] = [...demoKeys()][0] ?? [];
  const path = { PYTHONPATH: 'examples/python', TWAPD_KEY: key, TWAPD_SECRET: secret };
  const { stdout } = await run('python3', ['-c', program], { env: { ...env, ...path } });
  const [, id = ''] = /^portfolio (\d+)\n$/.exec(stdout) ?? [];
  const found = await clientOf(running, 10001).info(id);
  expect(found).toMatchObject({
    kind: 'done',
    value: { customizedNote: note, legs: [{ placeQuantity: '6000' }] },
  });
});

test('a news stream of the Python client resumes without a loss when the daemon is killed and started again', async () => {
  let current = must(daemon, 'started before');
  const port = new URL(current.url).port;
  const follower = spawn('python3', ['test/daemon/python/follow-news.py', current.url, secrets], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => follower.once('exit', (code) => done(code)));
  try {
    const lines = createInterface({ input: follower.stdout })[Symbol.asyncIterator]();
    const heard: string[] = [];
    const until = async (word: string): Promise<void> => {
      while (!(heard.at(-1) ?? '').startsWith(word)) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`the follower ended before ${word}: ${heard}`);
        heard.push(value);
      }
    };
    await until('Listening');
    const first = await submit(current, 10001, 600);
    await until(`PORTFOLIO_SUBMITTED ${first}`);
    await current.end('SIGKILL');
    await until('Disconnected');
    current = await startDaemon(files, { TWAPD_PORT: port });
    daemon = current;
    await until('Listening');
    const second = await submit(current, 10001, 600);
    await until(`PORTFOLIO_SUBMITTED ${second}`);
    // Every message of the ledger in order, none twice: a resync would be in its place.
    expect(heard.filter((line) => line.startsWith('Resync'))).toEqual([]);
    const versions = heard.flatMap((line) => {
      const [kind = '', id, version] = line.split(' ');
      return kind.startsWith('PORTFOLIO') && id === first ? [Number(version)] : [];
    });
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    expect(heard.filter((line) => line.startsWith(`PORTFOLIO_STARTED ${first}`))).toHaveLength(1);
  } finally {
    follower.kill('SIGKILL');
    await ended;
  }
});
