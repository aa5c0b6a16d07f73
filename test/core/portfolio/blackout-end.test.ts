// A blackout window also applies after the end of a portfolio: the end action waits until the window ends, and has
// its full time from then on.
import { expect, test } from 'vitest';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import { openRfq } from '../../../src/core/portfolio/aggregate/residual-rfq-state.ts';
import { nextDueAt } from '../../../src/core/portfolio/next-wake.ts';
import type { EndRfq } from '../../../src/core/terms/execution.ts';
import { price, quantity, ratio } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { CoreDesk, QUIET } from '../../support/engine/core-desk.ts';
import { form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const OPEN = later(NOON, QUIET.toMs - 12 * 3_600_000);

/** A portfolio that ends six seconds after noon, within the window, with nothing filled. */
function ended(endAction: 'market' | 'cancel'): CoreDesk {
  const asked = form({
    legs: [legForm({ quantity: quantity('1000') })],
    twapTrade: { durationSec: 6, frequencySec: 6 },
    execution: { endAction, avoidWindows: true },
  });
  const desk = new CoreDesk(asked, [PERP]);
  // Nothing is offered until the end.
  desk.quotes.set(PERP.name, quote(PERP, [99_990, undefined]));
  desk.run({ kind: 'advance', now: NOON });
  return desk;
}

const placedAt = (desk: CoreDesk, now: Instant): number => {
  desk.quotes.set(PERP.name, quote(PERP, [99_990, 100_010], { seenAt: now }));
  const { intents } = desk.run({ kind: 'advance', now });
  return intents.filter(({ kind }) => kind === 'place').length;
};

test('the end action starts when the blackout window ends, and a wake-up is scheduled for then', () => {
  const desk = ended('market');
  expect(placedAt(desk, later(NOON, 6_000))).toBe(0);
  expect(desk.state.status).not.toBe('cancelled');
  expect(nextDueAt(desk.state, desk.settings)).toBe(OPEN);
  expect(placedAt(desk, later(OPEN, -1))).toBe(0);
  expect(placedAt(desk, OPEN)).toBe(1);
  expect(desk.state.legs[0]?.current?.endsAt).toBe(later(OPEN, desk.settings.endGraceMs));
});

test('an end action held up by an order without an outcome until a blackout window begins starts when that ends', () => {
  const asked = form({
    legs: [legForm({ quantity: quantity('1000') })],
    twapTrade: { durationSec: 2, frequencySec: 2 },
    execution: { endAction: 'market', avoidWindows: true },
  });
  const desk = new CoreDesk(asked, [PERP]);
  desk.quotes.set(PERP.name, quote(PERP, [99_990, 100_010]));
  desk.run({ kind: 'advance', now: NOON });
  const [label] = desk.state.children.keys();
  desk.run({ kind: 'advance', now: later(NOON, 2_000) });
  // The answer comes within the window from the fifth to the ninth second.
  const refusal = { code: 10_041, message: 'settlement', retry: true } as const;
  const now = later(NOON, 5_000);
  const { intents } = desk.run({
    kind: 'record_refusal',
    now,
    label: must(label, 'an order'),
    ...refusal,
  });
  expect(intents.filter(({ kind }) => kind === 'place')).toEqual([]);
  expect(nextDueAt(desk.state, desk.settings)).toBe(OPEN);
  expect(placedAt(desk, OPEN)).toBe(1);
});

/** A portfolio that ends `afterMs` after noon with a Block RFQ of a leg without fills. */
function endedByRfq(afterMs: number, terms: Partial<EndRfq> = {}): CoreDesk {
  const sec = afterMs / 1_000;
  const asked = form({
    legs: [legForm({ quantity: quantity('1000') })],
    twapTrade: { durationSec: sec, frequencySec: sec },
    execution: {
      endAction: 'rfq',
      rfq: { limitBps: 10, collectMs: 0, ...terms },
      avoidWindows: true,
    },
  });
  const desk = new CoreDesk(asked, [PERP], undefined, { hasBlockRfqs: true });
  // Nothing is offered until the end.
  desk.quotes.set(PERP.name, quote(PERP, [99_990, undefined]));
  desk.run({ kind: 'advance', now: NOON });
  return desk;
}

const wanted = (desk: CoreDesk, command: PortfolioCommand): readonly string[] => {
  desk.quotes.set(PERP.name, quote(PERP, [99_990, 100_010]));
  return desk.run(command).intents.map(({ kind }) => kind);
};
const looked = (desk: CoreDesk, now: Instant) => wanted(desk, { kind: 'advance', now });
const labelIn = (desk: CoreDesk) => must(openRfq(desk.state), 'it was asked for').label;

test('a residual RFQ is sent when the window ends and has its full time from then on', () => {
  const desk = endedByRfq(6_000);
  expect(looked(desk, later(NOON, 6_000))).not.toContain('create_rfq');
  expect(nextDueAt(desk.state, desk.settings)).toBe(OPEN);
  expect(looked(desk, later(OPEN, -1))).not.toContain('create_rfq');
  expect(looked(desk, OPEN)).toContain('create_rfq');
  expect(openRfq(desk.state)?.endsAt).toBe(later(OPEN, 30_000));
});

test('quotes of an open RFQ are not accepted within a blackout window', () => {
  const desk = endedByRfq(3_000);
  expect(looked(desk, later(NOON, 3_000))).toContain('create_rfq');
  const rfq = {
    rfqId: 'r1',
    status: 'live',
    quantity: quantity('1000'),
    ratios: [{ instrument: PERP.name, ratio: ratio('1') }],
    offer: { price: price('100000'), makers: 1, isWhole: true },
  } as const;
  const now = later(NOON, 5_000);
  const told = wanted(desk, { kind: 'record_rfq', now, rfqLabel: labelIn(desk), rfq });
  expect(told).not.toContain('accept_rfq');
  expect(looked(desk, later(OPEN, -1))).not.toContain('accept_rfq');
  expect(looked(desk, OPEN)).toContain('accept_rfq');
});

test('a temporarily refused RFQ is due after its pause, not counting the window', () => {
  for (const { afterMs, refusedMs, again } of [
    { afterMs: 3_000, refusedMs: 3_010, again: later(NOON, 3_010 + SETTINGS.retryMs) },
    { afterMs: 3_000, refusedMs: 4_999, again: OPEN },
  ]) {
    const desk = endedByRfq(afterMs);
    expect(looked(desk, later(NOON, afterMs))).toContain('create_rfq');
    const now = later(NOON, refusedMs);
    const refusal = { code: 10041, message: 'settlement', retry: true } as const;
    wanted(desk, { kind: 'record_rfq_refusal', now, rfqLabel: labelIn(desk), ...refusal });
    expect(nextDueAt(desk.state, desk.settings)).toBe(again);
    expect(looked(desk, later(again, -1))).not.toContain('create_rfq');
    expect(looked(desk, again)).toContain('create_rfq');
  }
});

test('the fallback of an RFQ that ended within a window starts when the window ends', () => {
  const desk = endedByRfq(1_000, { waitMs: 6_000, fallback: 'market' });
  expect(looked(desk, later(NOON, 1_000))).toContain('create_rfq');
  const rfq = { rfqId: 'r1', quantity: quantity('1000'), offer: undefined } as const;
  const ratios = [{ instrument: PERP.name, ratio: ratio('1') }];
  const report = (atMs: number, status: 'live' | 'cancelled') =>
    wanted(desk, {
      kind: 'record_rfq',
      now: later(NOON, atMs),
      rfqLabel: labelIn(desk),
      rfq: { ...rfq, status, ratios },
    });
  report(1_000, 'live');
  expect(looked(desk, later(NOON, 7_000))).toContain('cancel_rfq');
  expect(report(7_000, 'cancelled')).not.toContain('place');
  expect(desk.state.status).toBe('active');
  expect(nextDueAt(desk.state, desk.settings)).toBe(OPEN);
  expect(looked(desk, later(OPEN, -1))).not.toContain('place');
  expect(looked(desk, OPEN)).toContain('place');
});

test('without an end action nothing waits for the window', () => {
  const desk = ended('cancel');
  expect(placedAt(desk, later(NOON, 6_000))).toBe(0);
  expect(desk.state).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
});
