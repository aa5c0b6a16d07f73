// The gateway state that the daemons and clients of one run share: keys, stored answers, the action log;
// and the checks of it at the end.
import type { Override } from '../../../src/core/risk/gate/overrides.ts';
import type { ActionLog } from '../../../src/ports/action-log.ts';
import type { KeptAnswers } from '../../../src/ports/kept-answers.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { MemoryActionLog } from '../../doubles/memory/memory-action-log.ts';
import { MemoryKeptAnswers } from '../../doubles/memory/memory-kept-answers.ts';
import type { SimulationPlan } from '../plan/plan.ts';
import { isReadable } from '../plan/plan-kinds.ts';
import type { Life } from '../world/life.ts';
import { Doors, type DoorsParts, type Reachable } from './door-client.ts';
import { DoorKeys, type KeysSeen } from './door-keys.ts';
import { DoorLeaver } from './door-leaver.ts';
import { DoorProbes } from './door-probes.ts';
import { RateTruth } from './door-rates.ts';
import type { DoorParts, FrontDoor } from './front-door.ts';

const KEPT_CALLS = new Set(['claim', 'keep', 'release']);
const KEY_CALLS = new Set(['changedSince']);
const DOOR_CALLS = new Set(['ask']);

export interface DoorRunParts extends Omit<DoorsParts, 'keys' | 'rates' | 'seen'> {
  readonly plan: SimulationPlan;
  /** Absent: in memory. */
  readonly kept?: KeptAnswers | undefined;
}

type Own = 'operations' | 'methods' | 'claimNonce' | 'switches' | 'overrides' | 'clock' | 'report';

/** The parts of one life of a daemon that its gateway needs. */
export interface DoorOfLife extends Pick<DoorParts, Own> {
  readonly life: Life;
  /** Called when an override for an order takes effect. */
  readonly onLetPast: (override: Override) => void;
}

export class DoorRun {
  readonly doors: Doors;
  readonly #parts: DoorRunParts;
  readonly #keys: DoorKeys;
  readonly #rates: RateTruth;
  readonly #seen: DoorsParts['seen'] = new WeakMap();
  readonly #kept: KeptAnswers;
  readonly #actions: ActionLog = new MemoryActionLog();
  readonly #probes: DoorProbes | undefined;
  readonly #leaver: DoorLeaver;

  constructor(parts: DoorRunParts, plan: NonNullable<SimulationPlan['door']>) {
    this.#parts = parts;
    this.#keys = new DoorKeys({ ...parts, isReadable: isReadable(parts.plan) }, plan);
    const isSteady = isReadable(parts.plan) && hasNoSteps(parts.plan);
    this.#rates = new RateTruth({ ...parts, isSteady }, plan);
    this.#kept = parts.kept ?? new MemoryKeptAnswers(() => parts.clock.now());
    const own = { keys: this.#keys, rates: this.#rates, seen: this.#seen };
    this.doors = new Doors({ ...parts, ...own });
    const [client] = parts.plan.clients.filter(({ legs }) => legs.length > 0);
    this.#probes = client && new DoorProbes(this.doors, plan.probes, client);
    this.#leaver = new DoorLeaver(this.doors, plan);
  }

  /** The gateway of one life: it may die at every call, and so may the client that awaits its answer. */
  open({ life, onLetPast, ...own }: DoorOfLife): FrontDoor {
    const { gateway, plan } = this.#parts;
    const seen: KeysSeen = { version: 0 };
    const door = gateway.open({
      ...own,
      overrides: heardOut(own.overrides, onLetPast),
      actions: this.#actions,
      kept: life.behind(this.#keptTroubled(), KEPT_CALLS),
      keys: noted(life.behind(this.#keysTroubled(), KEY_CALLS), seen),
      rate: () => this.#rates.rate(plan.door?.rate),
    });
    const reached = life.behind(door, DOOR_CALLS);
    this.#seen.set(reached, seen);
    return reached;
  }

  act(nowMs: number, alive: readonly Reachable[], choice: number): void {
    this.#probes?.act(nowMs, alive, choice);
    this.#leaver.act(nowMs, alive);
  }

  /** Idempotency keys of requests that must have left no trace. */
  get refusedKeys(): readonly string[] {
    return this.#probes?.keys ?? [];
  }

  /** Stored answers as a daemon reaches them. */
  #keptTroubled(): KeptAnswers {
    const kept = this.#kept;
    return {
      claim: (request) => this.#reached(() => kept.claim(request)),
      keep: (key, answer) => this.#reached(() => kept.keep(key, answer)),
      release: (key) => this.#reached(() => kept.release(key)),
    };
  }

  /** Keys as a daemon reaches them; it changes none. */
  #keysTroubled(): DoorParts['keys'] {
    const { records } = this.#keys;
    return { changedSince: (version) => this.#reached(() => records.changedSince(version)) };
  }

  #reached<T>(call: () => Promise<T>): Promise<T> {
    return this.#parts.trouble.strikes('ledger_unread')
      ? Promise.reject(new LedgerFailure('no answer to a read', false))
      : call();
  }
}

const hasNoSteps = ({ acts }: SimulationPlan): boolean =>
  acts.every(({ kind }) => kind !== 'step_clock');

/** Records how far the reader has read, from the moment of reading. */
const noted = (records: DoorParts['keys'], seen: KeysSeen): DoorParts['keys'] => ({
  changedSince: async (version) => {
    const read = await records.changedSince(version);
    if (read !== undefined) seen.version = read.version;
    return read;
  },
});

const heardOut = (
  overrides: DoorParts['overrides'],
  onLetPast: (override: Override) => void,
): DoorParts['overrides'] => ({
  request: (wish, asked) => overrides.request(wish, asked),
  all: (now) => overrides.all(now),
  grant: (id, by, now) => {
    const granted = overrides.grant(id, by, now);
    const isByOther = granted.kind === 'granted' && granted.override.askedBy !== by;
    if (isByOther) onLetPast(granted.override);
    return granted;
  },
});
