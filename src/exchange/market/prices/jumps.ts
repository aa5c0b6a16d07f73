// Sudden moves of an index: rare, drawn per hour, half reversed within a day. Only the last days matter, so
// the sum is bounded work however long the market was not read.
import { HOUR_MS } from '../../../values/instant.ts';
import { JUMPS } from '../market-parameters.ts';
import { type NoiseSeed, normalAt, uniformAt } from './noise.ts';

/** After this time a jump's remaining effect is less than a hundredth of a basis point. */
const REMEMBERED_HOURS = 96;

interface Jump {
  readonly atMs: number;
  readonly size: number;
}

/**
 * The sum of the remaining effects of all jumps at an instant, in log price. Processes of one `seed` jump at
 * the same instants; `sizeAt` returns the size in standard deviations at an address.
 */
export function jumpProcess(
  seed: NoiseSeed,
  sizeAt: (address: number) => number = (address) => normalAt(seed ^ 0x2545f491, address),
): (atMs: number) => number {
  let hourOfList = Number.NaN;
  let jumps: readonly Jump[] = [];
  return (atMs) => {
    const hour = Math.floor(atMs / HOUR_MS);
    if (hour !== hourOfList) {
      jumps = jumpsUpTo(hour, seed, sizeAt);
      hourOfList = hour;
    }
    let total = 0;
    for (const jump of jumps) {
      if (jump.atMs <= atMs) total += jump.size * 2 ** (-(atMs - jump.atMs) / JUMPS.halfLifeMs);
    }
    return total;
  };
}

function jumpsUpTo(
  hour: number,
  seed: NoiseSeed,
  sizeAt: (address: number) => number,
): readonly Jump[] {
  const found: Jump[] = [];
  for (let at = hour - REMEMBERED_HOURS; at <= hour; at += 1) {
    const draw = uniformAt(seed, at);
    if (draw >= JUMPS.chancePerHour) continue;
    found.push({
      atMs: (at + draw / JUMPS.chancePerHour) * HOUR_MS,
      size: JUMPS.size * sizeAt(at),
    });
  }
  return found;
}
