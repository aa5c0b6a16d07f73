// Which snapshots of a state are read, and what they share with states that were folded.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { PortfolioEvent } from '../../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { fold } from '../../../../src/core/portfolio/aggregate/replay.ts';
import {
  restoredState,
  SNAPSHOT_FORMAT,
  snapshotOf,
} from '../../../../src/core/portfolio/snapshot/state-snapshot.ts';
import { must } from '../../../../src/values/assert.ts';
import { portfolioId } from '../../../../src/values/ids.ts';
import { later } from '../../../../src/values/instant.ts';
import { CoreDesk } from '../../../support/engine/core-desk.ts';
import { CoreVenue } from '../../../support/engine/core-venue.ts';
import { form } from '../../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../../support/engine/markets.ts';

const PERP = perpetual();

/** A desk after three slices, of which the last rests. */
function worked(): CoreDesk {
  const desk = new CoreDesk(form(), [PERP]);
  desk.quotes.set(PERP.name, quote(PERP, [99_999, 100_001]));
  const venue = new CoreVenue([PERP]);
  for (let slice = 0; slice < 3; slice += 1) {
    const now = later(NOON, slice * 1_000);
    venue.take(desk.run({ kind: 'advance', now }).intents);
    for (const request of venue.requests.splice(0)) {
      desk.run({ ...venue.serve(request, now, slice === 2 ? 0 : 1), now });
    }
  }
  return desk;
}

const folded = (events: readonly PortfolioEvent[]): PortfolioState =>
  must(fold(portfolioId('5'), JSON.parse(JSON.stringify(events))), 'begins with a submit');

test('a restored state shares its instruments and options with states that were folded', () => {
  const state = folded(worked().events);
  const restored = must(restoredState(snapshotOf(state), []), 'readable');
  expect(restored.instruments.get(PERP.name)).toBe(state.instruments.get(PERP.name));
  expect(restored.spec.execution).toBe(state.spec.execution);
});

test('a snapshot of another format is not read', () => {
  const snapshot = snapshotOf(folded(worked().events));
  const foreign = { ...snapshot, format: SNAPSHOT_FORMAT + 1, text: 'of another version' };
  expect(restoredState(foreign, [])).toBeUndefined();
});

test('a snapshot that is cut off, or of another portfolio or version, cannot be read', () => {
  const snapshot = snapshotOf(folded(worked().events));
  expect(() => restoredState({ ...snapshot, text: snapshot.text.slice(0, -9) }, [])).toThrow();
  expect(() => restoredState({ ...snapshot, portfolio: portfolioId('6') }, [])).toThrow('another');
  expect(() => restoredState({ ...snapshot, version: 3 }, [])).toThrow('another');
});

test('events about a child that the state does not have do not continue a snapshot', () => {
  const { events } = worked();
  const start = snapshotOf(folded(events.slice(0, 1)));
  const closed = events.filter(({ kind }) => kind === 'child_closed');
  expect(closed.length).toBeGreaterThan(0);
  expect(() => restoredState(start, closed)).toThrow(/has no child/);
});

test('what a snapshot contains is what its format says: another content needs another format', () => {
  const { text } = snapshotOf(folded(worked().events));
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  expect({ format: SNAPSHOT_FORMAT, hash }).toEqual({ format: 4, hash: '4639ff018365c452' });
});
