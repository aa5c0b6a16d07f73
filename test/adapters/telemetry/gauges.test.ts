import { describe, expect, it, onTestFinished } from 'vitest';
import { type GaugeSources, Gauges } from '../../../src/adapters/telemetry/gauges.ts';
import { createMetrics } from '../../../src/adapters/telemetry/metrics.ts';
import type { QueueDepth } from '../../../src/ports/job-queue.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { form, legForm, submitted, world } from '../../support/engine-world.ts';
import { perpetual, quote } from '../../support/markets.ts';
import { readScrape, sampleOf } from './scrape.ts';

const DEPTH: QueueDepth = { waiting: 1, delayed: 20, active: 3, failed: 4 };

function gauges(sources: Partial<GaugeSources> = {}) {
  const w = world();
  const metrics = createMetrics({ version: '0', deployment: 'test', venues: ['paper'] });
  const reader = new Gauges(metrics, {
    now: () => w.clock.now(),
    queueDepth: () => Promise.resolve(DEPTH),
    portfolios: () => w.engine.states(),
    loopLagResolutionMs: 10,
    waitMaxMs: 20,
    ...sources,
  });
  onTestFinished(() => reader.close());
  return { w, reader, scrape: async () => readScrape(await reader.exposition()) };
}

describe('the gauges of a scrape', () => {
  it('show the queue as it is', async () => {
    const seen = await gauges().scrape();
    expect(sampleOf(seen, 'twapd_queue_up')).toBe(1);
    expect(sampleOf(seen, 'twapd_queue_jobs', { state: 'delayed' })).toBe(20);
    expect(sampleOf(seen, 'twapd_queue_jobs', { state: 'failed' })).toBe(4);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('connection refused'))],
    ['never answers', () => new Promise<QueueDepth>(() => undefined)],
  ])('are there when the queue %s', async (_how, queueDepth) => {
    const seen = await gauges({ queueDepth }).scrape();
    expect(sampleOf(seen, 'twapd_queue_up')).toBe(0);
    expect(sampleOf(seen, 'twapd_failures_total', { where: 'scrape' })).toBe(1);
    expect(sampleOf(seen, 'twapd_active_legs')).toBe(0);
  });

  it('show the progress of what is at work, against the schedule, and nothing once it is over', async () => {
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

  it('show how far a leg is behind when nothing can be placed', async () => {
    const { w, scrape } = gauges();
    await w.engine.start();
    await submitted(w, form());
    await w.run(35_000);
    const seen = await scrape();
    expect(sampleOf(seen, 'twapd_active_legs_filled')).toBe(0);
    expect(sampleOf(seen, 'twapd_schedule_shortfall_ratio_max')).toBeCloseTo(0.5);
  });

  it('show since when the fate of a child is unknown', async () => {
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

  it('answer scrapes that come at the same time with one reading', async () => {
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

  it('show the event loop, free of the interval it is sampled at', async () => {
    const { scrape } = gauges({ loopLagResolutionMs: 1_000 });
    const seen = await scrape();
    expect(sampleOf(seen, 'twapd_event_loop_lag_seconds', { stat: 'p99' })).toBe(0);
    const busy = sampleOf(seen, 'twapd_event_loop_utilization_ratio');
    expect(busy).toBeGreaterThanOrEqual(0);
    expect(busy).toBeLessThanOrEqual(1);
  });
});
