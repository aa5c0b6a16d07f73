// The number of objects an engine keeps in memory; each is bounded by the open work and pending requests
// (docs/invariants.md, I20).

export interface EngineStats {
  /** Portfolios in memory. */
  readonly portfolios: number;
  /** Of these: not ended, or with a turn running. */
  readonly open: number;
  /** Of these: ended, and kept for late notices. */
  readonly retired: number;
  /** Owned and not in memory. */
  readonly resting: number;
  /** Requests of clients waiting for the turn after the running one. */
  readonly requests: number;
  /** Other commands waiting for it. */
  readonly commands: number;
  /** Portfolios with an alarm. */
  readonly alarms: number;
  /** Portfolios with subscribed quotes. */
  readonly watched: number;
  /** Intents in progress: sent without a reply yet, or waiting for their instant. */
  readonly underWay: number;
  /** Children being queried, or queried within the last half second. */
  readonly asking: number;
  /** Notices waiting for the reply that they preceded. */
  readonly notices: number;
}
