import { describe, expect, it, onTestFinished } from 'vitest';
import { createMetrics } from '../../../src/adapters/telemetry/metrics/metrics.ts';
import { type GaugeSources, Gauges } from '../../../src/adapters/telemetry/observer/gauges.ts';
import { PortfolioMarks } from '../../../src/adapters/telemetry/observer/portfolio-marks.ts';
import { Slippage } from '../../../src/adapters/telemetry/observer/slippage.ts';
import type { QueueDepth } from '../../../src/ports/job-queue.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { venueName } from '../../../src/values/ids.ts';
import { form, legForm, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';
import { readScrape, sampleOf } from './scrape.ts';

const DEPTH: QueueDepth = { waiting: 1, delayed: 20, active: 3, failed: 4 };

function gauges(sources: Partial<GaugeSources> = {}) {
  const w = world();
  const metrics = createMetrics({ version: '0', deployment: 'test', venues: ['paper'] });
  const marks = new PortfolioMarks();
  const reader = new Gauges(metrics, {
    now: () => w.clock.now(),
    queueDepth: () => Promise.resolve(DEPTH),
    portfolios: () => w.engine.turns.states(),
    follow: (listener) => w.engine.turns.follow(listener),
    loopLagResolutionMs: 10,
    marks,
    slippage: new Slippage(metrics, () => undefined),
    portfoliosMax: 100,
    venues: { forAccount: () => w.venue, all: () => [w.venue] },
    rateBudgets: () => [],
    mmpWindows: () => [],
    onMistake: (error) => {
      throw error;
    },
    notReady: () => Promise.resolve([]),
    probeLedger: () => Promise.resolve({ busy: 1, idle: 2, waiting: 0 }),
    newestBackup: () => Promise.resolve(1_795_500_000_500),
    spaces: () => [],
    newestHeadMs: () => 1_795_500_100_500,
    canaryAgeMs: () => 1_500,
    waitMaxMs: 20,
    ...sources,
  });
  onTestFinished(() => reader.close());
  return { w, marks, metrics, reader, scrape: async () => readScrape(await reader.exposition()) };
}

describe('the gauges of a scrape', () => {
  it('a scrape shows the depth of the queue', async () => {
    const seen = await gauges().scrape();
    expect(sampleOf(seen, 'twapd_queue_up')).toBe(1);
    expect(sampleOf(seen, 'twapd_queue_jobs', { state: 'delayed' })).toBe(20);
    expect(sampleOf(seen, 'twapd_queue_jobs', { state: 'failed' })).toBe(4);
  });

  it('a scrape shows the free space of each folder, and no figure of a disk that reports none', async () => {
    const inodes = { free: 20, total: 400 };
    const spaces = [{ name: 'data', space: { freeBytes: 3_000, sizeBytes: 100_000, inodes } }];
    const { scrape, reader } = gauges({ spaces: () => spaces });
    const seen = await scrape();
    expect(sampleOf(seen, 'twapd_disk_free_bytes', { folder: 'data' })).toBe(3_000);
    expect(sampleOf(seen, 'twapd_disk_size_bytes', { folder: 'data' })).toBe(100_000);
    expect(sampleOf(seen, 'twapd_disk_free_inodes', { folder: 'data' })).toBe(20);
    expect(sampleOf(seen, 'twapd_disk_inodes', { folder: 'data' })).toBe(400);
    spaces.pop();
    expect(await reader.exposition()).not.toMatch(/^twapd_disk_\w+\{/m);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('connection refused'))],
    ['never answers', () => new Promise<QueueDepth>(() => undefined)],
  ])('the other gauges are shown even if the queue %s', async (_how, queueDepth) => {
    const seen = await gauges({ queueDepth }).scrape();
    expect(sampleOf(seen, 'twapd_queue_up')).toBe(0);
    expect(sampleOf(seen, 'twapd_failures_total', { where: 'scrape' })).toBe(1);
    expect(sampleOf(seen, 'twapd_active_legs')).toBe(0);
  });

  it('of each message limit a scrape shows the connection with the least left', async () => {
    const venue = venueName('paper');
    const budgets = [
      { bucket: 'questions', tokens: 40, burst: 50 },
      { bucket: 'messages', tokens: 3, burst: 20 },
      { bucket: 'messages', tokens: -2, burst: 100 },
      { bucket: 'messages', tokens: 20, burst: 20 },
      { bucket: 'messages', tokens: 3, burst: 8, reserve: 3 },
    ] as const;
    const seen = await gauges({
      rateBudgets: () => budgets.map((budget) => [venue, budget] as const),
    }).scrape();
    const shown = (bucket: string) =>
      ['tokens', 'burst'].map((what) => sampleOf(seen, `twapd_venue_rate_${what}`, { bucket }));
    expect(shown('questions')).toEqual([40, 50]);
    expect(shown('messages')).toEqual([-2, 100]);
    const unlimited = await gauges().scrape();
    expect(sampleOf(unlimited, 'twapd_venue_rate_tokens')).toBeUndefined();
  });

  it('a message limit of which only the reserve for cancels remains is shown with nothing left', async () => {
    const budget = { bucket: 'messages', tokens: 5, burst: 20, reserve: 5 } as const;
    const seen = await gauges({ rateBudgets: () => [[venueName('paper'), budget]] }).scrape();
    expect(sampleOf(seen, 'twapd_venue_rate_tokens', { bucket: 'messages' })).toBe(0);
    expect(sampleOf(seen, 'twapd_venue_rate_burst', { bucket: 'messages' })).toBe(15);
  });

  it('of the protection windows a scrape shows the one nearest to its limit', async () => {
    let windows: ReturnType<GaugeSources['mmpWindows']> = [
      { kind: 'order', used: { delta: 0.25, trades: 0.5 } },
      { kind: 'order', used: { delta: 0.75 } },
      { kind: 'blockRfq', used: { quantity: 0.1 } },
    ];
    const { scrape } = gauges({ mmpWindows: () => windows });
    const shown = async () => {
      const seen = await scrape();
      return (kind: string, limit: string) =>
        sampleOf(seen, 'twapd_mmp_window_used_ratio_max', { kind, limit });
    };
    const used = await shown();
    expect(used('order', 'delta')).toBe(0.75);
    expect(used('order', 'trades')).toBe(0.5);
    expect(used('blockRfq', 'quantity')).toBe(0.1);
    expect(used('blockRfq', 'vega')).toBe(0);
    windows = [];
    expect((await shown())('order', 'delta')).toBe(0);
  });

  it('a scrape shows the progress of active portfolios against their schedule, and none once they have ended', async () => {
    const { w, scrape } = gauges();
    w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
    await w.engine.start();
    const legs = [legForm(), legForm({ quantity: quantity('1200') })];
    await submitted(w, form({ legs }));
    await w.run(25_000);
    const midway = await scrape();
    expect(sampleOf(midway, 'twapd_portfolios', { status: 'active' })).toBe(1);
    expect(sampleOf(midway, 'twapd_active_legs')).toBe(2);
    expect(sampleOf(midway, 'twapd_active_legs_scheduled')).toBeCloseTo(1);
    expect(sampleOf(midway, 'twapd_active_legs_filled')).toBeCloseTo(1);
    expect(sampleOf(midway, 'twapd_schedule_shortfall_ratio_max')).toBe(0);
    await w.run(120_000);
    const after = await scrape();
    expect(sampleOf(after, 'twapd_portfolios')).toBe(0);
    expect(sampleOf(after, 'twapd_active_legs')).toBe(0);
    expect(sampleOf(after, 'twapd_undecided_child_oldest_timestamp_seconds')).toBe(0);
  });

  it('a scrape shows how far a leg is behind if nothing can be placed', async () => {
    const { w, scrape } = gauges();
    await w.engine.start();
    await submitted(w, form());
    await w.run(35_000);
    const seen = await scrape();
    expect(sampleOf(seen, 'twapd_active_legs_filled')).toBe(0);
    expect(sampleOf(seen, 'twapd_schedule_shortfall_ratio_max')).toBeCloseTo(0.5);
  });

  it('a scrape shows since when the outcome of a child is unknown', async () => {
    const { w, scrape } = gauges();
    w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
    w.venue.mishaps.push('lose_reply');
    await w.engine.start();
    await submitted(w, form());
    const sentAt = w.clock.now();
    await w.run(200);
    const seen = await scrape();
    expect(sampleOf(seen, 'twapd_unsettled_children')).toBe(1);
    expect(sampleOf(seen, 'twapd_undecided_child_oldest_timestamp_seconds')).toBe(sentAt / 1_000);
  });

  it('simultaneous scrapes share one reading', async () => {
    let asked = 0;
    const queueDepth = async (): Promise<QueueDepth> => {
      asked += 1;
      return await Promise.resolve(DEPTH);
    };
    const { reader } = gauges({ queueDepth });
    const [one, other] = await Promise.all([reader.exposition(), reader.exposition()]);
    expect(one).toContain('twapd_queue_up 1');
    expect(other).toContain('twapd_queue_up 1');
    expect(asked).toBe(1);
  });

  it('a scrape shows the event-loop lag without the sampling interval', async () => {
    const { scrape } = gauges({ loopLagResolutionMs: 1_000 });
    const seen = await scrape();
    expect(sampleOf(seen, 'twapd_event_loop_lag_seconds', { stat: 'p99' })).toBe(0);
    const busy = sampleOf(seen, 'twapd_event_loop_utilization_ratio');
    expect(busy).toBeGreaterThanOrEqual(0);
    expect(busy).toBeLessThanOrEqual(1);
  });

  it('a scrape shows the progress of individual portfolios up to a cap, and none that have ended', async () => {
    const { w, marks, scrape } = gauges({ portfoliosMax: 1 });
    w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
    await w.engine.start();
    const first = await submitted(w, form());
    await submitted(w, form());
    await w.run(25_000);
    marks.sliceSent(first, 0.004);
    const midway = await scrape();
    const ofFirst = { portfolio: first };
    expect(sampleOf(midway, 'twapd_portfolios_shown')).toBe(1);
    expect(sampleOf(midway, 'twapd_portfolio_filled_ratio', ofFirst)).toBeCloseTo(0.5);
    expect(sampleOf(midway, 'twapd_portfolio_scheduled_ratio', ofFirst)).toBeCloseTo(0.5);
    expect(sampleOf(midway, 'twapd_portfolio_lateness_seconds', ofFirst)).toBe(0.004);
    const shown = midway.samples.filter(({ name }) => name === 'twapd_portfolio_filled_ratio');
    expect(shown).toHaveLength(1);
    await w.run(120_000);
    const after = await scrape();
    expect(after.samples.some(({ labels }) => 'portfolio' in labels)).toBe(false);
    expect(sampleOf(after, 'twapd_portfolios_shown')).toBe(0);
  });

  it('a scrape shows how long a portfolio is past its end, or past its cancel', async () => {
    const { w, scrape } = gauges();
    w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
    await w.engine.start();
    await submitted(w, form());
    expect(sampleOf(await scrape(), 'twapd_portfolio_overdue_seconds_max')).toBe(0);
    w.engine.stop();
    await w.run(90_000);
    expect(sampleOf(await scrape(), 'twapd_portfolio_overdue_seconds_max')).toBeCloseTo(30, 0);
  });

  it('a scrape shows venues, their quotes and whether the daemon can trade', async () => {
    const { w, scrape } = gauges({ notReady: () => Promise.resolve(['recovering']) });
    const venue = { venue: w.venue.name };
    const blind = await submitted(w, form());
    expect(sampleOf(await scrape(), 'twapd_venue_quotes_missing', venue), blind).toBe(1);
    w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
    await w.engine.start();
    await submitted(w, form());
    await w.run(2_000);
    const seen = await scrape();
    expect(sampleOf(seen, 'twapd_ready')).toBe(0);
    expect(sampleOf(seen, 'twapd_ledger_up')).toBe(1);
    expect(sampleOf(seen, 'twapd_ledger_connections', { state: 'idle' })).toBe(2);
    expect(sampleOf(seen, 'twapd_queue_canary_age_seconds')).toBe(1.5);
    expect(sampleOf(seen, 'twapd_backup_newest_timestamp_seconds')).toBe(1_795_500_000.5);
    expect(sampleOf(seen, 'twapd_venue_up', venue)).toBe(1);
    expect(sampleOf(seen, 'twapd_venue_quotes_missing', venue)).toBe(0);
    expect(sampleOf(seen, 'twapd_venue_quote_age_seconds_max', venue)).toBe(0);
  });

  it('a scrape shows that the ledger is down if it does not answer', async () => {
    const { scrape } = gauges({ probeLedger: () => Promise.reject(new Error('gone')) });
    expect(sampleOf(await scrape(), 'twapd_ledger_up')).toBe(0);
  });
});
