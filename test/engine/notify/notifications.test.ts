import { describe, expect, test } from 'vitest';
import type { ChannelRules } from '../../../src/core/notify/due-notices.ts';
import { LedgerHappeningsReader } from '../../../src/engine/notify/ledger-happenings-reader.ts';
import { NoticeCourier } from '../../../src/engine/notify/notice-courier.ts';
import { Notifications } from '../../../src/engine/notify/notifications.ts';
import { ObservedHappenings } from '../../../src/engine/notify/observed-happenings.ts';
import type { StateChange } from '../../../src/ports/observer.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { accountId, instrumentName, venueName } from '../../../src/values/ids.ts';
import { HOUR_MS, type Instant, isoText, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';
import { halt } from '../../conformance/switch-records.ts';
import { MemoryNoticeOutbox } from '../../doubles/memory/memory-notice-outbox.ts';
import { MemorySwitchRecords } from '../../doubles/memory/memory-switch-records.ts';
import { MemoryTurnEvents } from '../../doubles/memory/memory-turn-events.ts';
import { form, settle, submitted, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { RULES, ScriptChannel } from './script-channel.ts';

function stage() {
  const clock = new VirtualClock(NOON);
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const switches = new MemorySwitchRecords();
  const outbox = new MemoryNoticeOutbox(() => clock.now());
  const venue: { trouble: string | undefined } = { trouble: undefined };
  const backup: { takenAt: Instant | undefined } = { takenAt: undefined };
  const run = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  /** The wall clock moves on by so many hours, of which the daemons see a minute each: 104 whole hours have 374,400 polls of each. */
  const pass = async (hours: number): Promise<void> => {
    for (let hour = 0; hour < hours; hour += 1) {
      clock.stepWall(HOUR_MS - MINUTE_MS);
      await run(MINUTE_MS);
    }
  };
  const channel = new ScriptChannel();
  const follow: ((change: StateChange) => void)[] = [];

  /** A daemon of the deployment. */
  const daemon = async (member: string, rules: Partial<ChannelRules> = {}) => {
    const observer = witness();
    const routes = [
      { name: 'desk', channel, giveUpMs: 24 * HOUR_MS, rules: { ...RULES, ...rules } },
    ];
    const observed = new ObservedHappenings({ clock, routes, machine: 'desk-1' });
    const reader = new LedgerHappeningsReader({
      clock,
      outbox,
      log: ledger.turnLog,
      switches,
      routes,
      events: new MemoryTurnEvents(ledger),
    });
    const courier = new NoticeCourier({
      deployment: 'test',
      runbookUrl: 'https://wiki/ops',
      clock,
      outbox,
      observer,
      routes,
    });
    const notifications = new Notifications({
      clock,
      observer,
      outbox,
      member,
      observed,
      reader,
      courier,
      unknownAfterMs: 60_000,
      venueAwayMs: 60_000,
      backupOldMs: 26 * HOUR_MS,
      newestBackup: () => Promise.resolve(backup.takenAt),
      venues: {
        all: () => [{ name: venueName('deribit'), trouble: () => venue.trouble } as never],
      },
      follow: (listener) => {
        follow.push(listener);
        return () => undefined;
      },
    });
    await notifications.start();
    return { observed, observer, notifications };
  };

  const set = (change: Parameters<typeof halt>[0] = {}): Promise<number> =>
    switches.add(halt({ at: clock.now(), ...change }));

  let turn = 0;
  const end = async (id: number, version = 0): Promise<void> => {
    const usual = turnWith(id, version, { turn: { tells: 1 } });
    turn += 1;
    const events = [...usual.events, { kind: 'filled', at: NOON + turn } as const];
    await ledger.commit([{ ...usual, events }]);
  };
  return { clock, ledger, set, outbox, venue, backup, channel, run, pass, daemon, end, follow };
}

describe('notifications', () => {
  test('what has ended before the first start is not reported, what ends afterwards is reported once', async () => {
    const { daemon, end, run, channel } = stage();
    await end(1);
    await daemon('a');
    await run(2_000);
    await end(2);
    await run(120_000);
    expect(channel.told).toEqual(['portfolio/2/4']);
  });

  test('what somebody has to look at links to what to do, and what is as it should be does not', async () => {
    const { daemon, end, set, run, channel } = stage();
    await daemon('a');
    await run(2_000);
    await set();
    await end(1);
    await run(60_000);
    const lines = channel.messages.flatMap((message) => message.lines).toSorted();
    expect(lines).toHaveLength(2);
    expect(lines.find((line) => line.includes('switch'))).toMatch(
      / https:\/\/wiki\/ops#switching-trading-off$/,
    );
    expect(lines.find((line) => line.includes('is filled'))).not.toContain('https');
  });

  test('two daemons report a happening once, and one takes over where the other ended', async () => {
    const { daemon, end, run, channel } = stage();
    const first = await daemon('a');
    await run(2_000);
    await daemon('b');
    await end(1);
    await run(40_000);
    await end(2);
    await first.notifications.drain();
    await run(40_000);
    expect(channel.told).toEqual(['portfolio/1/4', 'portfolio/2/4']);
  });

  test('what was decided while no daemon reported it is reported by the next', async () => {
    const { daemon, end, run, channel } = stage();
    const first = await daemon('a');
    await run(2_000);
    // Killed: it neither drains nor leaves.
    first.notifications.stop();
    await end(1);
    await daemon('b');
    await run(60_000);
    expect(channel.told).toEqual(['portfolio/1/4']);
  });

  test('the setting of a switch is reported at once, and not what was set before', async () => {
    const { daemon, set, run, channel } = stage();
    await set();
    await daemon('a');
    await run(2_000);
    await set({ state: 'active', reason: 'all is well' });
    await run(2_000);
    expect(channel.told).toEqual(['switch/2']);
    expect(channel.messages[0]?.title).toBe(
      'twapd test: the trading switch of the deployment is active',
    );
  });

  test('a receiver that is away is tried again, less and less often, and loses nothing', async () => {
    const { daemon, end, run, channel } = stage();
    const { observer } = await daemon('a');
    await run(2_000);
    channel.answer = () => Promise.resolve({ kind: 'later', why: 'connect ECONNREFUSED' });
    for (const id of [1, 2, 3]) await end(id);
    await run(HOUR_MS);
    expect(channel.tries).toBeGreaterThan(5);
    expect(channel.tries).toBeLessThan(20);
    expect(observer.failures.every(({ where }) => where === 'notify.desk')).toBe(true);
    channel.answer = () => Promise.resolve({ kind: 'delivered' });
    await run(HOUR_MS);
    expect(channel.told).toEqual(['portfolio/1/4', 'portfolio/2/4', 'portfolio/3/4']);
  });

  test('a receiver that asks to wait is not tried before', async () => {
    const { daemon, set, run, channel } = stage();
    await daemon('a');
    await run(2_000);
    channel.answer = () => Promise.resolve({ kind: 'later', why: 'busy', afterMs: 300_000 });
    await set();
    await run(299_000);
    expect(channel.tries).toBe(1);
    await run(10_000);
    expect(channel.tries).toBe(2);
  });

  test('a message that a receiver keeps refusing is dropped, and the next one is sent', async () => {
    const { daemon, set, run, channel, outbox } = stage();
    await daemon('a');
    await run(2_000);
    channel.answer = () => Promise.resolve({ kind: 'refused', why: '413' });
    await set();
    await run(HOUR_MS);
    expect(await outbox.backlog()).toEqual([{ channel: 'desk', waiting: 0, sent: 0, dropped: 1 }]);
    channel.answer = () => Promise.resolve({ kind: 'delivered' });
    await set({ state: 'active' });
    await run(HOUR_MS);
    expect(channel.told).toEqual(['switch/2']);
  });

  test('what could not be delivered for a day is dropped', async () => {
    const { daemon, end, run, channel, outbox } = stage();
    await daemon('a');
    await run(2_000);
    channel.answer = () => Promise.resolve({ kind: 'later', why: 'away' });
    await end(1);
    await run(25 * HOUR_MS);
    expect(await outbox.backlog()).toMatchObject([{ waiting: 0, sent: 0, dropped: 1 }]);
  });

  test('a receiver that never answers delays no other work of a daemon', async () => {
    const { daemon, set, outbox, run, channel } = stage();
    const { observed } = await daemon('a');
    await run(2_000);
    channel.answer = () => new Promise(() => undefined);
    await set();
    await run(5_000);
    observed.observe({
      event: 'audit_breached',
      invariant: 'I1',
      detail: 'filled more than asked',
    });
    await run(2_000);
    expect((await outbox.waiting('desk', 9)).map(({ happening }) => happening.kind)).toEqual([
      'switch_set',
      'breach',
    ]);
    expect(channel.tries).toBe(1);
  });

  test('a venue that stays away is reported once by all daemons, and its return', async () => {
    const { daemon, venue, run, channel } = stage();
    await daemon('a');
    await daemon('b');
    venue.trouble = 'connect ECONNREFUSED';
    await run(50_000);
    expect(channel.told).toEqual([]);
    await run(HOUR_MS);
    venue.trouble = undefined;
    await run(HOUR_MS);
    expect(channel.told).toEqual(['venue_away/deribit', 'venue_back/deribit']);
    expect(channel.messages[0]?.lines[0]).toContain('ECONNREFUSED');
  });

  test('a backup is reported by one daemon once it is too old, and again a day later; a newer one ends that', async () => {
    const { daemon, backup, pass, channel } = stage();
    await daemon('a');
    await daemon('b');
    await pass(30);
    expect(channel.told).toEqual([]);
    backup.takenAt = later(NOON, 29 * HOUR_MS);
    await pass(24);
    expect(channel.told).toEqual([]);
    await pass(2);
    const key = `backup_old/${isoText(backup.takenAt)}`;
    expect(channel.told).toEqual([key]);
    await pass(24);
    expect(channel.told).toEqual([key, key]);
    backup.takenAt = later(NOON, 80 * HOUR_MS);
    await pass(24);
    expect(channel.told).toEqual([key, key]);
  });

  test('breaches, foreign orders, liquidations, trips and failed strategies are reported as they are observed', async () => {
    const { daemon, run, channel } = stage();
    const { observed } = await daemon('a');
    await run(2_000);
    const account = accountId('10001');
    for (const detail of ['first', 'again']) {
      observed.observe({ event: 'audit_breached', invariant: 'I3', detail, account });
    }
    observed.observe({
      event: 'foreign_order',
      venue: venueName('paper'),
      label: 'x',
      orderId: '7',
    });
    const trade = { instrument: instrumentName('BTC-PERPETUAL'), side: 'sell' } as const;
    for (const tradeId of ['8', '9']) {
      const size = { quantity: quantity('100'), price: price('90000'), tradeId };
      observed.observe({
        event: 'position_liquidated',
        venue: venueName('paper'),
        account,
        ...trade,
        ...size,
      });
    }
    const group = { account, index: 'btc', kind: 'order', group: '' } as const;
    observed.observe({ event: 'mmp_set', ...group, status: 'ready' });
    observed.observe({ event: 'mmp_set', ...group, status: 'waiting', by: 'delta' });
    observed.observe({ event: 'strategy_failed', strategy: 'morning', why: 'expired' });
    await run(2_000);
    expect(
      channel.messages.flatMap(({ happenings }) => happenings.map(({ kind }) => kind)),
    ).toEqual(['breach', 'foreign_order', 'liquidated', 'mmp_tripped', 'strategy_failed']);
  });

  test.each([
    { downMs: 30_000, isReported: false },
    { downMs: 120_000, isReported: true },
  ])(
    'an order whose outcome is unknown for $downMs ms is reported: $isReported',
    async ({ downMs, isReported }) => {
      const { daemon, run, channel, follow, clock } = stage();
      await daemon('a');
      const w = world({ clock });
      for (const listener of follow) w.engine.turns.follow(listener);
      await w.engine.start();
      w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
      w.venue.isDown = true;
      const portfolio = await submitted(w, form());
      await run(downMs);
      w.venue.isDown = false;
      await run(120_000);
      const found = channel.messages
        .flatMap(({ happenings }) => happenings)
        .filter(({ kind }) => kind === 'unknown_outcome');
      expect(found.length > 0).toBe(isReported);
      expect(found.every((one) => one.portfolio === portfolio)).toBe(true);
    },
  );
});
