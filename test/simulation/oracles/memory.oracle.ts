// I20, checked at every event: a daemon's memory is bounded by its open work and requests,
// and once every portfolio has ended it keeps only the last few.
import type { EngineStats } from '../../../src/engine/turns/engine-stats.ts';
import { REQUESTS_WAITING_MAX } from '../../../src/engine/turns/waiting-requests.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';

/** What waits in one daemon at most, whatever goes wrong with the few portfolios of a run. */
const WAITING_MAX = {
  commands: 100,
  underWay: 40,
  asking: 40,
  notices: 40,
} as const satisfies Partial<EngineStats>;

type Waiting = keyof typeof WAITING_MAX;

export class MemoryOracle {
  readonly #reportBreach: ReportBreach;
  readonly #retiredMax: number;

  /** @param retiredMax portfolios that are over and may stay in memory of a daemon */
  constructor(reportBreach: ReportBreach, retiredMax: number) {
    this.#reportBreach = reportBreach;
    this.#retiredMax = retiredMax;
  }

  /** To be called after every event, whatever it was. */
  judge(daemons: readonly SimulatedDaemon[]): void {
    for (const daemon of daemons) if (daemon.isAlive) this.#judge(daemon);
  }

  /** True when nothing is in memory of any daemon for something that is not over. */
  isAtRest(daemons: readonly SimulatedDaemon[]): boolean {
    return daemons.every(
      ({ isAlive, assembled }) => !isAlive || restOf(assembled.stats()).length === 0,
    );
  }

  /** To be called when everything is over, and what was on its way has arrived. */
  judgeRest(daemons: readonly SimulatedDaemon[]): void {
    for (const { isAlive, assembled, index } of daemons) {
      for (const [what, count] of isAlive ? restOf(assembled.stats()) : []) {
        this.#reportBreach('I20', `daemon ${index} is left with ${count} ${what}`);
      }
    }
  }

  #judge({ index, assembled }: SimulatedDaemon): void {
    const held = assembled.stats();
    const { portfolios, open, retired, alarms, watched } = held;
    if (portfolios > open + retired || retired > this.#retiredMax) {
      const beside = `${open} that are open and ${retired} that were`;
      this.#reportBreach('I20', `daemon ${index} keeps ${portfolios} portfolios for ${beside}`);
    }
    if (alarms > portfolios || watched > portfolios) {
      const told = `${alarms} alarms and ${watched} watched`;
      this.#reportBreach('I20', `daemon ${index} has ${told} for ${portfolios} portfolios`);
    }
    // A first cancel has a place beyond the others.
    if (held.requests > (REQUESTS_WAITING_MAX + 1) * portfolios) {
      const told = `${held.requests} requests for ${portfolios} portfolios`;
      this.#reportBreach('I20', `daemon ${index} has ${told} in memory`);
    }
    for (const what in WAITING_MAX) {
      const count = held[what as Waiting];
      if (count <= WAITING_MAX[what as Waiting]) continue;
      this.#reportBreach('I20', `daemon ${index} has ${count} ${what} in memory`);
    }
  }
}

/** What is there for something that is not over. */
function restOf(held: EngineStats): readonly (readonly [string, number])[] {
  // A portfolio that is not in memory is loaded when it is due, and then found to be over.
  const { retired: _kept, portfolios: _all, resting: _due, ...rest } = held;
  return Object.entries(rest).filter(([, count]) => count > 0);
}
