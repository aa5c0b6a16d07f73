// What an engine keeps in memory, counted: each number is bounded by what is open and what is asked of it
// (docs/invariants.md, I20).

export interface EngineStats {
  /** Portfolios in memory. */
  readonly portfolios: number;
  /** Of them: not over, or a turn of it runs. */
  readonly open: number;
  /** Of them: over, and kept for late notices. */
  readonly retired: number;
  /** Commands that wait for the turn after the one that runs. */
  readonly commands: number;
  /** Portfolios with an alarm. */
  readonly alarms: number;
  /** Portfolios whose quotes are kept fresh. */
  readonly watched: number;
  /** Intents under way: sent and not answered, or waiting for their instant. */
  readonly underWay: number;
  /** Children that are asked about, or were half a second ago. */
  readonly asking: number;
  /** Notices that wait for the answer they came ahead of. */
  readonly notices: number;
}
