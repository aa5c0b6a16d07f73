// Settings of the core's decisions, set by a deployment's configuration.
import type { Money } from '../../values/amounts.ts';
import type { DeploymentId } from '../../values/ids.ts';

export interface Settings {
  readonly deployment: DeploymentId;
  /** How long before its due time a slice is decided, as of that time; it is sent when due. */
  readonly armMs: number;
  /** A request expires at the venue after this long. */
  readonly validForMs: number;
  /** Bound on the difference between the venue's clock and ours. */
  readonly skewMs: number;
  /** Bound on how late an accepted order appears in the venue's queries. */
  readonly readLagMs: number;
  /** A cancel without effect is retried after this. */
  readonly cancelRetryMs: number;
  /** Pause after a refusal or an unfilled immediate child, before the slice tries again. */
  readonly retryMs: number;
  /** Number of children that one slice may try. */
  readonly attemptsMax: number;
  /** Older quotes are not used as a reference. */
  readonly quoteAgeMaxMs: number;
  /** How long the end action may take. */
  readonly endGraceMs: number;
  /** After a downtime across the end, the end action is still performed if noticed within this. */
  readonly endLateMaxMs: number;
  /** Resting children are cancelled this share of the slice before its end, at most `guardMaxMs`. */
  readonly guardShare: number;
  readonly guardMaxMs: number;
  /** Largest single child order in USD; absent = no limit. */
  readonly orderUsdMax?: Money | undefined;
  /** Largest leg of a Block RFQ, a quote or an accept in USD; absent = no limit. */
  readonly blockUsdMax?: Money | undefined;
}

export const DEFAULT_SETTINGS: Omit<Settings, 'deployment'> = {
  armMs: 0,
  validForMs: 2_000,
  skewMs: 5_000,
  readLagMs: 5_000,
  cancelRetryMs: 2_000,
  retryMs: 1_000,
  attemptsMax: 20,
  quoteAgeMaxMs: 10_000,
  endGraceMs: 10_000,
  endLateMaxMs: 900_000,
  guardShare: 0.02,
  guardMaxMs: 1_000,
};
