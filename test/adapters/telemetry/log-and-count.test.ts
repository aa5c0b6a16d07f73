import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/adapters/telemetry/metrics/metrics.ts';
import { LogAndCount } from '../../../src/adapters/telemetry/observer/log-and-count.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { fold } from '../../../src/core/portfolio/aggregate/replay.ts';
import type { Observation, Observer, Occurrence } from '../../../src/ports/observer.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, childLabelOf, portfolioId, venueName } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { form, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';
import { lineLog } from './line-log.ts';
import { movedBetween, readScrape, sampleOf } from './scrape.ts';

const ID = portfolioId('1234567890123');
const LABEL = childLabelOf(`tw1-test-${Number(ID).toString(36)}-1-7-2`);
const VENUE = venueName('paper');
const ACCOUNT = accountId('10001');
const GROUP = { account: ACCOUNT, index: 'btc', kind: 'order', group: 'wings' } as const;

function observed() {
  const metrics = createMetrics({ version: '0', deployment: 'test', venues: ['paper'] });
  const log = lineLog('trace');
  return {
    observer: new LogAndCount(log.logger, metrics),
    lines: log.lines,
    scrape: async () => readScrape(await metrics.registry.metrics()),
  };
}

/** A two-leg portfolio just after its submit. */
async function portfolio(): Promise<{ state: PortfolioState; submit: readonly PortfolioEvent[] }> {
  const w = world();
  const id = await submitted(w, form());
  const submit = w.observer.events.filter((event) => event.kind === 'submitted');
  return { state: must(fold(id, submit), 'submitted'), submit };
}

type Case = readonly [Occurrence, (observer: Observer) => void, readonly string[]];

