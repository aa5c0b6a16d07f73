// When output for people is coloured.
import { expect, test } from 'vitest';
import { areColorsWanted } from '../../../src/main/commands/terminal/paint.ts';

test.each([
  ['on a terminal colours are used', {}, true, true],
  ['in a pipe no colours are used', {}, undefined, false],
  ['in a pipe under CI no colours are used', { CI: 'true' }, undefined, false],
  ['NO_COLOR turns colours off on a terminal', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR changes nothing', { NO_COLOR: '' }, true, true],
  ['NO_COLOR wins over FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ['FORCE_COLOR turns colours on in a pipe', { FORCE_COLOR: '1' }, false, true],
  ['a dumb terminal gets no colours', { TERM: 'dumb' }, true, false],
])('%s', (_title, environment, isTerminal, wanted) => {
  expect(areColorsWanted(environment, isTerminal)).toBe(wanted);
});
