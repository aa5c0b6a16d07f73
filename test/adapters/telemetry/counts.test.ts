import { describe, expect, it } from 'vitest';
import { gatewayCounts } from '../../../src/adapters/telemetry/metrics/gateway-counts.ts';
import { createMetrics } from '../../../src/adapters/telemetry/metrics/metrics.ts';
import { processCounts } from '../../../src/adapters/telemetry/observer/process-counts.ts';
import { readScrape, sampleOf } from './scrape.ts';

function counted() {
  const metrics = createMetrics({ version: '0', deployment: 'test', venues: [] });
  const scrape = async () => readScrape(await metrics.registry.metrics());
  return { counts: gatewayCounts(metrics), scrape };
}

describe('the counters of the gateway', () => {
  it('the gateway counts requests by route template and code, with their duration', async () => {
    const { counts, scrape } = counted();
    const route = '/tt/broker/openapi/portfolios/submit';
    counts.answered({ route, method: 'POST', code: 200, elapsedMs: 12 });
    counts.answered({ route, method: 'POST', code: 401, elapsedMs: 1 });
    const seen = await scrape();
    expect(sampleOf(seen, 'twapd_http_requests_total', { route, code: '401' })).toBe(1);
    expect(sampleOf(seen, 'twapd_http_request_seconds_count', { route })).toBe(2);
    expect(sampleOf(seen, 'twapd_http_request_seconds_sum', { route })).toBeCloseTo(0.013);
  });

  it('the gateway counts unknown routes and methods under one label each', async () => {
    const { counts, scrape } = counted();
    for (let i = 0; i < 50; i += 1) {
      counts.answered({ method: `M${i}`, code: 404, elapsedMs: 1 });
    }
    const seen = await scrape();
    const series = seen.samples.filter(({ name }) => name === 'twapd_http_requests_total');
    expect(series).toEqual([
      {
        name: 'twapd_http_requests_total',
        labels: { route: 'none', method: 'other', code: '404' },
        value: 50,
      },
    ]);
  });

  it('the gateway counts every refusal, and refused credentials also as authentication failures', async () => {
    const { counts, scrape } = counted();
    counts.refused('signature');
    counts.refused('below_minimum');
    const seen = await scrape();
    expect(sampleOf(seen, 'twapd_refusals_total')).toBe(2);
    expect(sampleOf(seen, 'twapd_auth_failures_total', { reason: 'signature' })).toBe(1);
    expect(sampleOf(seen, 'twapd_auth_failures_total')).toBe(1);
  });

  it('the gateway counts open sockets, and those the daemon closed', async () => {
    const { counts, scrape } = counted();
    counts.socketOpened('/ws/api');
    counts.socketOpened('/ws/portfolio');
    counts.socketDropped('slow');
    counts.socketClosed('/ws/portfolio');
    const seen = await scrape();
    expect(sampleOf(seen, 'twapd_ws_clients', { path: '/ws/api' })).toBe(1);
    expect(sampleOf(seen, 'twapd_ws_clients', { path: '/ws/portfolio' })).toBe(0);
    expect(sampleOf(seen, 'twapd_ws_dropped_total', { reason: 'slow' })).toBe(1);
  });
});

describe('the counters of the process', () => {
  it('the process counts clock jumps by direction, and lost log lines', async () => {
    const metrics = createMetrics({ version: '0', deployment: 'test', venues: [] });
    const counts = processCounts(metrics);
    counts.clockStepped(-3_600_000);
    counts.clockStepped(400);
    counts.onDropped(7);
    const seen = readScrape(await metrics.registry.metrics());
    expect(sampleOf(seen, 'twapd_clock_steps_total', { direction: 'back' })).toBe(1);
    expect(sampleOf(seen, 'twapd_clock_steps_total')).toBe(2);
    expect(sampleOf(seen, 'twapd_log_lines_dropped_total')).toBe(7);
  });
});
