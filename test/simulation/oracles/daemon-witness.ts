// Observes what the daemons of a run write, send and fail at, and passes it to the oracles.
// Injected faults are handled where they occur; every other failure, and a programming error anywhere, is a bug of ours.
import type { Turn } from '../../../src/ports/ledger.ts';
import { isProgrammingError } from '../../../src/values/errors/programming-error.ts';
import type { ControlRun } from '../actors/control-run.ts';
import type { ResidualRfqRun } from '../actors/residual-rfq-run.ts';
import { type ReportBreach, told } from '../checks/breach.ts';
import type { Decider } from '../checks/check-event.ts';
import type { People } from '../plan/people.ts';
import type { SimulatedDaemon, Surroundings } from '../world/simulated-daemon.ts';
import type { Trace } from '../world/trace.ts';
import type { Trouble } from '../world/trouble.ts';
import { isOfChild, type Requested } from '../world/venue-of-life.ts';
import { INJECTED_FAILURES } from './injected-failures.ts';
import { namesOf } from './names-of-event.ts';
import type { Referee } from './referee.ts';

interface WitnessParts {
  readonly trouble: Trouble;
  readonly trace: Trace;
  readonly referee: Referee;
  readonly people: People;
  readonly controls: ControlRun | undefined;
  readonly endRfqs: ResidualRfqRun | undefined;
  /** Since the start of the run. */
  readonly nowMs: () => number;
  readonly reportBreach: ReportBreach;
}

type Witnessed = 'onWritten' | 'onRequest' | 'onBroken' | 'onFailed' | 'onForeign' | 'onEnd';

export class DaemonWitness implements Pick<Surroundings, Witnessed> {
  deaths = 0;
  /** Child orders intended. */
  children = 0;
  readonly #parts: WitnessParts;

  constructor(parts: WitnessParts) {
    this.#parts = parts;
  }

  readonly onWritten = (daemon: Decider, turns: readonly Turn[]): void => {
    const { trace, trouble, referee, controls, nowMs } = this.#parts;
    for (const turn of turns) {
      trace.written(nowMs(), daemon.index, turn);
      for (const event of turn.events) {
        for (const what of namesOf(event)) trouble.note(what);
        if (event.kind === 'child_intended') this.children += 1;
      }
    }
    referee.written(daemon, turns);
    controls?.written(turns);
  };

  readonly onRequest = (daemon: SimulatedDaemon, requested: Requested): void => {
    const { trace, referee, people, controls, endRfqs, nowMs } = this.#parts;
    trace.add(nowMs(), `sent ${daemon.index} ${requested.method}`, requested.request);
    controls?.orders.requested(daemon, requested);
    if (endRfqs?.requested(daemon, requested)) return;
    if (requested.method === 'create_rfq') return;
    if (!isOfChild(requested)) return people.requested(daemon, requested);
    referee.requested(daemon, requested);
    const isFlagged = 'mmp' in requested.request && requested.request.mmp === true;
    if (isFlagged) people.mmp?.judgeSent(daemon, requested.request.label);
  };

  readonly onBroken = (error: unknown): void => this.#parts.reportBreach('crash', told(error));

  readonly onFailed = (where: string, error: unknown): void => {
    if (INJECTED_FAILURES.has(where) && !isProgrammingError(error)) return;
    this.#parts.reportBreach('crash', `failure in ${where}: ${told(error)}`);
  };

  readonly onActRefused = (error: unknown): void => {
    const { trace, nowMs, reportBreach } = this.#parts;
    trace.add(nowMs(), 'act refused', String(error));
    if (isProgrammingError(error)) reportBreach('crash', `failure in an act: ${told(error)}`);
  };

  readonly onForeign = (label: string): void => {
    const { trouble, referee, reportBreach } = this.#parts;
    trouble.note('stray taken back');
    if (!referee.strays.has(label)) reportBreach('I4', `${label} was held for a stray`);
  };

  readonly onEnd = (daemon: number, where: string): void => {
    const { trouble, trace, nowMs } = this.#parts;
    this.deaths += 1;
    trouble.note('death');
    trace.add(nowMs(), `end ${daemon}`, where);
  };
}
