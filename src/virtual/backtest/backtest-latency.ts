// The latency of a backtest: fixed, or drawn from a range, the same for the same seed.
import type { DrawnLatency, Latency } from '../../adapters/paper/request-line.ts';
import { type Instant, instant } from '../../values/instant.ts';
import { hash32 } from '../../values/rng.ts';

export interface BacktestLatency {
  /** Milliseconds from request to answer. */
  readonly minMs: number;
  readonly maxMs: number;
  readonly seed: string;
}

/** What a line takes stays the same for as long: delays of one connection come in spells. */
const SPELL_MS = 100;
const HASHES = 2 ** 32;
/** The draws that are kept: requests and answers of one instant, and those before and after, request the same few. */
const KEPT = 16;

/**
 * A fixed number where the range has one; otherwise a draw for each tenth of a second and each of the two ways, whose logarithm is
 * uniform: half of them are below the geometric mean of the bounds, while some take several times as long.
 */
export function drawnLatency({ minMs, maxMs, seed }: BacktestLatency): Latency {
  if (minMs === maxMs) return minMs;
  // Shifted by one, so that the range may begin at nothing.
  const [low, high] = [minMs + 1, maxMs + 1];
  const wayOf = (direction: string): ((spell: number) => number) => {
    const start = hash32(`${seed}/latency/${direction}`);
    const draw = (spell: number): number =>
      (low * (high / low) ** (hash32(String(spell), start) / HASHES) - 1) / 2;
    const keptOf: number[] = [];
    const kept: number[] = [];
    return (spell) => {
      const place = spell % KEPT;
      const known = kept[place];
      if (known !== undefined && keptOf[place] === spell) return known;
      const drawn = draw(spell);
      keptOf[place] = spell;
      kept[place] = drawn;
      return drawn;
    };
  };
  const arrivalBy = (way: (spell: number) => number): DrawnLatency['arrival'] => {
    // A spell can delay what is sent in the next ones: nothing overtakes.
    const spells = Math.ceil(maxMs / 2 / SPELL_MS);
    return (sentAt: Instant) => {
      const spell = Math.floor(sentAt / SPELL_MS);
      let arrivesAt = sentAt + way(spell);
      for (let before = spell - spells; before < spell; before += 1) {
        arrivesAt = Math.max(arrivesAt, (before + 1) * SPELL_MS - 1 + way(before));
      }
      return instant(Math.round(arrivesAt));
    };
  };
  return { arrival: arrivalBy(wayOf('there')), answer: arrivalBy(wayOf('back')) };
}
