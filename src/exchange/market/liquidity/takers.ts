// The takers of one book: they arrive in clusters, because one trade triggers others, tend to stay on one
// side for a while, and vary widely in size. The potential arrivals depend on the seed alone.
//
// Source: the self-exciting process of A. Hawkes (1971) in its equivalent form as a cluster process: initial
// arrivals are independent, each draws followers, and these draw followers in turn.
import { SECOND_MS } from '../../../values/instant.ts';
import { TAKER_CLUSTERS } from '../market-parameters.ts';
import { drift, type NoiseSeed, normalAt, uniformAt } from '../prices/noise.ts';
import type { ClusterSize, SizeSpread } from './liquidity.ts';

/** A potential taker; whether it trades depends on how active the market is then. */
export interface Arrival {
  readonly atMs: number;
  /** 1 buys, −1 sells. */
  readonly sign: 1 | -1;
  /** In multiples of the median. */
  readonly size: number;
  /** Uniform in (0, 1), the same for a whole cluster: it trades if the market's activity exceeds this value. */
  readonly reserve: number;
}

export interface TakerFlow {
  /** The arrivals between two instants (epoch milliseconds, the first included), in order. */
  between(fromMs: number, untilMs: number): readonly Arrival[];
  /** No taker arrives from `fromMs` until this instant; at most a few seconds later, as far as is known. */
  quietUntil(fromMs: number): number;
  /**
   * Sizes bought less sizes sold by the takers that traded at `liveliness`; the latest count in full, and
   * their weight fades to zero within {@link PRESSURE_MS}.
   */
  pressure(atMs: number, liveliness: number): number;
}

export interface TakerTraits {
  /** Arrivals per second at maximum activity. */
  readonly perSecond: number;
  /** Of the logarithm of a size. */
  readonly sizeSpread: SizeSpread;
  /** The share of followers that stay on the side of the one they follow. */
  readonly sameSide: number;
  readonly clusters: ClusterSize;
  /** How much the share of clusters that buy moves around a half. */
  readonly sideMood: number;
}

export const PRESSURE_MS = 96 * SECOND_MS;
const BLOCK_MS = 16 * SECOND_MS;
/** The last follower arrives at most this long after the initial arrival. */
const CLUSTER_MS = 64 * SECOND_MS;
const BLOCKS = (CLUSTER_MS + PRESSURE_MS) / BLOCK_MS;
export function takerFlow(seed: NoiseSeed, traits: TakerTraits): TakerFlow {
  const mood = drift(seed ^ 0x1f83d9ab, TAKER_CLUSTERS.moodMs);
  const blocks = new Map<number, readonly Arrival[]>();
  let latest = Number.NaN;
  let seen: readonly Arrival[] = [];

  /** The arrivals of the block of `atMs` and of earlier blocks that still matter. */
  const around = (atMs: number): readonly Arrival[] => {
    const block = Math.floor(atMs / BLOCK_MS);
    if (block === latest) return seen;
    for (const known of blocks.keys()) {
      if (known > block || known < block - BLOCKS) blocks.delete(known);
    }
    for (let each = block - BLOCKS; each <= block; each += 1) {
      if (!blocks.has(each)) blocks.set(each, clustersOf(each, { seed, traits, mood }));
    }
    seen = [...blocks.values()].flat().sort((a, b) => a.atMs - b.atMs);
    latest = block;
    return seen;
  };

  return {
    between: (fromMs, untilMs) =>
      around(untilMs).filter(({ atMs }) => atMs >= fromMs && atMs < untilMs),
    quietUntil(fromMs) {
      const next = around(fromMs).find(({ atMs }) => atMs >= fromMs);
      const end = (Math.floor(fromMs / BLOCK_MS) + 1) * BLOCK_MS;
      return Math.min(next?.atMs ?? end, end);
    },
    pressure(atMs, liveliness) {
      let total = 0;
      for (const arrival of around(atMs)) {
        const age = atMs - arrival.atMs;
        if (age < 0) break;
        if (age >= PRESSURE_MS || arrival.reserve >= liveliness) continue;
        total += arrival.sign * arrival.size * (1 - age / PRESSURE_MS);
      }
      return total;
    },
  };
}

type Mover = Omit<Arrival, 'size'>;

interface Source {
  readonly seed: NoiseSeed;
  readonly traits: TakerTraits;
  readonly mood: (atMs: number) => number;
}

/** The initial arrivals of a block with all their followers. */
function clustersOf(block: number, { seed, traits, mood }: Source): readonly Arrival[] {
  const expected = (traits.perSecond * BLOCK_MS) / (traits.clusters.mean * SECOND_MS);
  const first = poisson(uniformAt(seed, block), expected, TAKER_CLUSTERS.firstMax);
  const arrivals: Arrival[] = [];
  for (let number = 0; number < first; number += 1) {
    const address = (block * TAKER_CLUSTERS.firstMax + number) * TAKER_CLUSTERS.clusterMax;
    const atMs = (block + uniformAt(seed ^ 0x5be0cd19, address)) * BLOCK_MS;
    const buys =
      uniformAt(seed ^ 0x2b3e6c1f, address) < 0.5 + traits.sideMood * Math.tanh(mood(atMs));
    const reserve = uniformAt(seed ^ 0x3c6ef372, address);
    addCluster(arrivals, { atMs, sign: buys ? 1 : -1, reserve }, { seed, address, traits });
  }
  return arrivals;
}

function addCluster(
  arrivals: Arrival[],
  first: Mover,
  of: { readonly seed: NoiseSeed; readonly address: number; readonly traits: TakerTraits },
): void {
  const { seed, traits } = of;
  const waiting = [first];
  for (let number = 0; number < Math.min(waiting.length, TAKER_CLUSTERS.clusterMax); number += 1) {
    const each = waiting[number] ?? first;
    const address = of.address + number;
    const deviation = Math.min(
      TAKER_CLUSTERS.sizeDeviationsMax,
      normalAt(seed ^ 0x510e527f, address),
    );
    const { below, above } = traits.sizeSpread;
    const spread = deviation < 0 ? below : above;
    arrivals.push({ ...each, size: Math.exp(spread * deviation) });
    const followers = poisson(
      uniformAt(seed ^ 0x71374491, address),
      traits.clusters.followers,
      TAKER_CLUSTERS.followersMax,
    );
    for (let follower = 0; follower < followers; follower += 1) {
      const next = followerOf(each, of, address * TAKER_CLUSTERS.followersMax + follower);
      if (next.atMs < first.atMs + CLUSTER_MS) waiting.push(next);
    }
  }
}

function followerOf(
  leader: Mover,
  { seed, traits }: Pick<Source, 'seed' | 'traits'>,
  address: number,
): Mover {
  const mean =
    uniformAt(seed ^ 0x0fc19dc6, address) < TAKER_CLUSTERS.quickShare
      ? TAKER_CLUSTERS.quickMs
      : TAKER_CLUSTERS.slowMs;
  const delay = -mean * Math.log(uniformAt(seed ^ 0x240ca1cc, address));
  const keeps = uniformAt(seed ^ 0x2de92c6f, address) < traits.sameSide;
  const sign = keeps ? leader.sign : leader.sign === 1 ? -1 : 1;
  return { atMs: leader.atMs + delay, sign, reserve: leader.reserve };
}

/** The Poisson count for a uniform draw, at most `max`. */
function poisson(draw: number, expected: number, max: number): number {
  let chance = Math.exp(-expected);
  let total = chance;
  let count = 0;
  while (draw > total && count < max) {
    count += 1;
    chance *= expected / count;
    total += chance;
  }
  return count;
}
