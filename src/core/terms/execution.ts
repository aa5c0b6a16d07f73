// The execution options: their meaning and their default. An absent option costs nothing and changes nothing, so that
// records stored without it fold as before.
import { type Price, type Ratio, ratio } from '../../values/amounts.ts';

/**
 * `cancel`  leave the residual
 * `market`  one more slice through the opposite side, as far as the collar
 * `sweep`   the same, but never further from the mark price than `endCapBps`
 * `extend`  continue in slices of the same size for at most `extendMs`
 * `rfq`     request quotes for it as one Block RFQ, see {@link EndRfq}
 */
export type EndAction = 'cancel' | 'market' | 'sweep' | 'extend' | 'rfq';

/** The terms of the residual RFQ. The legs as listed are the structure that is bought. */
export interface EndRfq {
  /** Worst price, in basis points of the combined value of the legs; this or `limitPrice`. */
  readonly limitBps?: number | undefined;
  /** The reference of `limitBps`. */
  readonly reference: 'mark' | 'model';
  /** Worst price of the single leg, in its currency. */
  readonly limitPrice?: Price | undefined;
  /** Quotes are collected for this long before the best one is accepted. */
  readonly collectMs: number;
  /** Counted from the end of the schedule; then the RFQ is cancelled. */
  readonly waitMs: number;
  /** Accept only what one maker offers for the whole, not what several offer together. */
  readonly wholeOnly: boolean;
  /** Aliases of the requested makers; empty for all. */
  readonly makers: readonly string[];
  readonly disclosed: boolean;
  /** End action for the quantity the RFQ leaves. */
  readonly fallback: 'cancel' | 'market' | 'sweep';
}

/** Small random deviations from an even schedule, drawn from the seed: the same seed gives the same plan. */
export interface Randomise {
  /** A slice deviates from its even size by at most this share of it, in [0, 1). */
  readonly size: number;
  /** A slice is delayed by at most this share of what is left of its interval, in [0, 1). */
  readonly time: number;
  readonly seed: string;
}

/**
 * `post`    rest at the best price of the own side and stay there
 * `rejoin`  follow the best price of the own side
 * `mid`     follow the midpoint
 * `cross`   take from the opposite side, as far as the collar
 */
export type EscalationManner = 'post' | 'rejoin' | 'mid' | 'cross';

export interface EscalationStep {
  /** Share of the slice's time after which the step begins, in [0, 1). */
  readonly from: number;
  readonly manner: EscalationManner;
}

/** A price good enough to take more than the schedule requires. */
export interface WouldPrice {
  readonly leg: number;
  /** In the instrument's currency: at most this for a buy, at least this for a sell. */
  readonly price: Price;
  /** Share of the leg's remaining quantity that one check may take, in (0, 1]. */
  readonly share: number;
}

/** A daily window in UTC, in milliseconds after midnight; one that ends before it starts spans midnight. */
export interface DailyWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The execution options. The first four always have a value; an absent option is off. */
export interface Execution {
  /** Shifts every slice by this share of its interval, in [0, 1). */
  readonly phase: number;
  /** Largest slice as a multiple of the planned one, while catching up. At least 1. */
  readonly maxCatchUp: number;
  /** What happens to the residual when the time is up. */
  readonly endAction: EndAction;
  /** How far through the opposite price a marketable child may reach, as a fraction. */
  readonly collar: Ratio;
  /** Whether the backlog is spread over the remaining slices or requested at once. Absent: spread. */
  readonly catchUp?: 'spread' | 'front' | undefined;
  /** The point of the straight line that a slice brings its leg to: end or middle of its time. Absent: end. */
  readonly aim?: 'end' | 'middle' | undefined;
  /** What happens to slices missed during downtime. Absent: caught up. */
  readonly downtime?: 'catch_up' | 'skip' | undefined;
  readonly randomise?: Randomise | undefined;
  /** Children are priced at most this much worse than the mid at the start of their slice. */
  readonly slippageMaxBps?: number | undefined;
  /** Nothing is placed while ask − bid is more than this share of the mid. */
  readonly spreadMaxBps?: number | undefined;
  /** Options: nothing is placed while ask and bid are further apart than this, in volatility points. */
  readonly spreadMaxVol?: number | undefined;
  /** Children are priced at most this much worse than the mark price. */
  readonly bandBps?: number | undefined;
  /** Maximum share of the volume traded in the leg's instrument since its first slice, in (0, 1]. */
  readonly participationMax?: number | undefined;
  /** Ascending by `from`, starting at 0. */
  readonly escalation?: readonly EscalationStep[] | undefined;
  readonly would?: readonly WouldPrice[] | undefined;
  /** Blackout windows: nothing is placed or left resting in them. */
  readonly quiet?: readonly DailyWindow[] | undefined;
  /** Present exactly if the end action is `rfq`. */
  readonly rfq?: EndRfq | undefined;
  /** With `sweep`: largest distance from the mark price, in basis points. */
  readonly endCapBps?: number | undefined;
  /** With `extend`: the longest extension. */
  readonly extendMs?: number | undefined;
  /** Group of market-maker protection in which the children count and for which they stop. */
  readonly mmpGroup?: string | undefined;
}

/** What happens to a part that has started to fill and is not done when its time is up. */
export type PartTimeout = 'chase' | 'keep';

/** The options as requested, neither checked nor completed with defaults. */
export interface ExecutionForm extends Partial<Omit<Execution, 'quiet' | 'randomise' | 'rfq'>> {
  readonly rfq?: { readonly [K in keyof EndRfq]?: EndRfq[K] | undefined } | undefined;
  readonly randomSize?: number | undefined;
  readonly randomTime?: number | undefined;
  readonly seed?: string | undefined;
  /** Avoid the windows configured for the venue. */
  readonly avoidWindows?: boolean | undefined;
  /** BALANCE only. Absent: chase. */
  readonly partTimeout?: PartTimeout | undefined;
}

export const DEFAULT_EXECUTION: Execution = {
  phase: 0,
  maxCatchUp: 3,
  endAction: 'cancel',
  collar: ratio('0.01'),
};