const CASES: readonly Case[] = [
  [
    'turn_conflicted',
    (o) => o.observe({ event: 'turn_conflicted', portfolio: ID }),
    ['twapd_turn_conflicts_total'],
  ],
  [
    'slice_sent',
    (o) =>
      o.observe({ event: 'slice_sent', portfolio: ID, label: LABEL, leg: 1, slice: 7, lateMs: 3 }),
    [
      'twapd_slice_lateness_seconds_count',
      'twapd_slice_lateness_seconds_sum',
      'twapd_slice_lateness_seconds_bucket{le="0.005"}',
    ],
  ],
  [
    'venue_answered',
    (o) =>
      o.observe({
        event: 'venue_answered',
        venue: VENUE,
        method: 'place',
        class: 'unknown',
        elapsedMs: 40,
      }),
    ['twapd_venue_request_seconds_count{venue="paper",method="place",class="unknown"}'],
  ],
  [
    'desk_answered',
    (o) =>
      o.observe({
        event: 'desk_answered',
        venue: VENUE,
        method: 'enter',
        outcome: 'blocked',
        account: accountId('10001'),
        control: 'order_value',
        detail: '40007 risk_limit',
      }),
    [
      'twapd_desk_requests_total{method="enter",outcome="blocked"}',
      'twapd_desk_blocks_total{control="order_value"}',
    ],
  ],
  [
    'sweeper_rescued',
    (o) => o.observe({ event: 'sweeper_rescued', portfolios: [ID], at: instant(5) }),
    ['twapd_sweeper_rescues_total'],
  ],
  [
    'recovered',
    (o) => o.observe({ event: 'recovered', portfolios: 3, unsettled: 2, elapsedMs: 40 }),
    [
      'twapd_recovery_duration_seconds',
      'twapd_recovered_portfolios',
      'twapd_recovered_unsettled_children',
    ],
  ],
  [
    'foreign_order',
    (o) => o.observe({ event: 'foreign_order', venue: VENUE, label: LABEL, orderId: 'x1' }),
    ['twapd_foreign_orders_total'],
  ],
  [
    'strategy_fired',
    (o) =>
      o.observe({ event: 'strategy_fired', strategy: 'weekly', dueAt: instant(5), portfolio: ID }),
    ['twapd_strategy_fires_total'],
  ],
  [
    'strategy_failed',
    (o) =>
      o.observe({
        event: 'strategy_failed',
        strategy: 'weekly',
        why: 'the instrument has expired',
      }),
    ['twapd_strategy_failures_total'],
  ],
  [
    'strategies_loaded',
    (o) =>
      o.observe({
        event: 'strategies_loaded',
        names: ['a', 'b'],
        faults: ['c.yaml:3 note: too long'],
      }),
    ['twapd_strategies', 'twapd_strategy_faults', 'twapd_strategy_loads_total{result="faulty"}'],
  ],
  [
    'control_refused',
    (o) =>
      o.observe({
        event: 'control_refused',
        control: 'order_value',
        stage: 'child',
        account: ACCOUNT,
      }),
    ['twapd_control_refusals_total{control="order_value",stage="child"}'],
  ],
  [
    'switch_set',
    (o) =>
      o.observe({ event: 'switch_set', scope: 'deployment', of: '', state: 'halted', by: 'desk' }),
    [
      'twapd_trading_switches{scope="deployment",state="active"}',
      'twapd_trading_switches{scope="deployment",state="halted"}',
    ],
  ],
  [
    'orders_swept',
    (o) =>
      o.observe({
        event: 'orders_swept',
        scope: 'account',
        orders: 9,
        sentMs: 40,
        provedMs: 90,
        left: 1,
      }),
    [
      'twapd_halt_sweep_seconds_bucket{le="0.05"}',
      'twapd_halt_proof_seconds_bucket{le="0.1"}',
      'twapd_halt_orders_left_total',
    ],
  ],
  [
    'mmp_traded',
    (o) => o.observe({ event: 'mmp_traded', ...GROUP, used: { delta: 0.4 } }),
    ['twapd_mmp_window_used_ratio_count{kind="order",limit="delta"}'],
  ],
  [
    'mmp_exceeded',
    (o) => o.observe({ event: 'mmp_exceeded', ...GROUP, tradeId: 'BTC/7/9', coins: '0.25' }),
    ['twapd_mmp_overshoot_coins_total{kind="order",index="btc"}'],
  ],
  [
    'mmp_set',
    (o) => o.observe({ event: 'mmp_set', ...GROUP, status: 'frozen', by: 'vega' }),
    [
      'twapd_mmp_trips_total{kind="order",limit="vega"}',
      'twapd_mmp_groups{kind="order",status="frozen"}',
    ],
  ],
  [
    'mmp_swept',
    (o) => o.observe({ event: 'mmp_swept', ...GROUP, orders: 200, sentMs: 12 }),
    ['twapd_mmp_sweep_seconds_bucket{le="0.025",kind="order"}'],
  ],
  [
    'rfq_answered',
    (o) =>
      o.observe({
        event: 'rfq_answered',
        venue: VENUE,
        method: 'create',
        outcome: 'done',
        account: ACCOUNT,
        elapsedMs: 3,
      }),
    [
      'twapd_rfq_requests_total{method="create",outcome="done"}',
      'twapd_rfq_request_seconds_count{method="create"}',
    ],
  ],
  [
    'rfq_ended',
    (o) =>
      o.observe({
        event: 'rfq_ended',
        venue: VENUE,
        account: ACCOUNT,
        rfq: '5',
        end: 'traded',
        quotes: 3,
      }),
    ['twapd_rfqs_ended_total{end="traded"}', 'twapd_rfq_quotes_seen_total'],
  ],
  [
    'legs_measured',
    (o) =>
      o.observe({
        event: 'legs_measured',
        portfolio: ID,
        share: 0.4,
        delta: -0.2,
        deltaBound: 0.5,
      }),
    [
      'twapd_leg_imbalance_ratio_bucket{le="0.5"}',
      'twapd_leg_imbalance_delta_coins_bucket{le="0.3"}',
    ],
  ],
  [
    'part_ended',
    (o) =>
      o.observe({ event: 'part_ended', portfolio: ID, part: 2, imbalance: 0.03, elapsedMs: 900 }),
    ['twapd_part_imbalance_ratio_bucket{le="0.05"}'],
  ],
  [
    'audit_ran',
    (o) =>
      o.observe({
        event: 'audit_ran',
        check: 'orders',
        breaches: 0,
        unanswered: 0,
        elapsedMs: 5,
      }),
    [
      'twapd_audit_runs_total{check="orders"}',
      'twapd_audit_last_run_timestamp_seconds{check="orders"}',
    ],
  ],
  [
    'trade_handed_over',
    (o) =>
      o.observe({
        event: 'trade_handed_over',
        account: ACCOUNT,
        portfolio: ID,
        label: 'label',
        tradeId: '7',
      }),
    ['twapd_audit_trades_handed_over_total'],
  ],
  [
    'ledger_behind',
    (o) =>
      o.observe({
        event: 'ledger_behind',
        account: ACCOUNT,
        since: '2026-11-20T10:00:00.000Z',
        orders: 1,
        trades: 2,
        portfolios: 1,
      }),
    [],
  ],
  [
    'audit_breached',
    (o) => o.observe({ event: 'audit_breached', invariant: 'I4', detail: 'one order is open' }),
    ['twapd_audit_breaches_total{invariant="I4"}'],
  ],
  [
    'failed',
    (o) =>
      o.observe({
        event: 'failed',
        where: 'ledger',
        error: new Error('connection refused'),
        portfolio: ID,
      }),
    ['twapd_failures_total{where="ledger"}'],
  ],
];

