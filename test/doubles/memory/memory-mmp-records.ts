// Records of market maker protection in memory. Values are passed through JSON, as in the durable store.
import type { MmpEvent } from '../../../src/core/mmp/mmp-event.ts';
import type { MmpStateRecord } from '../../../src/core/mmp/mmp-record.ts';
import {
  COUNTED_KEPT_MS,
  type ExceededTrade,
  LATEST_COUNTED,
  type LoadedMmp,
  type MmpCommit,
  type MmpOf,
  type MmpRecords,
  type MmpTurn,
  mmpTurnFault,
  type StoredMmp,
  type TradedSpan,
} from '../../../src/ports/mmp-records.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { StoreRequests } from '../../../src/virtual/memory/store-requests.ts';

interface Held extends MmpOf {
  version: number;
  state: MmpStateRecord;
  readonly events: MmpEvent[];
  readonly trades: Map<string, Instant>;
}

const EMPTY: MmpStateRecord = { version: 0, groups: [] };
const keyOf = ({ account, kind }: MmpOf): string => `${kind} ${account}`;
const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export class MemoryMmpRecords implements MmpRecords {
  readonly #held = new Map<string, Held>();
  readonly #requests = new StoreRequests();

  commit(turn: MmpTurn): Promise<MmpCommit> {
    const fault = mmpTurnFault(turn);
    if (fault !== undefined) return Promise.reject(fault);
    return this.#requests.answer(() => this.#committed(turn), turn);
  }

  load(of: MmpOf, trades: readonly string[] = []): Promise<LoadedMmp | undefined> {
    return this.#requests.answer(
      () => {
        const held = this.#held.get(keyOf(of));
        const asked = trades.filter((id) => held?.trades.has(id));
        const byTime = [...(held?.trades ?? [])].sort(([, a], [, b]) => b - a);
        const latest = byTime.slice(0, LATEST_COUNTED).map(([id]) => id);
        const counted = [...new Set([...asked, ...latest])];
        return held && { ...stored(held), counted };
      },
      of,
      trades,
    );
  }

  all(): Promise<readonly StoredMmp[]> {
    return this.#requests.answer(() => [...this.#held.values()].map(stored));
  }

  versions(): Promise<readonly (MmpOf & { readonly version: number })[]> {
    return this.#requests.answer(() =>
      [...this.#held.values()].map(({ account, kind, version }) => ({ account, kind, version })),
    );
  }

  events(of: MmpOf): Promise<readonly MmpEvent[]> {
    return this.#requests.answer(() => copied(this.#held.get(keyOf(of))?.events ?? []), of);
  }

  exceeded(of: MmpOf, { from, to }: TradedSpan): Promise<readonly ExceededTrade[]> {
    return this.#requests.answer(
      () =>
        copied(this.#held.get(keyOf(of))?.events ?? [])
          .filter((event) => event.kind === 'exceeded')
          .filter(({ tradedAt }) => tradedAt >= from && tradedAt < to)
          .sort((a, b) => a.tradedAt - b.tradedAt),
      of,
    );
  }

  #committed(turn: MmpTurn): MmpCommit {
    const { account, kind } = turn;
    const held = this.#held.get(keyOf(turn)) ?? {
      account,
      kind,
      version: 0,
      state: EMPTY,
      events: [],
      trades: new Map(),
    };
    const known = turn.trades.map(({ tradeId }) => tradeId).filter((id) => held.trades.has(id));
    if (known.length > 0) return { kind: 'counted', trades: known };
    if (held.version !== turn.fromVersion) return { kind: 'conflict' };
    this.#write(held, turn);
    return { kind: 'committed' };
  }

  #write(held: Held, turn: MmpTurn): void {
    held.version += turn.events.length;
    held.state = copied(turn.state);
    held.events.push(...copied(turn.events));
    for (const [id, at] of held.trades) {
      if (at < later(turn.now, -COUNTED_KEPT_MS)) held.trades.delete(id);
    }
    for (const { tradeId, at } of turn.trades) held.trades.set(tradeId, at);
    this.#held.set(keyOf(turn), held);
  }
}

const stored = ({ account, kind, state }: Held): StoredMmp => ({
  account,
  kind,
  state: copied(state),
});
