// The turn log in memory: the latest groups, in commit order.
import type { Turn } from '../../ports/ledger.ts';
import {
  checkGroupsMax,
  type LoggedTurn,
  type TurnGroup,
  type TurnLog,
} from '../../ports/turn-log.ts';
import { StoreRequests } from './store-requests.ts';

const KEPT_DEFAULT = 10_000;

export class MemoryTurnLog implements TurnLog {
  readonly #keptMax: number;
  readonly #requests = new StoreRequests();
  #groups: TurnGroup[];

  /** Keeps at least `keptMax` groups and at most twice as many; the first one, which is empty, is at `beginning`. */
  constructor(keptMax = KEPT_DEFAULT, beginning = 0n) {
    this.#keptMax = keptMax;
    this.#groups = [{ position: beginning, turns: [] }];
  }

  /** Adds the turns of one commit. */
  add(turns: readonly Turn[]): void {
    const told = turns.flatMap(loggedTurn);
    if (told.length === 0) return;
    this.#groups.push({ position: this.#newest + 1n, turns: told });
    if (this.#groups.length > 2 * this.#keptMax) this.#groups = this.#groups.slice(-this.#keptMax);
  }

  newestPosition(): Promise<bigint> {
    return this.#requests.answer(() => this.#newest);
  }

  groupsFrom(from: bigint, limit: number): Promise<readonly TurnGroup[] | undefined> {
    return this.#requests.answer(() => {
      checkGroupsMax(limit);
      const oldest = this.#groups[0]?.position ?? 0n;
      if (from < oldest || from > this.#newest) return undefined;
      const first = Number(from - oldest);
      return this.#groups.slice(first, first + limit);
    });
  }

  close(): Promise<void> {
    return this.#requests.close();
  }

  get #newest(): bigint {
    return this.#groups.at(-1)?.position ?? 0n;
  }
}

const loggedTurn = ({ portfolio, row, fromVersion, events, tells = 0 }: Turn): LoggedTurn[] =>
  tells === 0
    ? []
    : [
        {
          portfolio,
          account: row.account,
          fromVersion,
          version: fromVersion + events.length,
          tells,
        },
      ];