describe('the current state of protection and switches', () => {
  it('a group is shown as frozen until it is ready again, and a repeated state counts once', async () => {
    const { observer, scrape } = observed();
    const shown = async (status: string) =>
      sampleOf(await scrape(), 'twapd_mmp_groups', { kind: 'order', status });
    observer.observe({ event: 'mmp_set', ...GROUP, status: 'frozen', by: 'delta' });
    observer.observe({ event: 'mmp_set', ...GROUP, status: 'frozen', by: 'delta' });
    observer.observe({ event: 'mmp_set', ...GROUP, group: 'other', status: 'waiting' });
    expect([await shown('frozen'), await shown('waiting')]).toEqual([1, 1]);
    observer.observe({ event: 'mmp_set', ...GROUP, status: 'ready' });
    expect([await shown('frozen'), await shown('waiting')]).toEqual([0, 1]);
  });

  it('account switches that are not active are counted, and the deployment has exactly one state', async () => {
    const { observer, scrape } = observed();
    const by = 'desk';
    const shown = async (scope: string) => {
      const seen = await scrape();
      return ['active', 'reducing', 'halted'].map((state) =>
        sampleOf(seen, 'twapd_trading_switches', { scope, state }),
      );
    };
    expect(await shown('deployment')).toEqual([1, 0, 0]);
    observer.observe({ event: 'switch_set', scope: 'account', of: '1', state: 'halted', by });
    observer.observe({ event: 'switch_set', scope: 'account', of: '2', state: 'halted', by });
    observer.observe({ event: 'switch_set', scope: 'account', of: '1', state: 'reducing', by });
    expect(await shown('account')).toEqual([0, 1, 1]);
    observer.observe({ event: 'switch_set', scope: 'account', of: '1', state: 'active', by });
    expect(await shown('account')).toEqual([0, 0, 1]);
    observer.observe({ event: 'switch_set', scope: 'deployment', of: '', state: 'reducing', by });
    expect(await shown('deployment')).toEqual([0, 1, 0]);
  });
});

