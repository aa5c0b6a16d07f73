import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/adapters/telemetry/metrics/metrics.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { readScrape, sampleOf } from './scrape.ts';

const OPTIONS = { version: '1.2.3', deployment: 'test', venues: ['paper', 'deribit'] };

/** Every label. An id (portfolio, label, order, key, account, nonce) is never among them. */
const LABELS = new Set(
  `benchmark bucket check class code control currency deployment direction end fate hash invariant kind le level limit liquidity
   method node outcome path pricing reason result role route runbook_url scope side stage stat state status venue version where`.split(
    /\s+/,
  ),
);

const scrape = async () => readScrape(await createMetrics(OPTIONS).registry.metrics());

describe('the exposition', () => {
  it('every metric is named by the rules of the format, in base units', async () => {
    const { types, help } = await scrape();
    const own = [...types].filter(([name]) => name.startsWith('twapd_'));
    expect(own.length).toBeGreaterThan(40);
    for (const [name, type] of own) {
      expect(name).toMatch(/^twapd_[a-z][a-z0-9_]*$/);
      expect(name).not.toMatch(/_(ms|millis|milliseconds|us|minutes|percent|kb|mb)(_|$)/);
      expect(name.endsWith('_total'), `${name} is a ${type}`).toBe(type === 'counter');
      expect(help.get(name)).toMatch(/\.$/);
    }
  });

  it('the exposition has only our metrics and those of every Node process', async () => {
    const { types } = await scrape();
    for (const name of nonEmpty(types.keys())) expect(name).toMatch(/^(twapd|process|nodejs)_/);
  });

  it('no metric is labelled with an id', async () => {
    const { samples } = await scrape();
    const labels = new Set(
      samples
        .filter(({ name }) => name.startsWith('twapd_'))
        .flatMap((sample) => Object.keys(sample.labels)),
    );
    expect([...labels].filter((label) => !LABELS.has(label))).toEqual([]);
  });

  /** A venue has about 300, most of them buckets of its round trips by method and class. */
  it('with two venues there are fewer than two thousand series before anything has happened', async () => {
    const { samples } = await scrape();
    expect(samples.length).toBeLessThan(2_000);
  });

  it('series of what has not happened yet are zero', async () => {
    const fresh = await scrape();
    const zero = (name: string, labels = {}) => expect(sampleOf(fresh, name, labels), name).toBe(0);
    zero('twapd_slices_planned_total');
    zero('twapd_slices_skipped_total', { reason: 'no_reference' });
    zero('twapd_slice_lateness_seconds_bucket', { le: '0.25' });
    zero('twapd_child_outcomes_total', { outcome: 'unknown' });
    zero('twapd_fills_total', { liquidity: 'maker' });
    zero('twapd_portfolios_ended_total', { reason: 'time_limit' });
    zero('twapd_venue_request_seconds_count', { venue: 'deribit', method: 'edit', class: 'later' });
    zero('twapd_failures_total', { where: 'ledger' });
    zero('twapd_queue_jobs', { state: 'delayed' });
    zero('twapd_auth_failures_total', { reason: 'signature' });
  });

  it('the lateness histogram has the buckets from which its objectives are read', async () => {
    const { samples } = await scrape();
    const bounds = samples
      .filter(({ name }) => name === 'twapd_slice_lateness_seconds_bucket')
      .map(({ labels }) => labels['le']);
    expect(bounds).toEqual(
      '0.0005 0.001 0.002 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 30 +Inf'.split(' '),
    );
  });

  it('the exposition identifies the build and the configuration', async () => {
    const fresh = await scrape();
    expect(sampleOf(fresh, 'twapd_build_info', { version: '1.2.3' })).toBe(1);
    expect(sampleOf(fresh, 'twapd_config_info', { deployment: 'test' })).toBe(1);
    const linked = createMetrics({ ...OPTIONS, runbookUrl: 'https://wiki/ops' });
    const { samples } = readScrape(await linked.registry.metrics());
    expect(samples.find(({ name }) => name === 'twapd_config_info')?.labels).toMatchObject({
      runbook_url: 'https://wiki/ops',
    });
  });

  it('two registries share nothing', async () => {
    const one = createMetrics(OPTIONS);
    const other = createMetrics(OPTIONS);
    one.turns.inc();
    expect(sampleOf(readScrape(await other.registry.metrics()), 'twapd_turns_total')).toBe(0);
  });
});
