import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/adapters/telemetry/metrics/metrics.ts';
import { Backlog } from '../../../src/adapters/telemetry/observer/backlog.ts';
import { LogAndCount } from '../../../src/adapters/telemetry/observer/log-and-count.ts';
import { Slippage } from '../../../src/adapters/telemetry/observer/slippage.ts';
import { fold } from '../../../src/core/portfolio/aggregate/replay.ts';
import { must } from '../../../src/values/assert.ts';
import { type ChildLabel, type PortfolioId, venueName } from '../../../src/values/ids.ts';
import { form, submitted, world } from '../../support/engine/engine-world.ts';
import { lineLog } from './line-log.ts';
import { readScrape, sampleOf } from './scrape.ts';

const sent = (slice: number) => ({
  portfolio: '11' as PortfolioId,
  label: `tw1-test-b-0-${slice}-1` as ChildLabel,
  leg: 0,
  slice,
  lateMs: 1,
});

describe('deferred observations', () => {
  it('deferred observations are processed in order, before any new line and before a flush', async () => {
    const { logger, log, lines } = lineLog('info');
    const backlog = new Backlog(log);
    const info = (text: string): void => logger.info(text);
    const warn = (text: string): void => logger.warn(text);
    backlog.later(info, 'one');
    backlog.later(warn, 'two');
    logger.info('three');
    backlog.later(info, 'four');
    expect((await lines()).map(({ msg }) => msg)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('a deferred observation carries the time and the request of the moment it was deferred', async () => {
    let rid = 'first';
    const { logger, log, lines } = lineLog('info', { context: () => ({ rid }) });
    const backlog = new Backlog(log);
    const before = Date.now();
    backlog.later((text: string) => logger.info(text), 'one');
    const after = Date.now();
    rid = 'second';
    while (Date.now() <= after);
    logger.info('two');
    const [one, two] = await lines();
    expect(one).toMatchObject({ msg: 'one', rid: 'first' });
    expect(two).toMatchObject({ msg: 'two', rid: 'second' });
    const at = Date.parse(String(one?.['time']));
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(after);
    expect(Date.parse(String(two?.['time']))).toBeGreaterThan(after);
  });

  it('deferred observations are processed soon, and immediately if there are many', async () => {
    const { log } = lineLog('info');
    const backlog = new Backlog(log);
    const told: number[] = [];
    await new Promise<void>((done) => backlog.later(done, undefined));
    for (let i = 0; told.length === 0; i += 1) backlog.later((one: number) => told.push(one), i);
    expect(told).toEqual(told.map((_, i) => i));
    expect(told.length).toBeLessThan(1_000);
  });

  it('a deferred observation may defer more while it is processed', () => {
    const { log } = lineLog('info');
    const backlog = new Backlog(log);
    const told: string[] = [];
    const record = (word: string): void => {
      told.push(word);
      if (word === 'one') backlog.later(record, 'two');
    };
    backlog.later(record, 'one');
    backlog.drain();
    backlog.drain();
    expect(told).toEqual(['one', 'two']);
  });

  it('deferred observations share one timer, however many there are', () => {
    const { log } = lineLog('info');
    const backlog = new Backlog(log);
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    for (let i = 0; i < 2_000; i += 1) backlog.later(() => undefined, i);
    expect(timers()).toBe(before + 1);
    backlog.drain();
    backlog.later(() => undefined, 0);
    expect(timers()).toBe(before + 1);
  });
});

describe('an observer with a backlog', () => {
  it('an observer with a backlog writes the same lines and counts as one without', async () => {
    const w = world();
    const id = await submitted(w, form());
    const state = must(fold(id, w.observer.events), 'submitted');
    const seen = await Promise.all(
      [true, false].map(async (isLater) => {
        const log = lineLog('debug');
        const metrics = createMetrics({ version: '0', deployment: 'test', venues: [] });
        const backlog = new Backlog(log.log);
        const observer = new LogAndCount(log.logger, metrics, isLater ? { backlog } : {});
        observer.observe({
          event: 'turn_committed',
          portfolio: id,
          events: w.observer.events,
          state,
          commitMs: 2,
        });
        for (const slice of [0, 1]) observer.observe({ event: 'slice_sent', ...sent(slice) });
        observer.observe({
          event: 'foreign_order',
          venue: venueName('paper'),
          label: 'x',
          orderId: 'y',
        });
        backlog.drain();
        const lines = (await log.lines()).map(({ time: _, ...line }) => line);
        return { lines, scrape: await metrics.registry.metrics() };
      }),
    );
    const [later, atOnce] = seen;
    expect(later?.lines).toEqual(atOnce?.lines);
    expect(later?.lines.length).toBeGreaterThan(3);
    expect(sampleOf(readScrape(later?.scrape ?? ''), 'twapd_events_total')).toBe(
      w.observer.events.length,
    );
    expect(readScrape(later?.scrape ?? '').samples.filter(isOurs)).toEqual(
      readScrape(atOnce?.scrape ?? '').samples.filter(isOurs),
    );
  });

  it('with a backlog a slice is measured against the market before its own order was in it', async () => {
    const w = world();
    const id = await submitted(w, form());
    const state = must(fold(id, w.observer.events), 'submitted');
    const { logger, log } = lineLog('info');
    const metrics = createMetrics({ version: '0', deployment: 'test', venues: [] });
    let middle = 100_000;
    const slippage = new Slippage(metrics, () => middle);
    const backlog = new Backlog(log);
    const observer = new LogAndCount(logger, metrics, { slippage, backlog });
    const slice = { leg: 0, slice: 0, at: 0 };
    const turn = { portfolio: id, state, commitMs: 1 };
    const begins = { kind: 'slice_started', ...slice, dueAt: 0, planned: '10', quantity: '10' };
    observer.observe({ event: 'turn_committed', ...turn, events: [begins as never] });
    middle = 110_000;
    backlog.drain();
    slippage.filled(id, { leg: 0, slice: 0, price: 100_000, quantity: 10 });
    slippage.sliceEnded(id, 0, 0);
    const scrape = readScrape(await metrics.registry.metrics());
    const cost = { benchmark: 'arrival' };
    expect(sampleOf(scrape, 'twapd_slippage_bps_count', cost)).toBe(1);
    expect(sampleOf(scrape, 'twapd_slippage_bps_sum', cost)).toBe(0);
  });
});

/** Not of the process, which is another a moment later. */
const isOurs = ({ name }: { readonly name: string }): boolean =>
  /^twapd_(events|turns|slices|slice|children|fills|foreign)_/.test(name);
