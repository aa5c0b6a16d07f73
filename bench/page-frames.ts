// Whether the page keeps up: how soon it can be used, frames a second in a browser that scrolls the blotter and types into its
// search while 1000 portfolios change 200 times a second, and its memory over time. The gateway is the real one; what it publishes is made here.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { PortfolioSummary } from '../src/core/portfolio/summary/portfolio-summary.ts';
import type { PortfolioNews } from '../src/ports/event-bus.ts';
import { must } from '../src/values/assert.ts';
import { accountId, portfolioId } from '../src/values/ids.ts';
import { instant } from '../src/values/instant.ts';
import { GatewayUnderTest, NOW_MS, perpetualBody } from '../test/gateway/gateway-under-test.ts';
import { hasBrowser, launch, visit } from '../test/page/browser.ts';
import { opened } from './opened.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

const PORTFOLIOS = 1_000;
const CHANGES_PER_SECOND = 200;
const BATCH_MS = 50;
const SECONDS = Number(process.env['TWAPD_BENCH_SECONDS'] ?? '60');
/** Memory is measured so often. */
const PARTS = 10;
/** So often a browser without anything in its cache opens the page. */
const OPENINGS = 5;
/** What the first part allocates for good: code, caches, pools. */
const WARM_MS = 5_000;
const LOOSE = { perSecond: 1_000_000, burst: 1_000_000 };

export async function benchPageFrames(): Promise<Row[]> {
  if (!hasBrowser) throw new Error('the bench of frames needs /usr/bin/chromium');
  await using all = opened();
  const rates = { read: LOOSE, submit: LOOSE, cancel: LOOSE };
  const gateway = await GatewayUnderTest.start({ rates });
  all.defer(() => gateway.close());
  const records = await submitted(gateway);
  const browser = await launch();
  all.defer(() => browser.close());
  const usable = await openings(browser, gateway);
  const { page } = await visit(browser, await linkOf(gateway), {
    reducedMotion: 'no-preference',
  });
  await page.getByText(`${PORTFOLIOS} shown`, { exact: false }).waitFor();
  const changes = change(gateway, records);
  all.defer(() => changes.end());
  const protocol = await page.context().newCDPSession(page);
  await page.evaluate(COUNT_FRAMES);
  await sleep(WARM_MS);
  const heaps: number[] = [await heapOf(protocol)];
  const parts: Part[] = [];
  for (let at = 0; at < PARTS; at += 1) {
    const part = await watch(page, changes, (SECONDS * 1_000) / PARTS);
    parts.push(part);
    heaps.push(await heapOf(protocol));
    process.stderr.write(`  ${textOf(part)}, heap ${megabytes(heaps.at(-1) ?? 0)}\n`);
  }
  return [usable, ...rowsOf(parts, heaps)];
}

async function linkOf(gateway: GatewayUnderTest): Promise<string> {
  const issued = await gateway.request('/tt/broker/openapi/trading/page-code', {
    body: { purpose: 'open' },
  });
  return `${gateway.url}/#code=${issued.json.value.code}`;
}

/** Notes, frame by frame, when there are rows and the stream is live; milliseconds since the link was followed. */
const NOTE_USABLE = `
const look = () => {
  const isLive = [...document.querySelectorAll('header *')].some((one) => one.textContent === 'live');
  if (isLive && document.querySelector('[data-portfolio]') !== null) globalThis.usableMs = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);`;

const USABLE_MS = 'globalThis.usableMs ?? null';
const ASK_MS = 100;

/** From following a link to rows of a blotter that is live, in which one can type. */
async function openings(browser: Browser, gateway: GatewayUnderTest): Promise<Row> {
  const tookMs: number[] = [];
  while (tookMs.length < OPENINGS) {
    const context = await browser.newContext();
    await context.addInitScript(NOTE_USABLE);
    const page = await context.newPage();
    await page.goto(await linkOf(gateway));
    let usableMs: number | null = null;
    for (; usableMs === null; await sleep(ASK_MS)) usableMs = await page.evaluate(USABLE_MS);
    tookMs.push(usableMs);
    await context.close();
  }
  const [least = 0] = [...tookMs].sort((a, b) => a - b);
  const most = Math.max(...tookMs);
  return {
    what: `page: from the link to a live blotter of ${PORTFOLIOS} portfolios, nothing cached (${OPENINGS})`,
    value: `${percentile(tookMs, 0.5).toFixed(0)} ms in the median, ${least.toFixed(0)} to ${most.toFixed(0)}`,
    yardstick: 'at most 1000 ms',
  };
}

async function submitted(gateway: GatewayUnderTest): Promise<readonly PortfolioSummary[]> {
  const records: PortfolioSummary[] = [];
  while (records.length < PORTFOLIOS) {
    const note = `portfolio ${records.length} of the bench`;
    const { json } = await gateway.submit(perpetualBody({ customizedNote: note }));
    const id = portfolioId(String(json.value.portfolioId));
    const record = must(gateway.operations.records.get(id), 'it was submitted');
    const active = { ...record, status: 'active' } as const;
    gateway.operations.records.set(id, active);
    records.push(active);
  }
  return records;
}

interface Changes {
  count(): number;
  end(): Promise<void>;
}

