// The price collar on edits that change the unit of an option's price: an edit may do only what a new order may do.
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Venue } from '../../../src/ports/venue.ts';
import { price } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { connectTo } from '../../adapters/deribit/connect-deribit.ts';
import { noonClock, serveDeribit } from '../../adapters/deribit/deribit-stage.ts';
import { NOON, paperVenue, settle } from '../../adapters/paper/paper-stage.ts';
import { cases } from '../../support/cases.ts';
import { EditStage, judge, PATHS, SIDES, UNITS } from './edit-unit.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function onPaper(): Promise<EditStage> {
  const clock = new VirtualClock(NOON);
  const venue: Venue = paperVenue(clock, {});
  closing.push(() => venue.close());
  await clock.run(later(clock.now(), 100), settle);
  return EditStage.open({ venue, clock });
}

async function overTheWire(): Promise<EditStage> {
  const exchange = await serveDeribit();
  closing.push(() => exchange.close());
  const { venue } = await connectTo(exchange.url);
  closing.push(() => venue.close());
  return EditStage.open({ venue, clock: noonClock() });
}

/** Factors of the mark price, on both sides of the collar's 20 %. */
const VENUES = [
  ['the paper exchange of this process', onPaper, [0.5, 0.7, 1.5, 2.2]],
  ['an exchange in another process', overTheWire, [0.5, 2.2]],
] as const;

const casesAt = (factors: readonly number[]) =>
  UNITS.flatMap((before) =>
    UNITS.flatMap((after) =>
      SIDES.flatMap((side) =>
        PATHS.flatMap((path) => factors.map((factor) => ({ before, after, side, path, factor }))),
      ),
    ),
  );

describe.each(VENUES)('an edit of an option order at %s', (_, open, factors) => {
  it('an edit is refused exactly if a new order with the same result would be, for all unit pairs', async () => {
    const stage = await open();
    const refused = new Set<string>();
    for (const one of casesAt(factors)) {
      const { edit, twin } = await stage.outcomes(one);
      judge(one, edit, twin);
      if ('code' in edit && edit.code === 40007) refused.add(`${one.before} to ${one.after}`);
    }
    expect([...refused].sort()).toEqual([
      'implv to implv',
      'implv to usd',
      'undefined to undefined',
      'usd to implv',
      'usd to usd',
    ]);
  });

  it.each(PATHS)(
    'an edit from 2000 USD to 300 percent volatility is refused by the collar, %s',
    async (path) => {
      const stage = await open();
      const order = await stage.entered({ side: 'buy', price: price('2000'), advanced: 'usd' });
      const edit = await stage.edit(order, path, { price: price('300'), advanced: 'implv' });
      expect(edit).toMatchObject({ kind: 'refused', code: 40007, message: 'risk_limit' });
      expect(JSON.stringify(edit)).toContain('price_collar');
    },
  );

  it('an edit may name a new unit only together with a new price', async () => {
    const stage = await open();
    const order = await stage.entered({ side: 'buy', price: price('2000'), advanced: 'usd' });
    expect(await stage.edit(order, 'by id', { advanced: 'implv' })).toMatchObject({
      kind: 'refused',
      code: 11047,
      details: { param: 'price' },
    });
  });
});

describe('an edit of an option order with any price', () => {
  it('an edit with any price is refused exactly if a new order with the same result would be', async () => {
    const stage = await onPaper();
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          before: fc.constantFrom(...UNITS),
          after: fc.constantFrom(...UNITS),
          side: fc.constantFrom(...SIDES),
          path: fc.constantFrom(...PATHS),
          factor: fc.double({ min: 0.3, max: 3, noNaN: true }),
        }),
        async (one) => {
          const { edit, twin } = await stage.outcomes(one);
          judge(one, edit, twin);
        },
      ),
      { numRuns: cases(60) },
    );
  });
});
