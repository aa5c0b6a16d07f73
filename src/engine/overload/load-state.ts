// Whether this process has more to do than it can, judged from one sample after another. One slow moment, such as a
// collection or a stalled disk, is no overload, and an overload ends only after a calm time, so that it does not flap.

/** What was seen since the sample before. */
export interface LoadSample {
  /** By how much this sample came too late: how long whatever was due had to wait for its turn. */
  readonly lagMs: number;
  /** By how much the latest of the slices was decided too late, from its due instant until it was stored; 0 if none was. */
  readonly lateMs: number;
}

export interface LoadState {
  readonly isOverloaded: boolean;
  /** Samples in a row that contradict it. */
  readonly against: number;
}

export const UNLOADED: LoadState = { isOverloaded: false, against: 0 };

/** The distance between two samples. */
export const SAMPLE_MS = 250;
const FULL = { lagMs: 100, lateMs: 1_000 };
export const CALM = { lagMs: 50, lateMs: 250 };
/** An overload begins after a second of samples that are full, and ends after two seconds of calm ones. */
const BEGINS_AFTER = 4;
const ENDS_AFTER = 8;

/** The state after another sample. */
export function nextLoad({ isOverloaded, against }: LoadState, sample: LoadSample): LoadState {
  const isAgainst = isOverloaded ? isCalm(sample) : isFull(sample);
  const count = isAgainst ? against + 1 : 0;
  return count < (isOverloaded ? ENDS_AFTER : BEGINS_AFTER)
    ? { isOverloaded, against: count }
    : { isOverloaded: !isOverloaded, against: 0 };
}

const isFull = ({ lagMs, lateMs }: LoadSample): boolean =>
  lagMs > FULL.lagMs || lateMs > FULL.lateMs;

const isCalm = ({ lagMs, lateMs }: LoadSample): boolean =>
  lagMs <= CALM.lagMs && lateMs <= CALM.lateMs;
