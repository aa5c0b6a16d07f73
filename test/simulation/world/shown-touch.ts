// What the simulated market has shown of one book.
import type { Instant } from '../../../src/values/instant.ts';

/** Best prices shown from an instant on, in ticks; a side that was empty is absent. */
export interface ShownTouch {
  readonly at: Instant;
  readonly bid: number | undefined;
  readonly ask: number | undefined;
  readonly mark: number;
  /** From the best level to the next: what users took from the best stays taken. */
  readonly unit: number;
  /** More than anybody of a run could take. */
  readonly isDeep: boolean;
  /** A side that was shown has been taken out since. */
  isDrained: boolean;
  /** What options are valued on, and the volatility of the mark; 0 of anything else. */
  readonly forward: number;
  readonly markIv: number;
}
