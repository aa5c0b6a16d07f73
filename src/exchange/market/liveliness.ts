// How the takers of a market follow its variance.

/** The fraction of potential takers that arrive: `usual` at the usual variance, times a power of the variance relative to it. */
export interface Liveliness {
  /** Whether they follow the variance of hours or of minutes. */
  readonly of: 'hours' | 'minutes';
  readonly usual: number;
  readonly power: number;
  /** Bounds of the factor. */
  readonly least: number;
  readonly most: number;
}
