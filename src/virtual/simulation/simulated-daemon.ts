// One daemon of a simulated deployment: life after life of the production engine, each on ports that
// share ledger, queue, bus and venue with the other daemons and have troubles of their own.
import type { Settings } from '../../core/portfolio/settings.ts';
import type { SubmitLimits } from '../../core/portfolio/submit-limits.ts';
import { EngineOperations } from '../../engine/ask-engine.ts';
import { Engine } from '../../engine/engine.ts';
import { TradingSwitches } from '../../engine/trading-switches.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { Ledger, Turn } from '../../ports/ledger.ts';
import type { SwitchRecords } from '../../ports/switch-records.ts';
import type { Venue, VenueNotice } from '../../ports/venue.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { FaultyVenue } from '../faulty-venue.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { worldObserver } from '../world-observer.ts';
import { COMPARE_MS, SWEEP_MS } from './bounds.ts';
import { DaemonClock } from './daemon-clock.ts';
import type { DeploymentQueue } from './deployment-queue.ts';
import type { Decider } from './judge-event.ts';
import { Life } from './life.ts';
import type { DaemonPlan } from './plan.ts';
import type { Trouble } from './trouble.ts';
import { troubledLedger } from './troubled-ledger.ts';
import { TroubledLine } from './troubled-line.ts';

/** What all daemons of a run share, and who looks on. */
export interface Surroundings {
  readonly clock: VirtualClock;
  readonly trouble: Trouble;
  readonly ledger: Ledger;
  readonly queue: DeploymentQueue;
  readonly bus: EventBus;
  readonly venue: Venue;
  readonly refusalCode: number;
  readonly settings: Settings;
  readonly limits: () => SubmitLimits;
  /** Dummies included. */
  readonly accounts: ReadonlySet<AccountId>;
  readonly tradingAccounts: readonly AccountId[];
  /** Absent: the run sets none, and nobody looks for any. */
  readonly switchRecords: SwitchRecords | undefined;
  readonly onWritten: (daemon: Decider, turns: readonly Turn[]) => void;
  readonly onRequest: (daemon: SimulatedDaemon, request: Requested) => void;
  readonly onBroken: (error: unknown) => void;
  readonly onFailed: (where: string, error: unknown) => void;
  readonly onForeign: (label: string) => void;
  readonly onEnd: (daemon: number, where: string) => void;
}

/** A request in the moment a daemon hands it to its venue. */
export type Requested =
  | { readonly method: 'place'; readonly request: Parameters<Venue['place']>[0] }
  | { readonly method: 'edit'; readonly request: Parameters<Venue['editByLabel']>[0] }
  | { readonly method: 'cancel'; readonly request: Parameters<Venue['cancel']>[0] };

const VENUE_CALLS = new Set(['place', 'editByLabel', 'cancel', 'ordersByLabel', 'openOrders']);
const SWITCH_CALLS = new Set(['after', 'add']);
const LEDGER_CALLS = new Set(['commit', 'load', 'active', 'overdue', 'findByKey', 'row', 'page']);

export class SimulatedDaemon {
  readonly index: number;
  readonly #around: Surroundings;
  readonly #plan: DaemonPlan;
  offsetMs: number;
  settings: Settings;
  life: Life;
  engine: Engine;
  operations: EngineOperations;
  /** Lives begun. */
  lives = 0;
  isBuried = false;
  diedAt: Instant | undefined;
  /** True time at which its present life began. */
  bornAtMs = 0;
  switches: TradingSwitches | undefined;

  constructor(index: number, plan: DaemonPlan, around: Surroundings) {
    this.index = index;
    this.#plan = plan;
    this.#around = around;
    this.offsetMs = plan.offsetMs;
    this.settings = around.settings;
    this.life = this.#newLife();
    this.engine = this.#newEngine();
    this.operations = this.#newOperations();
    this.#begin();
  }

  get isAlive(): boolean {
    return !this.life.isOver;
  }

  /** Its wall clock. */
  now(): Instant {
    return this.#clock().now();
  }

  kill(): void {
    if (this.life.isOver) return;
    this.life.end();
    this.diedAt = this.#around.clock.now();
    this.#around.onEnd(this.index, 'killed');
  }

