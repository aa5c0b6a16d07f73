// Stores again the records that a killed process had not written: those of portfolios in shards that this one begins to own.
// A process that gave shards up in an orderly way writes its records within a second; so long this waits first.
import { isTerminal } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { Settings } from '../../core/terms/settings.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { turnRecord } from '../turns/turn-record.ts';

export interface RecordRepairOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'withOldRecord' | 'commit'>;
  readonly observer: Observer;
  readonly settings: Settings;
  readonly venues: Pick<VenueDirectory, 'forAccount'>;
  readonly ownership: Pick<Ownership, 'shards' | 'owns' | 'onGain'>;
  readonly engine: { readonly turns: Pick<Engine['turns'], 'run'> };
}

/** Before the first attempt, and between attempts while the ledger does not answer. */
const PAUSE_MS = 2_000;

export class RecordRepair implements Lifetime {
  readonly #options: RecordRepairOptions;
  readonly #repairs = new InFlight();
  readonly #timers = new Set<StopTimer>();
  #isStopped = false;

  constructor(options: RecordRepairOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    const { ownership } = this.#options;
    ownership.onGain((shards) => this.#repairSoon(shards));
    this.#repairSoon(ownership.shards());
    return Promise.resolve();
  }

  drain(): Promise<void> {
    this.stop();
    return this.#repairs.idle();
  }

  stop(): void {
    this.#isStopped = true;
    for (const stopTimer of this.#timers) stopTimer();
    this.#timers.clear();
  }

  #repairSoon(shards: readonly number[] | undefined): void {
    if (this.#isStopped) return;
    const { clock } = this.#options;
    const stopTimer = clock.at(later(clock.now(), PAUSE_MS), () => {
      this.#timers.delete(stopTimer);
      void this.#repairs.track(this.#repair(shards));
    });
    this.#timers.add(stopTimer);
  }

  async #repair(shards: readonly number[] | undefined): Promise<void> {
    const { ledger, observer, ownership } = this.#options;
    try {
      const own = shards?.filter((shard) => ownership.owns(shard));
      if (own?.length === 0) return;
      for (const portfolio of await ledger.withOldRecord(own)) {
        if (this.#isStopped) return;
        await this.#rewrite(portfolio);
      }
    } catch (error) {
      observer.observe({ event: 'failed', where: 'record_repair', error });
      this.#repairSoon(shards);
    }
  }

  /** If the portfolio has moved on meanwhile, this conflicts, and the record of that turn is written with it or after it. */
  async #rewrite(portfolio: PortfolioId): Promise<void> {
    const { clock, ledger, settings, venues, engine } = this.#options;
    const state = await engine.turns.run(portfolio, { kind: 'advance', now: clock.now() });
    if (state === undefined || isTerminal(state.status)) return;
    const venue = venues.forAccount(state.spec.accountId)?.name;
    if (venue === undefined) return;
    const parts = { before: state, state, events: [], settings, venue, isRequested: true };
    await ledger.commit([turnRecord(parts)]);
  }
}
