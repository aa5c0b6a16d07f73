// When an overload begins and ends, stated over whole sequences of samples and judged by their runs.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LoadSample, nextLoad, UNLOADED } from '../../../src/engine/overload/load-state.ts';

const CALM: LoadSample = { lagMs: 50, lateMs: 250 };
const LAGS: LoadSample = { lagMs: 101, lateMs: 0 };
const LATE: LoadSample = { lagMs: 0, lateMs: 1_001 };
const BETWEEN: LoadSample = { lagMs: 100, lateMs: 1_000 };

const course = (samples: readonly LoadSample[]): readonly boolean[] => {
  let state = UNLOADED;
  return samples.map((sample) => {
    state = nextLoad(state, sample);
    return state.isOverloaded;
  });
};

const times = (count: number, sample: LoadSample): readonly LoadSample[] =>
  Array.from({ length: count }, () => sample);

describe('when an overload begins and ends', () => {
  it.each([
    ['lag', LAGS],
    ['late slices', LATE],
  ])('an overload begins with the fourth sample in a row that shows %s', (_what, sample) => {
    expect(course(times(4, sample))).toEqual([false, false, false, true]);
  });

  it('no overload begins if three full samples are followed by one that is not', () => {
    expect(course([...times(3, LAGS), BETWEEN, ...times(3, LATE)])).not.toContain(true);
  });

  it('an overload ends with the eighth calm sample in a row', () => {
    const ends = course([...times(4, LATE), ...times(8, CALM)]).slice(4);
    expect(ends).toEqual([...Array(7).fill(true), false]);
  });

  it('an overload continues while samples are neither full nor calm', () => {
    const samples = [...times(4, LAGS), ...times(7, CALM), BETWEEN, ...times(7, CALM)];
    expect(course(samples).at(-1)).toBe(true);
  });

  it('the state changes at most once in a second, and only after a run of samples that all say so', () => {
    const sample = fc.constantFrom(CALM, LAGS, LATE, BETWEEN);
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 80, size: 'max' }), (samples) => {
        const states = course(samples);
        for (const [index, isOverloaded] of states.entries()) {
          if (isOverloaded === (states[index - 1] ?? false)) continue;
          const run = samples.slice(index - (isOverloaded ? 3 : 7), index + 1);
          expect(run).toHaveLength(isOverloaded ? 4 : 8);
          for (const one of run) {
            expect(isOverloaded ? [LAGS, LATE] : [CALM]).toContain(one);
          }
        }
      }),
    );
  });
});