  /** Starts again when it is dead and its rest is over. */
  restIfOver(): void {
    if (this.isAlive || this.isBuried || this.diedAt === undefined) return;
    if (this.#around.clock.now() - this.diedAt >= this.#plan.restMs) this.restart();
  }

  restart(): void {
    this.diedAt = undefined;
    this.settings = { ...this.#around.settings, ...this.#plan.settings[this.lives] };
    this.life = this.#newLife();
    this.engine = this.#newEngine();
    this.operations = this.#newOperations();
    this.#begin();
  }

  #begin(): void {
    this.lives += 1;
    this.bornAtMs = this.#around.clock.now();
    const { onFailed } = this.#around;
    const { life } = this;
    this.#start(life).catch((error: unknown) => {
      onFailed('start', error);
      // The daemon cannot come up: its supervisor starts it again.
      if (!life.isOver) this.kill();
    });
  }

  /** Switches are known before anything trades. */
  async #start(life: Life): Promise<void> {
    const { switchRecords, onFailed } = this.#around;
    this.switches = undefined;
    if (switchRecords !== undefined) {
      const records = life.behind(switchRecords, SWITCH_CALLS);
      const observer = {
        ...worldObserver(),
        failed: (failure: { readonly where: string; readonly error: unknown }) =>
          onFailed(failure.where, failure.error),
      };
      this.switches = await TradingSwitches.open({ records, clock: this.#clock(), observer });
      this.engine = this.#newEngine();
      this.operations = this.#newOperations();
    }
    await this.engine.start();
  }

  #newLife(): Life {
    const { clock, trouble, onEnd } = this.#around;
    return new Life({
      clock,
      trouble,
      endsAt: this.#plan.crashes[this.lives],
      onEnd: (where) => {
        this.diedAt = clock.now();
        onEnd(this.index, where);
      },
    });
  }

  #clock(): DaemonClock {
    return new DaemonClock(this.#around.clock, this.life, () => this.offsetMs);
  }

  #ledger(): Ledger {
    const { ledger, clock, trouble, onWritten } = this.#around;
    // A commit can still be under way when its daemon is dead and another life of it has begun.
    const { index, settings, lives } = this;
    const written = (turns: readonly Turn[]): void => {
      const clockName = `${index}.${lives}@${this.offsetMs}`;
      onWritten({ index, settings, clockName }, turns);
    };
    const troubled = troubledLedger({ ledger, clock, trouble, onWritten: written });
    return this.life.behind(troubled, LEDGER_CALLS);
  }

  #venue(): Venue {
    const { venue, clock, trouble, refusalCode, onRequest } = this.#around;
    const venueNow = (): Instant => venue.venueNow();
    const line = new TroubledLine({ clock, trouble, refusalCode, venueNow });
    const behind = this.life.behind<Venue>(new FaultyVenue(venue, clock, line), VENUE_CALLS);
    const { life } = this;
    const tell = (requested: Requested): void => {
      if (!life.isOver) onRequest(this, requested);
    };
    const own: Partial<Venue> = {
      place: (request) => {
        tell({ method: 'place', request });
        return behind.place(request);
      },
      editByLabel: (request) => {
        tell({ method: 'edit', request });
        return behind.editByLabel(request);
      },
      cancel: (request) => {
        tell({ method: 'cancel', request });
        return behind.cancel(request);
      },
      subscribe: (listener: (notice: VenueNotice) => void) =>
        behind.subscribe((notice) => life.whenMoving(() => listener(notice))),
    };
    return new Proxy(behind, {
      get: (target, name) => own[name as keyof Venue] ?? Reflect.get(target, name, target),
    });
  }

  #newEngine(): Engine {
    const { queue, bus, accounts, tradingAccounts, limits, onFailed, onForeign, onBroken } =
      this.#around;
    const clock = this.#clock();
    const venue = this.#venue();
    const { life } = this;
    return new Engine({
      clock,
      queue: queue.seat(life, () => this.offsetMs),
      ledger: this.#ledger(),
      bus: {
        publish: (news) => {
          if (!life.isOver) bus.publish(news);
        },
        subscribe: (listener) => bus.subscribe(listener),
        close: () => Promise.resolve(),
      },
      venues: {
        forAccount: (account) => (accounts.has(account) ? venue : undefined),
        all: () => [venue],
        accounts: () => tradingAccounts,
      },
      observer: {
        ...worldObserver(),
        failed: ({ where, error }) => onFailed(where, error),
        foreignOrder: ({ label }) => onForeign(label),
      },
      settings: this.settings,
      switches: this.switches,
      limits,
      sweepMs: SWEEP_MS,
      compareMs: COMPARE_MS,
      onBroken: (error) => {
        if (!life.isOver) onBroken(error);
      },
    });
  }

  #newOperations(): EngineOperations {
    return new EngineOperations({
      engine: this.engine,
      ledger: this.#ledger(),
      clock: this.#clock(),
    });
  }
}
