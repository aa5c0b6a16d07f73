// What becomes of each answer of a venue to a child: how it is named to the observer, what is recorded of an edit, and when
// the room that the gate keeps for an order is given back.
import { expect, test } from 'vitest';
import type { Gate } from '../../../src/engine/risk/gate.ts';
import { price } from '../../../src/values/amounts.ts';
import { form, legForm, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import type { Mishap } from '../../support/engine/script-venue.ts';

const PERP = perpetual();
/** The venue's market-maker protection was triggered. */
const MMP_TRIGGER = 13_030;
const FOLLOWING = legForm({
  priceOptions: {
    priceType: 'dynamic',
    price: price('1'),
    priceIn: 'USD',
    dynamicPriceStrategy: 'bid',
    dynamicMs: 1_000,
  },
});

interface Stage {
  readonly w: World;
  /** Method and class of each answer. */
  readonly answers: string[];
  /** Orders whose room was given back. */
  readonly givenBack: string[];
}

/** One resting child that follows the bid; what goes wrong is decided by the method. */
async function stage(mishap: (method: string, w: World) => Mishap | undefined): Promise<Stage> {
  const [answers, givenBack]: [string[], string[]] = [[], []];
  const observer = witness({
    venue_answered: (answer) => answers.push(`${answer.method} ${answer.class}`),
  });
  const w = world({ observer });
  const { gate } = w.assembled;
  const pass: Gate['pass'] = gate.pass.bind(gate);
  gate.pass = (request, of) => {
    const passage = pass(request, of);
    if (passage.kind === 'blocked') return passage;
    const refused = (): void => {
      givenBack.push(of.stage);
      passage.refused();
    };
    return { ...passage, refused };
  };
  w.venue.mishap = (method) => mishap(method, w);
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  const twapTrade = { durationSec: 60, frequencySec: 60 };
  await submitted(w, form({ twapTrade, legs: [FOLLOWING], execution: {} }));
  await w.run(500);
  w.venue.show(quote(PERP, [99_990, 100_000]));
  await w.run(1_000);
  return { w, answers, givenBack };
}

const kinds = ({ w }: Stage): string[] =>
  w.observer.events.map(({ kind }) => kind).filter((kind) => /^edit_|^child_/.test(kind));

test('an order and an edit that are accepted keep their room', async () => {
  const made = await stage(() => undefined);
  expect(kinds(made)).toEqual(['child_intended', 'child_live', 'edit_intended', 'edit_done']);
  expect(made.answers).toEqual(['place ok', 'edit ok']);
  expect(made.givenBack).toEqual([]);
});

test('an order that is refused gives its room back', async () => {
  const made = await stage(() => ({ code: 10_009, later: false }));
  expect(kinds(made).slice(0, 2)).toEqual(['child_intended', 'child_rejected']);
  expect(made.givenBack.length).toBeGreaterThan(0);
});

test('an edit that is refused is recorded as refused and gives its room back', async () => {
  const made = await stage((method) =>
    method === 'edit' ? { code: 10_041, later: true } : undefined,
  );
  const recorded = kinds(made);
  expect(recorded).toContain('edit_refused');
  expect(recorded).not.toContain('edit_unknown');
  expect(made.givenBack).toHaveLength(1);
});

test('an edit refused with 11054 is followed by a query, which finds the order that the refusal cancelled', async () => {
  const refusedOnce = { code: 11_054, later: false };
  let isOver = false;
  const made = await stage((method, { venue }) => {
    if (method !== 'edit' || isOver) return undefined;
    isOver = true;
    // Nobody reports the cancellation.
    venue.carry = () => undefined;
    for (const { order } of venue.kept) venue.strike(order.label);
    return refusedOnce;
  });
  expect(kinds(made).slice(0, 5)).toEqual([
    'child_intended',
    'child_live',
    'edit_intended',
    'edit_refused',
    'child_closed',
  ]);
});

test('an edit whose answer is lost is recorded as unknown and keeps its room', async () => {
  const made = await stage((method) => (method === 'edit' ? 'lose_reply' : undefined));
  expect(kinds(made)).toContain('edit_unknown');
  expect(kinds(made)).not.toContain('edit_refused');
  expect(made.answers).toContain('edit unknown');
  expect(made.givenBack).toEqual([]);
});

test('an order without market-maker protection that is refused for a trigger is refused for good', async () => {
  const { w } = await stage((method) =>
    method === 'place' ? { code: MMP_TRIGGER, later: false } : undefined,
  );
  const rejected = w.observer.events.filter((event) => event.kind === 'child_rejected');
  expect(rejected[0]).toMatchObject({ code: MMP_TRIGGER, retry: false });
});