describe('LogAndCount', () => {
  it.each(CASES)('%s changes its metrics and writes a line', async (_name, call, expected) => {
    const { observer, lines, scrape } = observed();
    const before = await scrape();
    call(observer);
    const moved = movedBetween(before, await scrape());
    for (const series of expected) expect(moved).toContain(series);
    expect((await lines()).length).toBeGreaterThan(0);
  });

  it('a check of the auditor that a venue did not answer is logged, and counts as none', async () => {
    const { observer, lines, scrape } = observed();
    const before = await scrape();
    const [check, event] = ['venue', 'audit_ran'] as const;
    observer.observe({ event, check, breaches: 0, unanswered: 1, elapsedMs: 5 });
    expect(movedBetween(before, await scrape()).join()).not.toContain('twapd_audit_');
    expect(JSON.stringify(await lines())).toContain('a venue did not answer the auditor');
  });

  it('a committed turn is counted with its events and its commit time', async () => {
    const { observer, scrape } = observed();
    const { state, submit } = await portfolio();
    observer.observe({
      event: 'turn_committed',
      portfolio: ID,
      events: submit,
      state,
      commitMs: 1.5,
    });
    const after = await scrape();
    expect(sampleOf(after, 'twapd_turns_total')).toBe(1);
    expect(sampleOf(after, 'twapd_events_total')).toBe(1);
    expect(sampleOf(after, 'twapd_ledger_commit_seconds_bucket', { le: '0.002' })).toBe(1);
    expect(sampleOf(after, 'twapd_portfolios_submitted_total', { role: 'original' })).toBe(1);
    expect(sampleOf(after, 'twapd_slices_planned_total')).toBe(6);
  });

  it('the lines of a child carry portfolio, leg, slice and label', async () => {
    const { observer, lines } = observed();
    const { state } = await portfolio();
    const events: PortfolioEvent[] = [
      { kind: 'child_unknown', at: 5, label: LABEL, reason: 'timeout' },
    ];
    observer.observe({ event: 'turn_committed', portfolio: ID, events, state, commitMs: 1 });
    observer.observe({
      event: 'slice_sent',
      portfolio: ID,
      label: LABEL,
      leg: 1,
      slice: 7,
      lateMs: 3.25,
    });
    observer.observe({
      event: 'venue_answered',
      venue: VENUE,
      method: 'query',
      class: 'ok',
      elapsedMs: 2,
      portfolio: ID,
      label: LABEL,
    });
    expect(await lines()).toHaveLength(3);
    for (const line of await lines()) {
      expect(line).toMatchObject({ portfolio: ID, leg: 1, slice: 7, label: LABEL });
    }
    expect((await lines())[0]).toMatchObject({ level: 'warn', event: 'child_unknown', attempt: 2 });
  });

  it('only a slice sent later than the objective is logged as a warning', async () => {
    const { observer, lines } = observed();
    const sent = { portfolio: ID, label: LABEL, leg: 1, slice: 7 };
    observer.observe({ event: 'slice_sent', ...sent, lateMs: 250 });
    observer.observe({ event: 'slice_sent', ...sent, lateMs: 250.5 });
    expect((await lines()).map((line) => line['level'])).toEqual(['info', 'warn']);
  });

  it('the time until a lost child is resolved is measured by its outcome', async () => {
    const { observer, scrape } = observed();
    const { state } = await portfolio();
    const events: PortfolioEvent[] = [
      { kind: 'child_unknown', at: 1_000, label: LABEL, reason: 'timeout' },
      { kind: 'child_unknown', at: 3_000, label: LABEL, reason: 'timeout' },
      { kind: 'child_unsent', at: 9_000, label: LABEL },
      { kind: 'child_unsent', at: 9_000, label: `${LABEL}0` },
    ];
    observer.observe({ event: 'turn_committed', portfolio: ID, events, state, commitMs: 1 });
    const after = await scrape();
    expect(sampleOf(after, 'twapd_unknown_settle_seconds_sum', { fate: 'unsent' })).toBe(8);
    expect(sampleOf(after, 'twapd_unknown_settle_seconds_count')).toBe(1);
  });

  it('a slice that placed nothing is counted as skipped, and one that placed is not', async () => {
    const { observer, scrape } = observed();
    const { state } = await portfolio();
    const slice = (leg: number) => ({ at: 1, leg, slice: 4 });
    const started = {
      kind: 'slice_started',
      dueAt: 1,
      endsAt: 2,
      planned: '10',
      quantity: '10',
    } as const;
    const events: PortfolioEvent[] = [
      { ...started, ...slice(0) },
      { ...started, ...slice(1) },
      { kind: 'slice_waiting', ...slice(0), reason: 'no_reference' },
      { kind: 'slice_waiting', ...slice(1), reason: 'stale_reference' },
      { ...intended(), ...slice(1) },
      { kind: 'slice_ended', ...slice(0), filled: '0', returned: '10' },
      { kind: 'slice_ended', ...slice(1), filled: '5', returned: '5' },
    ];
    observer.observe({ event: 'turn_committed', portfolio: ID, events, state, commitMs: 1 });
    const after = await scrape();
    expect(sampleOf(after, 'twapd_slices_skipped_total')).toBe(1);
    expect(sampleOf(after, 'twapd_slices_skipped_total', { reason: 'no_reference' })).toBe(1);
    expect(sampleOf(after, 'twapd_slice_waits_total')).toBe(2);
    expect(sampleOf(after, 'twapd_slice_fill_ratio_bucket', { le: '0' })).toBe(1);
    expect(sampleOf(after, 'twapd_slice_fill_ratio_bucket', { le: '0.5' })).toBe(2);
  });

  it('the metrics agree with the portfolio after a whole run of the engine', async () => {
    const w = world();
    w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
    await w.engine.start();
    const id = await submitted(w, form());
    await w.run(120_000);
    const { observer, scrape } = observed();
    const state = must(fold(id, w.observer.events), 'a portfolio');
    observer.observe({
      event: 'turn_committed',
      portfolio: id,
      events: w.observer.events,
      state,
      commitMs: 1,
    });
    const after = await scrape();
    const leg = must(state.legs[0], 'a leg');
    const bookings = w.observer.events.filter((event) => event.kind === 'fill_booked');
    expect(state.status).toBe('filled');
    expect(sampleOf(after, 'twapd_slices_placed_total')).toBe(leg.slicesPlaced);
    expect(sampleOf(after, 'twapd_slices_missed_total')).toBe(0);
    expect(sampleOf(after, 'twapd_fills_total')).toBe(bookings.length);
    expect(sampleOf(after, 'twapd_filled_notional_total', { currency: 'USD', side: 'buy' })).toBe(
      leg.filled.toNumber(),
    );
    expect(sampleOf(after, 'twapd_portfolios_ended_total', { reason: 'filled' })).toBe(1);
  });

  it('the number of failure places is bounded, and names after a place stay out of the label', async () => {
    const { observer, scrape } = observed();
    for (let i = 0; i < 500; i += 1)
      observer.observe({ event: 'failed', where: `place${i}`, error: 'x' });
    observer.observe({ event: 'failed', where: 'strategy btc-weekly', error: 'x' });
    const { samples } = await scrape();
    const places = samples.filter(({ name }) => name === 'twapd_failures_total');
    expect(places.length).toBeLessThan(100);
    expect(places.map(({ labels }) => labels['where'])).toContain('other');
    expect(JSON.stringify(places)).not.toContain('btc-weekly');
  });

  it('the observer never throws whatever it receives, and counts what it could not process', async () => {
    const { observer, scrape } = observed();
    const kinds = CASES.map(([event]) => event).concat('turn_committed');
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.object(), (event, told) => {
        observer.observe({ ...told, event } as Observation);
      }),
    );
    fc.assert(fc.property(fc.anything(), (told) => observer.observe(told as Observation)));
    observer.observe(undefined as unknown as Observation);
    const failed = sampleOf(await scrape(), 'twapd_failures_total', { where: 'observer' });
    expect(failed).toBeGreaterThan(0);
  });

  it('no label of a scrape holds an id', async () => {
    const { observer, scrape } = observed();
    const { state } = await portfolio();
    for (const [, call] of CASES) call(observer);
    observer.observe({
      event: 'turn_committed',
      portfolio: ID,
      events: [intended()],
      state,
      commitMs: 1,
    });
    const values = (await scrape()).samples.flatMap(({ labels }) => Object.values(labels));
    for (const id of [ID, LABEL, 'x1', 'weekly']) expect(values).not.toContain(id);
  });
});

const intended = (): Extract<PortfolioEvent, { kind: 'child_intended' }> => ({
  kind: 'child_intended',
  at: 1,
  label: LABEL,
  leg: 1,
  slice: 7,
  attempt: 1,
  side: 'buy',
  quantity: '10',
  price: '100',
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  reduceOnly: false,
  validUntil: 3_000,
});
