// A portfolio that keeps still in a window keeps still in it after its end too: the end action waits for
// the window to be over, and has all of its time from then on.
import { expect, test } from 'vitest';
import { nextDueAt } from '../../../src/core/portfolio/next-wake.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { CoreDesk, QUIET } from '../../support/core-desk.ts';
import { form, legForm } from '../../support/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/markets.ts';

const PERP = perpetual();
const OPEN = later(NOON, QUIET.toMs - 12 * 3_600_000);

/** One that ends six seconds after noon, within the window, with nothing filled. */
function ended(endAction: 'market' | 'cancel'): CoreDesk {
  const asked = form({
    legs: [legForm({ quantity: quantity('1000') })],
    twapTrade: { durationSec: 6, frequencySec: 6 },
    execution: { endAction, avoidWindows: true },
  });
  const desk = new CoreDesk(asked, [PERP]);
  // Nothing to trade against until the end.
  desk.quotes.set(PERP.name, quote(PERP, [99_990, undefined]));
  desk.run({ kind: 'advance', now: NOON });
  return desk;
}

const placedAt = (desk: CoreDesk, now: Instant): number => {
  desk.quotes.set(PERP.name, quote(PERP, [99_990, 100_010], { seenAt: now }));
  const { intents } = desk.run({ kind: 'advance', now });
  return intents.filter(({ kind }) => kind === 'place').length;
};

test('the end action waits for the window to be over, and is asked for then', () => {
  const desk = ended('market');
  expect(placedAt(desk, later(NOON, 6_000))).toBe(0);
  expect(desk.state.status).not.toBe('cancelled');
  expect(nextDueAt(desk.state, desk.settings)).toBe(OPEN);
  expect(placedAt(desk, later(OPEN, -1))).toBe(0);
  expect(placedAt(desk, OPEN)).toBe(1);
  expect(desk.state.legs[0]?.current?.endsAt).toBe(later(OPEN, desk.settings.endGraceMs));
});

test('without an end action nothing is waited for', () => {
  const desk = ended('cancel');
  expect(placedAt(desk, later(NOON, 6_000))).toBe(0);
  expect(desk.state).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
});
