// A portfolio that a person has paused already, and that a control pauses too.
import { expect, test } from 'vitest';
import { CONTROL_ACTOR } from '../../../src/core/risk/gate/repeated-execution.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { form } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();

function pausedBy(...uids: readonly string[]): CoreDesk {
  const desk = new CoreDesk(form({ execution: {} }), [PERP]);
  desk.quotes.set(PERP.name, quote(PERP, [99_999.5, 100_000]));
  for (const [index, by] of uids.entries()) {
    desk.run({ kind: 'pause', now: later(NOON, 10 * (index + 1)), by });
  }
  return desk;
}

const pauses = ({ events }: CoreDesk): readonly string[] =>
  events.flatMap((event) => (event.kind === 'paused' ? [event.by] : []));

test('a control that pauses a portfolio which a person has paused is recorded, once', () => {
  const desk = pausedBy('7', CONTROL_ACTOR.uid, CONTROL_ACTOR.uid);
  expect(pauses(desk)).toEqual(['7', CONTROL_ACTOR.uid]);
  expect(desk.state.paused).toEqual({ by: CONTROL_ACTOR.uid, at: later(NOON, 20) });
});

test('a person who pauses what a control or another person has paused adds nothing', () => {
  expect(pauses(pausedBy(CONTROL_ACTOR.uid, '7'))).toEqual([CONTROL_ACTOR.uid]);
  expect(pauses(pausedBy('7', '8'))).toEqual(['7']);
});

test('one resume ends the pauses of a person and of a control', () => {
  const desk = pausedBy('7', CONTROL_ACTOR.uid);
  desk.run({ kind: 'resume', now: later(NOON, 30), by: '7' });
  expect(desk.state.paused).toBeUndefined();
});

test.each([
  ['before it was resumed', 29, undefined],
  ['in the millisecond in which it was resumed', 30, undefined],
  ['after it was resumed', 31, CONTROL_ACTOR.uid],
])(
  'a control pauses for what happened %s: %s ms after noon, it is paused by %s',
  (_when, ms, by) => {
    const desk = pausedBy('7');
    desk.run({ kind: 'resume', now: later(NOON, 30), by: '7' });
    const about = later(NOON, ms);
    desk.run({ kind: 'pause', now: later(NOON, 40), by: CONTROL_ACTOR.uid, about });
    expect(desk.state.paused?.by).toBe(by);
  },
);
