// How long a mistake of the program is a reason not to be ready, and how many are.
import { expect, test } from 'vitest';
import { ProgrammingErrors } from '../../../src/adapters/telemetry/observer/programming-errors.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';

const reason = (what: string, times: string): string =>
  `programming error: ${what}, ${times}; the log has its stack`;

function stage() {
  const clock = { ms: 0 };
  return { clock, errors: new ProgrammingErrors(() => clock.ms) };
}

test('a reason stays for ten minutes after the last time, and counts how often', () => {
  const { clock, errors } = stage();
  errors.note('queue.schedule', new RangeError('x'));
  clock.ms = 500_000;
  expect(errors.reasons()).toEqual([reason('RangeError in queue.schedule', 'once')]);
  errors.note('queue.schedule', new RangeError('y'));
  clock.ms = 1_100_000;
  expect(errors.reasons()).toEqual([reason('RangeError in queue.schedule', '2 times')]);
  clock.ms = 1_100_001;
  expect(errors.reasons()).toEqual([]);
});

test('a reason names the mistake that others wrap, and not its message', () => {
  const { errors } = stage();
  errors.note('ledger', new LedgerFailure('away', true, new TypeError('secret')));
  expect(errors.reasons()).toEqual([reason('TypeError in ledger', 'once')]);
});

test('of more than twenty places the one seen longest ago is left out', () => {
  const { errors } = stage();
  for (let place = 0; place <= 20; place += 1) errors.note(`place${place}`, new TypeError('x'));
  expect(errors.reasons()).toHaveLength(20);
  expect(errors.reasons()[0]).toBe(reason('TypeError in place1', 'once'));
});