/** Publishes fills, portfolio after portfolio, as many as are due by the clock. */
function change(gateway: GatewayUnderTest, records: readonly PortfolioSummary[]): Changes {
  const startMs = performance.now();
  let made = 0;
  const publish = (): void => {
    const due = Math.floor(((performance.now() - startMs) / 1_000) * CHANGES_PER_SECOND);
    const news: PortfolioNews[] = [];
    for (; made < due; made += 1) news.push(filled(gateway, records, made));
    gateway.bus.publish(news);
  };
  const timer = setInterval(publish, BATCH_MS);
  return {
    count: () => made,
    end: () => {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}

function filled(
  gateway: GatewayUnderTest,
  records: readonly PortfolioSummary[],
  made: number,
): PortfolioNews {
  const record = must(records[made % PORTFOLIOS], 'there are as many');
  const version = 2 + Math.floor(made / PORTFOLIOS);
  const at = instant(NOW_MS + made);
  const done = 10 * (1 + (version % 999));
  const legs = record.legs.map((leg) => ({
    ...leg,
    filled: String(done),
    remaining: String(10_000 - done),
    scheduled: String(done + 10),
  }));
  const next = { ...record, updatedAt: at, legs } as PortfolioSummary;
  gateway.operations.records.set(record.portfolio, next);
  const { portfolio } = record;
  const about = { messageType: 'PORTFOLIO_FILLED', portfolio, version, record: next };
  return { ...about, account: accountId('10001'), at } as unknown as PortfolioNews;
}

/** Counts the frames that the browser paints, and the longest time between two. */
const COUNT_FRAMES = `
globalThis.frames24 = { count: 0, worstMs: 0, lastMs: performance.now() };
const onFrame = (nowMs) => {
  const seen = globalThis.frames24;
  seen.count += 1;
  seen.worstMs = Math.max(seen.worstMs, nowMs - seen.lastMs);
  seen.lastMs = nowMs;
  requestAnimationFrame(onFrame);
};
requestAnimationFrame(onFrame);`;

/** Takes what was counted, and begins again. */
const TAKE_FRAMES = `(() => {
  const seen = { ...globalThis.frames24 };
  globalThis.frames24.count = 0;
  globalThis.frames24.worstMs = 0;
  return seen;
})()`;

interface Part {
  readonly framesPerSecond: number;
  readonly worstMs: number;
  readonly changesPerSecond: number;
  /** Longest time from a key to its letter in the field, as the driver sees it. */
  readonly typedMs: number;
}

/** Scrolls the rows and types into the search, in turn, all the time. */
async function watch(page: Page, changes: Changes, forMs: number): Promise<Part> {
  const search = page.getByRole('searchbox');
  await page.evaluate(TAKE_FRAMES);
  const [startMs, before] = [performance.now(), changes.count()];
  let typedMs = 0;
  for (let turn = 0; performance.now() - startMs < forMs; turn += 1) {
    await page.mouse.move(600, 500);
    for (let step = 0; step < 10; step += 1) {
      await page.mouse.wheel(0, turn % 2 === 0 ? 400 : -400);
      await sleep(30);
    }
    await search.focus();
    for (const key of ['b', 'e', 'n', 'c', 'h', ...Array<string>(5).fill('Backspace')]) {
      const pressedMs = performance.now();
      await page.keyboard.press(key);
      typedMs = Math.max(typedMs, performance.now() - pressedMs);
      await sleep(30);
    }
  }
  const tookSec = (performance.now() - startMs) / 1_000;
  const seen = (await page.evaluate(TAKE_FRAMES)) as { count: number; worstMs: number };
  return {
    framesPerSecond: seen.count / tookSec,
    worstMs: seen.worstMs,
    changesPerSecond: (changes.count() - before) / tookSec,
    typedMs,
  };
}

/** Bytes of the page's heap that are still in use after a collection. */
async function heapOf(protocol: CDPSession): Promise<number> {
  await protocol.send('HeapProfiler.collectGarbage');
  return (await protocol.send('Runtime.getHeapUsage')).usedSize;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const textOf = ({ framesPerSecond, worstMs, changesPerSecond, typedMs }: Part): string =>
  `${framesPerSecond.toFixed(0)} frames a second, longest ${worstMs.toFixed(0)} ms, ${changesPerSecond.toFixed(0)} changes a second, a key at most ${typedMs.toFixed(0)} ms`;

function rowsOf(parts: readonly Part[], heaps: readonly number[]): Row[] {
  const rates = parts.map(({ framesPerSecond }) => framesPerSecond).sort((a, b) => a - b);
  const changes = parts.reduce((sum, one) => sum + one.changesPerSecond, 0) / parts.length;
  const worst = Math.max(...parts.map(({ worstMs }) => worstMs));
  const typed = Math.max(...parts.map(({ typedMs }) => typedMs));
  const what = `page: ${PORTFOLIOS} portfolios, ${changes.toFixed(0)} changes a second, ${SECONDS} s`;
  return [
    {
      what: `${what}: frames a second while scrolling and typing, median and least of ${PARTS} parts`,
      value: `${(rates[PARTS / 2] ?? 0).toFixed(0)}, ${(rates[0] ?? 0).toFixed(0)}; longest frame ${worst.toFixed(0)} ms, a key at most ${typed.toFixed(0)} ms`,
      yardstick: 'at least 50',
    },
    {
      what: `${what}: heap after collections`,
      value: heaps.map(megabytes).join(', '),
      yardstick: 'flat',
    },
  ];
}
