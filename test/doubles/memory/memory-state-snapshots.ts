// Snapshots of states in memory, alongside a ledger of any kind.
import type { StateSnapshot } from '../../../src/core/portfolio/snapshot/state-snapshot.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { StateSnapshots, StoredState } from '../../../src/ports/snapshots/state-snapshots.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { StoreRequests } from '../../../src/virtual/memory/store-requests.ts';

export class MemoryStateSnapshots implements StateSnapshots {
  readonly #ledger: Pick<Ledger, 'load'>;
  readonly #snapshots = new Map<PortfolioId, StateSnapshot>();
  readonly #requests = new StoreRequests();

  constructor(ledger: Pick<Ledger, 'load'>) {
    this.#ledger = ledger;
  }

  save(snapshots: readonly StateSnapshot[]): Promise<void> {
    return this.#requests.answer(() => this.#save(snapshots), snapshots);
  }

  #save(snapshots: readonly StateSnapshot[]): void {
    const latest = new Map<PortfolioId, StateSnapshot>();
    for (const one of snapshots) {
      if (one.version > (latest.get(one.portfolio)?.version ?? 0)) latest.set(one.portfolio, one);
    }
    for (const snapshot of latest.values()) {
      const held = this.#snapshots.get(snapshot.portfolio);
      const isLater = held === undefined || held.version < snapshot.version;
      if (isLater || held.format !== snapshot.format) {
        this.#snapshots.set(snapshot.portfolio, snapshot);
      }
    }
  }

  async load(portfolio: PortfolioId, format: number): Promise<StoredState | undefined> {
    const stored = await this.#ledger.load(portfolio);
    if (stored === undefined) return undefined;
    const held = this.#snapshots.get(portfolio);
    const isFit = held?.format === format && held.version <= stored.version;
    if (!isFit) return { snapshot: undefined, events: stored.events };
    return { snapshot: held, events: stored.events.slice(held.version) };
  }

  of(portfolio: PortfolioId): Promise<StateSnapshot | undefined> {
    return this.#requests.answer(() => this.#snapshots.get(portfolio));
  }

  delete(portfolios: readonly PortfolioId[]): Promise<void> {
    return this.#requests.answer(() => {
      for (const portfolio of portfolios) this.#snapshots.delete(portfolio);
    });
  }
}
