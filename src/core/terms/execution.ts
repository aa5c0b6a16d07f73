// How slices are worked: every option, what it is off, and what it means. An option that is absent
// costs nothing and changes nothing, so that what was stored without it folds as it always did.
import { type Price, type Ratio, ratio } from '../../values/amounts.ts';

/**
 * `cancel`  leave the residual
 * `market`  one more slice through the opposite side, as far as the collar
 * `sweep`   the same, but never further from the mark than `endCapBps`
 * `extend`  go on in slices of the same size for at most `extendMs`
 * `rfq`     ask for it as one Block RFQ, see {@link EndRfq}
 */
export type EndAction = 'cancel' | 'market' | 'sweep' | 'extend' | 'rfq';

/** How the residual is asked for as a Block RFQ. The legs as they are listed are the structure that is bought. */
export interface EndRfq {
  /** Worst price, in basis points of what the legs are worth together; this or `limitPrice`. */
  readonly limitBps?: number | undefined;
  /** What `limitBps` counts from. */
  readonly reference: 'mark' | 'model';
  /** Worst price of the one leg, in its currency. */
  readonly limitPrice?: Price | undefined;
  /** Quotes are gathered for this long before the best one is taken. */
  readonly collectMs: number;
  /** From the end of the schedule; then the RFQ is taken back. */
  readonly waitMs: number;
  /** Only what one maker offers for the whole, not what several offer together. */
  readonly wholeOnly: boolean;
  /** Aliases; empty for all. */
  readonly makers: readonly string[];
  readonly disclosed: boolean;
  /** What becomes of what the RFQ leaves. */
  readonly fallback: 'cancel' | 'market' | 'sweep';
}

/** Small deviations from an even schedule, drawn from the seed: the same seed is the same plan. */
export interface Randomise {
  /** A slice deviates from its even size by at most this share of it, in [0, 1). */
  readonly size: number;
  /** A slice is due later by at most this share of what is left of its interval, in [0, 1). */
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

/** A price so good that more than the schedule asks for is taken. */
export interface WouldPrice {
  readonly leg: number;
  /** In the instrument's currency: at most this for a buy, at least this for a sell. */
  readonly price: Price;
  /** Of what is left of the leg, how much one look may take, in (0, 1]. */
  readonly share: number;
}

/** A window of each day in UTC, in milliseconds after midnight; one that ends before it begins spans midnight. */
export interface DailyWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How slices are worked. The first four always have a value; the rest is off where it is absent. */
export interface Execution {
  /** Shifts every slice by this share of its interval, in [0, 1). */
  readonly phase: number;
  /** Largest slice as a multiple of the planned one, while catching up. At least 1. */
  readonly maxCatchUp: number;
  /** What becomes of the residual when the time is over. */
  readonly endAction: EndAction;
  /** How far through the opposite price a marketable child may reach, as a fraction. */
  readonly collar: Ratio;
  /** What is behind is spread over the slices left, or asked for at once. Absent: spread. */
  readonly catchUp?: 'spread' | 'front' | undefined;
  /** Where on the straight line a slice brings its leg: to the end or to the middle of its time. Absent: end. */
  readonly aim?: 'end' | 'middle' | undefined;
  /** What becomes of slices nobody was there for. Absent: caught up. */
  readonly downtime?: 'catch_up' | 'skip' | undefined;
  readonly randomise?: Randomise | undefined;
  /** Children are priced at most this much worse than the mid at which their slice began. */
  readonly slippageMaxBps?: number | undefined;
  /** Nothing is placed while ask − bid is more than this share of the mid. */
  readonly spreadMaxBps?: number | undefined;
  /** Options: nothing is placed while ask and bid are further apart, in points of volatility. */
  readonly spreadMaxVol?: number | undefined;
  /** Children are priced at most this much worse than the mark. */
  readonly bandBps?: number | undefined;
  /** A leg's part of what trades in its instrument from its first slice on, in (0, 1]. */
  readonly participationMax?: number | undefined;
  /** Ascending, the first from 0. */
  readonly escalation?: readonly EscalationStep[] | undefined;
  readonly would?: readonly WouldPrice[] | undefined;
  /** Nothing is placed or left resting in these. */
  readonly quiet?: readonly DailyWindow[] | undefined;
  /** Present exactly with `rfq`. */
  readonly rfq?: EndRfq | undefined;
  /** With `sweep`: how far from the mark, in basis points. */
  readonly endCapBps?: number | undefined;
  /** With `extend`: for how long at most. */
  readonly extendMs?: number | undefined;
  /** Group of market-maker protection that the children count in and stop for. */
  readonly mmpGroup?: string | undefined;
}

/** What becomes of a part that has begun to fill and is not done when its time is up. */
export type PartTimeout = 'chase' | 'keep';

/** The options as they were asked for, nothing checked and nothing filled in. */
export interface ExecutionForm extends Partial<Omit<Execution, 'quiet' | 'randomise' | 'rfq'>> {
  readonly rfq?: { readonly [K in keyof EndRfq]?: EndRfq[K] | undefined } | undefined;
  readonly randomSize?: number | undefined;
  readonly randomTime?: number | undefined;
  readonly seed?: string | undefined;
  /** Keep out of the windows that the venue is configured with. */
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
