// How late slices are while twenty sessions look at the page, against the same daemon without them: one real browser on the
// screen of a portfolio, the others scripted, each with the streams and at the pace of that screen. With and without take
// turns in one run, so that what else the machine does is in both.
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type Client, connect, type PortfolioBody } from '../src/gateway/client/client.ts';
import { browserRequest, enter, withSession } from '../test/gateway/page/browser-request.ts';
import { hasBrowser, launch, visit } from '../test/page/browser.ts';
import { type Daemon, daemonFiles, startDaemon } from '../test/support/daemon/daemon-process.ts';
import { opened } from './opened.ts';
import type { Row } from './row.ts';
import { type Lateness, latenessOf } from './slice-lateness.ts';

const SESSIONS = 20;
const PORTFOLIOS = 50;
const ROUNDS = 3;
const ROUND_SEC = Number(process.env['TWAPD_BENCH_SECONDS'] ?? '30');
const SETTLE_MS = 5_000;
const COURSE_EVERY_MS = 2_000;
const REST_EVERY_MS = 5_000;
/** Starting, the rounds with and without, and what lies between them. */
const DURATION_SEC = ROUNDS * 2 * (ROUND_SEC + 60) + 120;

const READER = {
  keyId: 'demo-reader',
  secret: 'dHdhcGQtZGVtby1yZWFkZXItc2VjcmV0LTAxMjM0NTY3ODk=',
};

/** Each portfolio has one slice a second. */
const body = (index: number): PortfolioBody => ({
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: DURATION_SEC, frequencySec: 1 },
  legs: [
    {
      instrument: index % 4 < 2 ? 'BTC-PERPETUAL' : 'ETH-PERPETUAL',
      instrumentType: 'PERPETUAL',
      side: index % 2 === 0 ? 1 : 2,
      quantity: String(10 * DURATION_SEC),
      priceOptions: { priceType: 'MARKET' },
    },
  ],
});

async function submit({ client }: Daemon): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < PORTFOLIOS) {
    const answer = await client.submit(body(ids.length));
    if (answer.kind === 'done') ids.push(String(answer.value.portfolioId));
    else if (answer.kind === 'refused' && answer.retryAfterSec !== undefined) {
      await sleep(answer.retryAfterSec * 200);
    } else throw new Error(JSON.stringify(answer));
  }
  return ids;
}

async function codeOf(client: Client): Promise<string> {
  const issued = await client.pageCode({ purpose: 'open' });
  if (issued.kind !== 'done') throw new Error(JSON.stringify(issued));
  return issued.value.code;
}

interface Counts {
  asked: number;
  refused: number;
  heard: number;
}

