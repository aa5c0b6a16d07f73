// Decides when a planned fault happens. Each kind draws from its own random stream, so that removing one kind
// from a plan does not shift the others; after healing no fault happens.
import { type Rng, rng } from '../../../src/values/rng.ts';
import type { FaultKind, FaultRate, SimulationPlan } from '../plan/plan.ts';

interface Armed extends FaultRate {
  readonly draw: Rng;
}

export class Trouble {
  readonly #armed = new Map<FaultKind, Armed>();
  readonly #counts = new Map<string, number>();
  #isHealed = false;
  /** Told of each fault that happens, and of how long it lasts. */
  struck: (kind: FaultKind, lastsMs: number) => void = () => undefined;

  constructor({ seed, faults }: Pick<SimulationPlan, 'seed' | 'faults'>) {
    for (const fault of faults) {
      this.#armed.set(fault.kind, { ...fault, draw: rng(`${seed}/fault/${fault.kind}`) });
    }
  }

  /** What happened how often. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** True when the fault happens on this occasion. */
  strikes(kind: FaultKind): boolean {
    return this.spellMs(kind) !== undefined;
  }

  /** How long the fault lasts on this occasion; `undefined` when it does not happen. */
  spellMs(kind: FaultKind): number | undefined {
    const armed = this.#armed.get(kind);
    if (armed === undefined || this.#isHealed || armed.draw.next() >= armed.chance) {
      return undefined;
    }
    this.note(kind);
    const lastsMs = 1 + armed.draw.below(Math.max(1, armed.maxMs));
    this.struck(kind, lastsMs);
    return lastsMs;
  }

  /** A draw in [0, bound) from the stream of the kind, for what a fault has to choose. */
  pick(kind: FaultKind, bound: number): number {
    return this.#armed.get(kind)?.draw.below(bound) ?? 0;
  }

  /** Counts something that a run is worth having for. */
  note(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  heal(): void {
    this.#isHealed = true;
  }
}
