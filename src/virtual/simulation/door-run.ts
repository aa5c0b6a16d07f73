// Everything about front doors that the daemons and clients of one run share: keys, first answers, who did
// what; and what of it must be so in the end.
import type { ActionLog } from '../../ports/action-log.ts';
import type { KeptAnswers } from '../../ports/kept-answers.ts';
import { LedgerFailure } from '../../ports/ledger.ts';
import type { Instant } from '../../values/instant.ts';
import { MemoryActionLog } from '../memory-action-log.ts';
import { MemoryKeptAnswers } from '../memory-kept-answers.ts';
import { Doors, type DoorsParts, type Reachable } from './door-client.ts';
import { DoorKeys } from './door-keys.ts';
import { DoorProbes } from './door-probes.ts';
import type { DoorParts, FrontDoor } from './front-door.ts';
import type { Life } from './life.ts';
import type { SimulationPlan } from './plan.ts';

const KEPT_CALLS = new Set(['claim', 'keep', 'letGo']);
const DOOR_CALLS = new Set(['ask']);

export interface DoorRunParts extends Omit<DoorsParts, 'keys'> {
  readonly plan: SimulationPlan;
}

/** What one life of a daemon gives its door. */
export interface DoorOfLife extends Pick<DoorParts, 'operations' | 'orders' | 'claimNonce'> {
  readonly life: Life;
  readonly now: () => Instant;
  readonly report: DoorParts['report'];
}

export class DoorRun {
  readonly doors: Doors;
  readonly #parts: DoorRunParts;
  readonly #keys: DoorKeys;
  readonly #kept: KeptAnswers;
  readonly #actions: ActionLog = new MemoryActionLog();
  readonly #probes: DoorProbes | undefined;

  constructor(parts: DoorRunParts, plan: NonNullable<SimulationPlan['door']>) {
    this.#parts = parts;
    this.#keys = new DoorKeys(parts.clock, plan);
    this.#kept = new MemoryKeptAnswers(() => parts.clock.now());
    this.doors = new Doors({ ...parts, keys: this.#keys });
    const [client] = parts.plan.clients.filter(({ legs }) => legs.length > 0);
    this.#probes = client && new DoorProbes(this.doors, plan.probes, client);
  }

  /** The door of one life: it may die at every call, and so may whoever asks for its answer. */
  open({ life, ...own }: DoorOfLife): FrontDoor {
    const { gateway, plan } = this.#parts;
    const door = gateway.open({
      ...own,
      actions: this.#actions,
      kept: life.behind(this.#troubled(), KEPT_CALLS),
      key: (id) => this.#keys.find(id),
      rate: plan.door?.rate,
    });
    return life.behind(door, DOOR_CALLS);
  }

  act(nowMs: number, alive: readonly Reachable[], choice: number): void {
    this.#probes?.act(nowMs, alive, choice);
  }

  /** Keys of requests of which nothing may be found. */
  get refusedKeys(): readonly string[] {
    return this.#probes?.keys ?? [];
  }

  /** First answers as a daemon reaches them. */
  #troubled(): KeptAnswers {
    const { trouble } = this.#parts;
    const kept = this.#kept;
    const reached = <T>(call: () => Promise<T>): Promise<T> =>
      trouble.strikes('ledger_unread')
        ? Promise.reject(new LedgerFailure('no answer about first answers', false))
        : call();
    return {
      claim: (request) => reached(() => kept.claim(request)),
      keep: (key, answer) => reached(() => kept.keep(key, answer)),
      letGo: (key) => reached(() => kept.letGo(key)),
    };
  }
}