/** What the screen of one portfolio requests and hears, until the returned function is called. */
async function watch(url: string, client: Client, id: string, counts: Counts) {
  const signed = await enter(url, await codeOf(client));
  const headers = withSession(signed);
  const socket = new WebSocket(
    `${url.replace(/^http/, 'ws')}/page/ws`,
    ['twapd.page', signed.secret],
    {
      headers: { cookie: signed.cookie },
      origin: url,
    },
  );
  const failed = new Promise<never>((_, fail) => socket.on('error', fail));
  await Promise.race([new Promise((open) => socket.once('open', open)), failed]);
  socket.on('error', () => undefined);
  socket.on('message', () => {
    counts.heard += 1;
  });
  socket.send(JSON.stringify({ id: 'news', op: 'subscribe', data: [{ channel: 'trade-news' }] }));
  const ending = new AbortController();
  const every = async (waitMs: number, paths: readonly string[]): Promise<void> => {
    while (!ending.signal.aborted) {
      for (const path of paths) {
        const { status } = await browserRequest(`${url}/page/api/${path}`, { headers });
        counts.asked += 1;
        if (status !== 200) counts.refused += 1;
      }
      await sleep(waitMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const asking = Promise.all([
    every(COURSE_EVERY_MS, [`course?portfolioId=${id}`]),
    every(REST_EVERY_MS, [`report?portfolioId=${id}`, `history?portfolioId=${id}`, 'summary']),
  ]);
  return async (): Promise<void> => {
    ending.abort();
    await asking;
    socket.terminate();
  };
}

/** A real browser on the screen of one portfolio; without a Chromium, another scripted session. */
async function watchInBrowser(url: string, client: Client, id: string, counts: Counts) {
  if (!hasBrowser) return await watch(url, client, id, counts);
  const browser = await launch();
  try {
    const { page } = await visit(browser, `${url}/#code=${await codeOf(client)}`);
    await page.getByRole('heading', { name: 'Blotter' }).waitFor();
    await page.goto(`${url}/#portfolio=${id}`);
    await page.getByRole('img', { name: /^Schedule and fills of/ }).waitFor();
  } catch (error) {
    await browser.close();
    throw error;
  }
  return () => browser.close();
}

export async function benchPageSessions(): Promise<Row[]> {
  await using all = opened();
  const files = daemonFiles('bnch', 'config/paper.yaml', 'apart');
  all.defer(async () => files.remove());
  const daemon = await startDaemon(files);
  all.defer(async () => void (await daemon.end('SIGTERM')));
  keepToOneProcessor();
  const ids = await submit(daemon);
  const reader = connect({ baseUrl: daemon.url, ...READER });
  const counts: Counts = { asked: 0, refused: 0, heard: 0 };
  const rounds: (readonly [without: Lateness, beside: Lateness])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(SETTLE_MS);
    const without = await latenessOf(daemon, () => sleep(ROUND_SEC * 1_000));
    await using looking = new AsyncDisposableStack();
    for (let at = 0; at < SESSIONS; at += 1) {
      const begin = at === 0 ? watchInBrowser : watch;
      const client = at % 2 === 0 ? daemon.client : reader;
      looking.defer(await begin(daemon.url, client, ids[at] ?? '', counts));
    }
    await sleep(SETTLE_MS);
    const beside = await latenessOf(daemon, () => sleep(ROUND_SEC * 1_000));
    rounds.push([without, beside]);
    process.stderr.write(`  without: ${textOf(without)}; with ${SESSIONS}: ${textOf(beside)}\n`);
  }
  return [...rounds.map(rowOf), summaryRow(rounds, counts)];
}

/**
 * Those who look sit at machines of their own, and here share the processors of the daemon: this process, and the browser that it
 * starts, keep to the last one. Called after the daemon was started, which has them all.
 */
function keepToOneProcessor(): void {
  const last = availableParallelism() - 1;
  if (last > 0) execFileSync('taskset', ['--all-tasks', '-cp', String(last), String(process.pid)]);
}

const textOf = ({ sent, missed, meanMs, p99Ms }: Lateness): string =>
  `${sent} slices, ${missed} missed, late ${meanMs.toFixed(1)} ms on average, p99 about ${p99Ms} ms`;

const rowOf = ([without, beside]: readonly [Lateness, Lateness], round: number): Row => ({
  what: `lateness with ${SESSIONS} sessions of the page, round ${round + 1}`,
  value: textOf(beside),
  yardstick: `without: ${textOf(without)}`,
});

function summaryRow(
  rounds: readonly (readonly [Lateness, Lateness])[],
  { asked, refused, heard }: Counts,
): Row {
  const ratios = rounds
    .map(([without, beside]) => beside.meanMs / without.meanMs)
    .sort((a, b) => a - b);
  const middle = ratios[Math.floor(ratios.length / 2)] ?? Number.NaN;
  const browser = hasBrowser ? 'one of them a browser' : 'NO browser was found';
  return {
    what: `average lateness with ${SESSIONS} sessions, ${browser}, as a share of that without`,
    value: `${middle.toFixed(2)} (${ratios.map((one) => one.toFixed(2)).join(', ')}); ${asked} requests, ${refused} refused, ${heard} messages`,
    yardstick: '1',
  };
}
