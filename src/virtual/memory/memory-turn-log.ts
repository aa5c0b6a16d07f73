// The turn log in memory: the latest groups, in commit order.
import type { Turn } from '../../ports/ledger.ts';
import type { LoggedTurn, TurnGroup, TurnLog } from '../../ports/turn-log.ts';

const KEPT_DEFAULT = 10_000;

export class MemoryTurnLog implements TurnLog {
  readonly #keptMax: number;
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
    return Promise.resolve(this.#newest);
  }

  groupsFrom(from: bigint, limit: number): Promise<readonly TurnGroup[] | undefined> {
    const oldest = this.#groups[0]?.position ?? 0n;
    if (from < oldest || from > this.#newest) return Promise.resolve(undefined);
    const first = Number(from - oldest);
    return Promise.resolve(this.#groups.slice(first, first + limit));
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
