// The state of the deployment over REST, read from what the daemon measures.
import { afterEach, expect, test } from 'vitest';
import { createMetrics } from '../../../src/adapters/telemetry/metrics/metrics.ts';
import { connect } from '../../../src/gateway/client/client.ts';
import { GatewayUnderTest, NOTHING, NOW_MS, STRANGER } from '../gateway-under-test.ts';

let gateway: GatewayUnderTest;
afterEach(() => gateway.close());

const summaryFor = async (by: typeof NOTHING) =>
  await connect({
    baseUrl: gateway.url,
    keyId: by.id,
    secret: by.secret,
    now: () => gateway.nowMs,
  }).summary();

const start = (metrics: ReturnType<typeof createMetrics>) =>
  GatewayUnderTest.start({}, { metrics: () => metrics.registry.metrics() });

const measured = () =>
  createMetrics({
    version: 'test',
    deployment: 'test',
    runbookUrl: 'https://runbook.test/ops',
    venues: ['paper', 'deribit'],
  });

test('the summary shows what the daemon measures, as figures', async () => {
  const metrics = measured();
  metrics.switches.set({ scope: 'deployment', state: 'reducing' }, 1);
  metrics.switches.set({ scope: 'account', state: 'halted' }, 2);
  metrics.overloaded.set(1);
  metrics.unsettledChildren.set({ state: 'unknown' }, 3);
  metrics.unsettledChildren.set({ state: 'live' }, 40);
  metrics.undecidedOldest.set((NOW_MS - 90_000) / 1_000);
  metrics.mmpGroups.set({ kind: 'order', status: 'waiting' }, 1);
  metrics.eventLoopLag.set({ stat: 'p99' }, 0.012);
  metrics.venueUp.set({ venue: 'paper' }, 1);
  metrics.venueUp.set({ venue: 'deribit' }, 0);
  metrics.venueClockOffset.set({ venue: 'deribit' }, -0.25);
  metrics.quotesMissing.set({ venue: 'deribit' }, 4);
  for (const [bucket, tokens] of [
    ['orders', 3],
    ['cancels', 20],
  ] as const) {
    metrics.rateTokens.set({ venue: 'deribit', bucket }, tokens);
    metrics.rateBurst.set({ venue: 'deribit', bucket }, 20);
  }
  metrics.auditLast.set((NOW_MS - 2_000) / 1_000);
  gateway = await start(metrics);
  gateway.notReady = ['deribit: not connected'];
  expect(await summaryFor(STRANGER)).toMatchObject({
    kind: 'done',
    value: {
      ready: false,
      reasons: ['deribit: not connected'],
      tradingState: 'reducing',
      switchesHeld: 2,
      isOverloaded: true,
      slices: { sent: 0, lateShare: null },
      undecided: { children: 3, oldestTimestamp: String(NOW_MS - 90_000) },
      mmp: { frozen: 0, waiting: 1 },
      loopLagSec: { engine: 0.012, gateway: null },
      venues: expect.arrayContaining([
        expect.objectContaining({ exchange: 'paper', isUp: true }),
        expect.objectContaining({
          exchange: 'deribit',
          isUp: false,
          clockOffsetSec: -0.25,
          quotesMissing: 4,
          rateLeft: 0.15,
        }),
      ]),
      audit: { breaches: 0, lastTimestamp: String(NOW_MS - 2_000) },
      runbookUrl: 'https://runbook.test/ops',
      timestamp: String(NOW_MS),
    },
  });
});

test('the summary reveals nothing about single portfolios', async () => {
  const metrics = measured();
  metrics.portfolioLate.set({ portfolio: '1776665215780001' }, 0.5);
  metrics.portfolioSlippage.set({ portfolio: '1776665215780001' }, 12);
  gateway = await start(metrics);
  const seen = await summaryFor(NOTHING);
  expect(seen).toMatchObject({ kind: 'done', value: { ready: true } });
  expect(JSON.stringify(seen)).not.toContain('1776665215780001');
});

test('the share of late slices counts those sent more than 250 ms after they were due', async () => {
  const lines = [
    'twapd_slice_lateness_seconds_bucket{le="0.25",part="engine"} 97',
    'twapd_slice_lateness_seconds_bucket{le="+Inf",part="engine"} 100',
    'twapd_slice_lateness_seconds_count{part="engine"} 100',
  ];
  gateway = await GatewayUnderTest.start({}, { metrics: () => Promise.resolve(lines.join('\n')) });
  const seen = await summaryFor(STRANGER);
  if (seen.kind !== 'done') throw new Error(JSON.stringify(seen));
  expect(seen.value.slices.sent).toBe(100);
  expect(seen.value.slices.lateShare).toBeCloseTo(0.03, 9);
});
