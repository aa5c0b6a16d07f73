// Checks that the daemon's memory stays flat: within each life that is long enough, it holds little more at the end
// than after its warm-up.
import type { DaemonLife } from './house.ts';

/** The minimum number of samples of a life to be checked: shorter lives are still warming up. */
const SAMPLES_MIN = 60;
/** The first share of a life is its warm-up. */
const WARM_UP = 0.4;
const WINDOW = 0.2;
/** Uncollected garbage comes and goes. */
const SLACK_MB = 96;
const GROWTH_MAX = 1.35;

export function memoryFaults(lives: readonly DaemonLife[]): string[] {
  return lives.flatMap(({ samples }, index) => {
    if (samples.length < SAMPLES_MIN) return [];
    const length = Math.ceil(samples.length * WINDOW);
    const from = Math.floor(samples.length * WARM_UP);
    const warm = median(samples.slice(from, from + length));
    const end = median(samples.slice(-length));
    return end <= warm * GROWTH_MAX + SLACK_MB
      ? []
      : [`life ${index}: ${Math.round(warm)} MB when warm, ${Math.round(end)} MB at its end`];
  });
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
