// A hedge follows fills that arrive at the very end of a TWAP: what the others have filled is hedged before the
// portfolio ends, whatever its end action.
import { describe, expect, test } from 'vitest';
import type { ExecutionForm } from '../../../src/core/terms/execution.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreDesk, QUIET } from '../../support/engine/core-desk.ts';
import { CoreVenue } from '../../support/engine/core-venue.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote, spot } from '../../support/engine/markets.ts';

const PERP = perpetual();
const COIN = spot();
const END = later(NOON, 60_000);

/** A perpetual that rests for the whole time, and a spot hedge. */
function resting(
  seconds: number,
  execution: ExecutionForm,
): { readonly desk: CoreDesk; readonly venue: CoreVenue } {
  const rests = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
  const hedge = legForm({
    instrument: COIN.name,
    instrumentType: 'spot',
    side: 'sell',
    quantity: quantity('0.01'),
    hedge: true,
  });
  const asked = form({
    legs: [legForm({ quantity: quantity('1000'), priceOptions: rests }), hedge],
    twapTrade: { durationSec: seconds, frequencySec: seconds },
    execution,
  });
  const desk = new CoreDesk(asked, [PERP, COIN]);
  const venue = new CoreVenue([PERP, COIN]);
  desk.quotes.set(PERP.name, quote(PERP, [99_990, 100_010]));
  desk.quotes.set(COIN.name, quote(COIN, [99_990, 100_010]));
  venue.take(desk.run({ kind: 'advance', now: NOON }).intents);
  serve(desk, venue, 0);
  return { desk, venue };
}

/** Half of it fills at the end. */
function ended(
  seconds = 60,
  execution: ExecutionForm = { endAction: 'cancel' },
  isPaused = false,
): ReturnType<typeof resting> {
  const { desk, venue } = resting(seconds, execution);
  const end = later(NOON, seconds * 1_000);
  const [label] = venue.books.keys();
  venue.trade(label ?? '', end, 0.5);
  if (isPaused) venue.take(desk.run({ kind: 'pause', now: later(end, -1), by: '7' }).intents);
  venue.take(desk.run({ kind: 'advance', now: end }).intents);
  return { desk, venue };
}

function serve(desk: CoreDesk, venue: CoreVenue, share: number): void {
  for (const request of venue.requests.splice(0)) {
    const now = desk.state.timeOverAt ?? NOON;
    const answer = venue.serve(request, now, share);
    venue.take(desk.run({ ...answer, now } as Parameters<CoreDesk['run']>[0]).intents);
  }
}

const filled = ({ state }: CoreDesk) => state.legs.map((leg) => text(leg.filled));

describe('a hedge at the end of a TWAP', () => {
  test('the hedge is aligned with fills that the last cancel reported', () => {
    const { desk, venue } = ended();
    serve(desk, venue, 1);
    expect(filled(desk)).toEqual(['500', '0']);
    expect(desk.state.status).toBe('active');
    serve(desk, venue, 1);
    expect(filled(desk)).toEqual(['500', '0.005']);
    expect(desk.state).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
  });

  test('the hedge is given up if the market does not fill it in time', () => {
    const { desk, venue } = ended();
    desk.quotes.set(COIN.name, quote(COIN, [undefined, 100_010]));
    serve(desk, venue, 1);
    expect(desk.state.status).toBe('active');
    desk.run({ kind: 'advance', now: later(END, desk.settings.endGraceMs - 1) });
    expect(desk.state.status).toBe('active');
    desk.run({ kind: 'advance', now: later(END, desk.settings.endGraceMs) });
    expect(desk.state).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
    expect(filled(desk)).toEqual(['500', '0']);
  });

  test('in a blackout window at the end the hedge has its time after the window', () => {
    const { desk, venue } = ended(6, { endAction: 'cancel', avoidWindows: true });
    desk.quotes.set(COIN.name, quote(COIN, [undefined, 100_010]));
    serve(desk, venue, 1);
    // From the sixth second to the ninth nothing may be sent.
    const open = later(NOON, QUIET.toMs - 12 * 3_600_000);
    for (const [ms, status] of [
      [-1, 'active'],
      [0, 'active'],
      [desk.settings.endGraceMs - 1, 'active'],
      [desk.settings.endGraceMs, 'cancelled'],
    ] as const) {
      desk.run({ kind: 'advance', now: later(open, ms) });
      expect([ms, desk.state.status]).toEqual([ms, status]);
    }
  });

  test('a portfolio that is paused at its end waits for its hedge as long as that may take', () => {
    const { desk, venue } = ended(60, { endAction: 'cancel' }, true);
    desk.quotes.set(COIN.name, quote(COIN, [undefined, 100_010]));
    serve(desk, venue, 1);
    desk.run({ kind: 'advance', now: later(END, desk.settings.endGraceMs - 1) });
    expect(desk.state.status).toBe('active');
    desk.run({ kind: 'advance', now: later(END, desk.settings.endGraceMs) });
    expect(desk.state).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
  });

  test.each(['cancel', 'market', 'extend'] as const)(
    'a portfolio that is paused at its end hedges its fills and trades nothing else, with %s',
    (endAction) => {
      const extension = endAction === 'extend' ? { extendMs: 60_000 } : {};
      const { desk, venue } = ended(60, { endAction, ...extension }, true);
      serve(desk, venue, 1);
      const orders = () => venue.requests.filter(({ kind }) => kind === 'place');
      for (let ms = 0; ms <= desk.settings.endGraceMs; ms += 1_000) {
        venue.take(desk.run({ kind: 'advance', now: later(END, ms) }).intents);
        expect(orders().filter(({ instrument }) => instrument !== COIN.name)).toEqual([]);
        serve(desk, venue, 1);
      }
      expect(filled(desk)).toEqual(['500', '0.005']);
      expect(desk.state).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
    },
  );
});

describe('a cancel that finds half of the order filled', () => {
  const QUIETLY = { endAction: 'cancel', avoidWindows: true } as const;
  test.each([
    ['may trade', 2, 'active', ['place'], [], 'cancelling'],
    ['is halted', 2, 'halted', [], ['0.005'], 'cancelled'],
    ['is in a blackout window', 6, 'active', [], ['0.005'], 'cancelled'],
  ] as const)(
    'while the portfolio %s, %i s after noon, trading is %s: it wants %j and leaves %j open',
    (_what, second, trading, wanted, left, status) => {
      const { desk, venue } = resting(60, QUIETLY);
      const now = later(NOON, second * 1_000);
      venue.trade([...venue.books.keys()][0] ?? '', now, 0.5);
      desk.given = { trading };
      venue.take(desk.run({ kind: 'cancel', reason: 'user_request', by: '7', now }).intents);
      for (const request of venue.requests.splice(0)) {
        const answer = { ...venue.serve(request, now, 0), now };
        venue.take(desk.run(answer as Parameters<CoreDesk['run']>[0]).intents);
      }
      expect(venue.requests.map(({ kind }) => kind)).toEqual(wanted);
      const open = desk.events.flatMap((one) =>
        one.kind === 'hedge_left_open' ? [one.quantity] : [],
      );
      expect([open, desk.state.status]).toEqual([left, status]);
    },
  );
});
