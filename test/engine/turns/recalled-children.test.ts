// Reports about children that have left the state: a turn reads the history once, and only if a report may concern one.
import { describe, expect, test } from 'vitest';
import type { TradeRecord } from '../../../src/core/order/order-record.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { quantity, text, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import {
  type ChildLabel,
  childLabel,
  childLabelOf,
  orderId,
  parseChildLabel,
  tradeId,
} from '../../../src/values/ids.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { form, legForm, settle, submitted, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import type { ScriptVenue } from '../../support/engine/script-venue.ts';

const PERP = perpetual();

/** A portfolio of a slice a second after forty of them, and what it reads from now on. */
async function atWork(prepare: (venue: ScriptVenue) => void = () => undefined) {
  const clock = new VirtualClock(NOON);
  const memory = new MemoryLedger({ now: () => clock.now() });
  let reads = 0;
  const ledger: Ledger = new Proxy(memory, {
    get: (target, name) => {
      if (name === 'load') reads += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const w = world({ clock, ledger });
  w.venue.isTalkative = true;
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  prepare(w.venue);
  await w.engine.start();
  const asked = form({
    legs: [legForm({ quantity: quantity('900') })],
    twapTrade: { durationSec: 90, frequencySec: 1 },
  });
  const id = await submitted(w, asked);
  await w.run(40_500);
  const trades = w.venue.kept.flatMap((kept) => kept.trades);
  expect(trades.length).toBeGreaterThanOrEqual(40);
  const before = w.observer.events.length;
  reads = 0;
  return {
    w,
    id,
    trades,
    reads: () => reads,
    /** The kinds of the events since. */
    events: (): readonly PortfolioEvent[] => w.observer.events.slice(before),
    report: (...some: readonly TradeRecord[]) =>
      w.engine.turns.run(id, { kind: 'record_report', now: clock.now(), orders: [], trades: some }),
    filled: (): string =>
      text(must(w.engine.turns.peek(id)?.legs[0], 'the portfolio is in memory').filled),
  };
}

const kindsOf = (events: readonly PortfolioEvent[]) => events.map(({ kind }) => kind);

const first = (trades: readonly TradeRecord[]): TradeRecord => must(trades[0], 'it has traded');

describe('a report about a child that has left the state', () => {
  test('of many repeated trades in one turn reads the history once and books nothing', async () => {
    const { trades, report, reads, events, filled } = await atWork();
    const before = filled();
    await Promise.all(trades.map((trade) => report(trade)));
    expect(reads()).toBe(1);
    expect([events(), filled()]).toEqual([[], before]);
  });

  test('of a late trade books it once, after the child was recalled', async () => {
    const { w, id, trades, report, reads, events, filled } = await atWork();
    const late = { ...first(trades), tradeId: tradeId('late'), quantity: quantity('10') };
    await Promise.all([report(late, late), report(late)]);
    await report(late);
    const booked = events().filter((event) => event.kind === 'fill_booked');
    expect(kindsOf(events()).slice(0, 2)).toEqual(['child_recalled', 'fill_booked']);
    expect(booked).toMatchObject([{ label: late.label, tradeId: 'late' }]);
    expect(filled()).toBe('420');
    // It is among the latest children again.
    expect(reads()).toBe(1);
    expect(w.observer.failures).toEqual([]);
    const stored = must((await w.ledger.load(id))?.events, 'it is stored');
    expect(stored.filter(({ kind }) => kind === 'child_recalled')).toHaveLength(1);
  });

  test('reads nothing if the report is about one of the latest children, or about none', async () => {
    const { id, trades, report, reads, events } = await atWork();
    const address = must(parseChildLabel(first(trades).label), 'a label of ours');
    const labels: readonly ChildLabel[] = [
      childLabel({ ...address, slice: 41 }),
      childLabel({ ...address, slice: 40, attempt: 2 }),
      childLabel({ ...address, leg: 1 }),
      childLabelOf('manual'),
    ];
    await report(...trades.slice(-8));
    await report(...labels.map((label) => ({ ...first(trades), label })));
    expect([reads(), events()]).toEqual([0, []]);
    expect(address.portfolio).toBe(id);
  });

  test('of an attempt that a past slice never made is ignored after one read', async () => {
    const { trades, report, reads, events } = await atWork();
    const address = must(parseChildLabel(first(trades).label), 'a label of ours');
    await report({ ...first(trades), label: childLabel({ ...address, attempt: 9 }) });
    expect([reads(), events()]).toEqual([1, []]);
  });

  test('of a refusal, an unknown outcome or an absence changes nothing and reads nothing', async () => {
    const { w, id, trades, reads, events } = await atWork();
    const { label: name } = first(trades);
    const label = childLabelOf(name);
    const now = w.clock.now();
    const message = { code: 1, message: 'no' };
    await w.engine.turns.run(id, { kind: 'record_refusal', now, label, ...message, retry: true });
    await w.engine.turns.run(id, { kind: 'record_unknown', now, label, reason: 'no answer' });
    await w.engine.turns.run(id, { kind: 'record_absent', now, label, askedAt: now });
    await w.engine.turns.run(id, {
      kind: 'record_edit_refusal',
      now,
      label,
      ...message,
      number: 1,
    });
    await w.engine.turns.run(id, {
      kind: 'record_edit_unknown',
      now,
      label,
      reason: '',
      number: 1,
    });
    expect([reads(), events()]).toEqual([0, []]);
    expect(w.observer.failures).toEqual([]);
  });

  test('of a trade that the auditor hands over reads the history once and books nothing', async () => {
    const { w, trades, reads, events, filled } = await atWork();
    const before = filled();
    w.assembled.recordMissed(first(trades));
    await settle();
    expect([reads(), events(), filled()]).toEqual([1, [], before]);
  });

  test('of an order that was held for unsent and is open takes the order in, which is not a foreign one', async () => {
    const { w, id, events } = await atWork((venue) => {
      venue.mishaps.push('lose_request');
    });
    const unsent = w.observer.events.find(({ kind }) => kind === 'child_unsent');
    const label = must(unsent && 'label' in unsent ? unsent.label : undefined, 'it is unsent');
    const [model] = w.venue.kept;
    const { account, order, changedAt } = must(model, 'the venue has orders');
    const own = { label, orderId: orderId('late'), filledQuantity: ZERO_QUANTITY };
    const late = { ...order, ...own, state: 'open' } as const;
    w.venue.kept.push({ account, changedAt, shown: undefined, trades: [], order: late });
    await w.run(60_000);
    expect(kindsOf(events())).toEqual(
      expect.arrayContaining(['child_recalled', 'assumption_broken', 'child_live']),
    );
    expect(w.engine.turns.peek(id)).toMatchObject({ status: 'cancelled', broken: true });
    expect(w.observer.foreign).toEqual([]);
  });
});
