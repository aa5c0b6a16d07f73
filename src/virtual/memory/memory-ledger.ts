// The ledger in memory, for virtual time: the same results as the durable one, within the same turn of the event
// loop. Values are stored without a copy: events and rows are never modified.

import { shardOf } from '../../core/ownership/shards.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import { isTerminal } from '../../core/portfolio/aggregate/portfolio-state.ts';
import {
  type CommitOutcome,
  checkCommit,
  type FillRow,
  type Ledger,
  type Page,
  type PageQuery,
  type PortfolioAtWork,
  type PortfolioRow,
  type StoredPortfolio,
  type StoredRow,
  type Turn,
} from '../../ports/ledger.ts';
import {
  type AccountId,
  instrumentName,
  type PortfolioId,
  parseChildLabel,
} from '../../values/ids.ts';
import { type Instant, instant } from '../../values/instant.ts';
import { MemoryClaims } from './memory-claims.ts';
import { MemoryTurnLog } from './memory-turn-log.ts';
import { pageOf } from './page-filter.ts';
import { StoreRequests } from './store-requests.ts';

export interface MemoryLedgerOptions {
  /** The wall clock, for the expiry of claims. */
  readonly now: () => Instant;
  /** Awaited before a commit takes effect; if it rejects, nothing was committed. */
  readonly beforeCommit?: (() => Promise<void>) | undefined;
  /** The leases that turns are committed under; absent: those of every turn are refused. */
  readonly leases?: { epochOf(shard: number): number } | undefined;
  /** Awaited after it took effect; if it rejects, the turn is committed all the same. */
  readonly afterCommit?: (() => Promise<void>) | undefined;
}

interface Entry {
  readonly portfolio: PortfolioId;
  readonly shard: number;
  version: number;
  row: PortfolioRow;
  isPending: boolean;
  readonly events: PortfolioEvent[];
}

const COMMITTED: CommitOutcome = { kind: 'committed' };

export class MemoryLedger implements Ledger {
  readonly #options: MemoryLedgerOptions;
  readonly #entries = new Map<PortfolioId, Entry>();
  readonly #atWork = new Set<Entry>();
  readonly #keys = new Map<string, PortfolioId>();
  /** As committed: {@link fills} has each once. */
  #fills: FillRow[] = [];
  readonly #marks = new Map<string, string>();
  readonly #claims: MemoryClaims;
  readonly #requests = new StoreRequests();
  readonly turnLog = new MemoryTurnLog();

  constructor(options: MemoryLedgerOptions) {
    this.#options = options;
    this.#claims = new MemoryClaims(options.now);
  }

  async commit(turns: readonly Turn[]): Promise<CommitOutcome> {
    checkCommit(turns);
    const refusal = this.#requests.refusal(...turns.flatMap(textsOf));
    if (refusal !== undefined) throw refusal;
    const { beforeCommit, afterCommit } = this.#options;
    if (beforeCommit !== undefined) await beforeCommit();
    const outcome = this.#refusal(turns) ?? COMMITTED;
    if (outcome === COMMITTED) {
      for (const turn of turns) this.#write(turn);
      this.turnLog.add(turns);
    }
    if (afterCommit !== undefined) await afterCommit();
    return outcome;
  }

  load(portfolio: PortfolioId): Promise<StoredPortfolio | undefined> {
    return this.#requests.answer(() => {
      const entry = this.#entries.get(portfolio);
      return entry && { portfolio, version: entry.version, events: entry.events.slice() };
    });
  }

  row(portfolio: PortfolioId): Promise<StoredRow | undefined> {
    return this.#requests.answer(() => {
      const entry = this.#entries.get(portfolio);
      return entry && stored(entry);
    });
  }

  shardOf(portfolio: PortfolioId): Promise<number | undefined> {
    return this.#requests.answer(() => this.#entries.get(portfolio)?.shard);
  }

  active(among?: readonly PortfolioId[]): Promise<readonly PortfolioId[]> {
    const asked = among && new Set(among);
    const ids = Array.from(this.#atWork, ({ portfolio }) => portfolio);
    const found = ids.filter((portfolio) => asked?.has(portfolio) !== false);
    return this.#requests.answer(() => found.sort((a, b) => Number(a) - Number(b)));
  }

  atWork(shards?: readonly number[]): Promise<readonly PortfolioAtWork[]> {
    const found: PortfolioAtWork[] = [];
    for (const { portfolio, shard, version, row, isPending } of this.#atWork) {
      if (shards?.includes(shard) === false) continue;
      const { account, nextDueAt: dueAt } = row;
      const instruments = row.instruments.map(instrumentName);
      found.push({ portfolio, shard, account, version, dueAt, instruments, isPending });
    }
    return this.#requests.answer(() =>
      found.sort((a, b) => Number(a.portfolio) - Number(b.portfolio)),
    );
  }

  overdue(at: Instant, limit: number, shards?: readonly number[]): Promise<readonly PortfolioId[]> {
    const due: { readonly portfolio: PortfolioId; readonly dueAt: Instant }[] = [];
    for (const { portfolio, shard, row } of this.#atWork) {
      if (shards?.includes(shard) === false) continue;
      const dueAt = row.nextDueAt;
      if (dueAt !== undefined && dueAt <= at) due.push({ portfolio, dueAt });
    }
    due.sort((a, b) => a.dueAt - b.dueAt || Number(a.portfolio) - Number(b.portfolio));
    return this.#requests.answer(() => due.slice(0, limit).map(({ portfolio }) => portfolio));
  }

  /** None: every record is stored with its turn. */
  withOldRecord(): Promise<readonly PortfolioId[]> {
    return this.#requests.answer(() => []);
  }

  changedAt(account: AccountId): Promise<Instant | undefined> {
    const own = [...this.#entries.values()].filter(({ row }) => row.account === account);
    return this.#requests.answer(
      () =>
        own.length === 0 ? undefined : instant(Math.max(...own.map(({ row }) => row.updatedAt))),
      account,
    );
  }

  findByKey(key: string): Promise<PortfolioId | undefined> {
    return this.#requests.answer(() => this.#keys.get(key), key);
  }

  page(query: PageQuery): Promise<Page> {
    return this.#requests.answer(
      () => pageOf(Array.from(this.#entries.values(), stored), query),
      query,
    );
  }

  getMetadata(name: string): Promise<string | undefined> {
    return this.#requests.answer(() => this.#marks.get(name), name);
  }

  setMetadata(name: string, value: string): Promise<void> {
    return this.#requests.answer(() => void this.#marks.set(name, value), name, value);
  }

  initMetadata(name: string, value: string): Promise<string> {
    return this.#requests.answer(
      () => {
        const mark = this.#marks.get(name) ?? value;
        this.#marks.set(name, mark);
        return mark;
      },
      name,
      value,
    );
  }

  claimOnce(key: string, until: Instant): Promise<boolean> {
    return this.#claims.claimOnce(key, until);
  }

  async close(): Promise<void> {
    await Promise.all([this.#requests, this.#claims, this.turnLog].map((part) => part.close()));
  }

  /** All fills, each once; for checks of the books. */
  fills(): readonly FillRow[] {
    const each = new Map<string, FillRow>();
    for (const fill of this.#fills) {
      const id = `${fill.venue}\n${fill.currency}\n${fill.tradeId}\n${fill.label}`;
      if (!each.has(id)) each.set(id, fill);
    }
    return [...each.values()];
  }

  /** Removes ended portfolios with all their data, for runs that would outgrow memory, and reports each. */
  forgetOver(onForgotten: (portfolio: StoredPortfolio) => void): void {
    for (const [portfolio, { version, events, row }] of this.#entries) {
      if (!isTerminal(row.status)) continue;
      onForgotten({ portfolio, version, events });
      this.#entries.delete(portfolio);
    }
    this.#fills = this.#fills.filter(({ label }) => {
      const owner = parseChildLabel(label)?.portfolio;
      return owner !== undefined && this.#entries.has(owner);
    });
    for (const [key, owner] of this.#keys) if (!this.#entries.has(owner)) this.#keys.delete(key);
  }

  #epochOf(shard: number): number | undefined {
    return this.#options.leases?.epochOf(shard);
  }

  #refusal(turns: readonly Turn[]): CommitOutcome | undefined {
    for (const { key } of turns) {
      const holder = key === undefined ? undefined : this.#keys.get(key);
      if (holder !== undefined) return { kind: 'duplicate_key', portfolio: holder };
    }
    for (const { lease } of turns) {
      const isLost = lease !== undefined && this.#epochOf(lease.shard) !== lease.epoch;
      if (isLost) return { kind: 'lease_lost', lease };
    }
    for (const { portfolio, fromVersion } of turns) {
      if ((this.#entries.get(portfolio)?.version ?? 0) !== fromVersion) {
        return { kind: 'conflict', portfolio };
      }
    }
    return undefined;
  }

  #write({ portfolio, events, row, fills, key, shard, isPending = false }: Turn): void {
    const entry = this.#entries.get(portfolio) ?? this.#create(portfolio, { row, shard });
    for (const event of events) entry.events.push(event);
    entry.version += events.length;
    entry.row = row;
    entry.isPending = isPending;
    if (!isTerminal(row.status)) this.#atWork.add(entry);
    else this.#atWork.delete(entry);
    if (key !== undefined) this.#keys.set(key, portfolio);
    for (const fill of fills) this.#fills.push(fill);
  }

  #create(portfolio: PortfolioId, { row, shard }: Pick<Turn, 'row' | 'shard'>): Entry {
    const home = shard ?? shardOf(row.account);
    const entry: Entry = { portfolio, shard: home, version: 0, row, isPending: false, events: [] };
    this.#entries.set(portfolio, entry);
    return entry;
  }
}

/** What a turn stores as text. Its events and its record are stored as JSON, which escapes every character. */
const textsOf = ({ row, key, fills }: Turn): readonly unknown[] => [
  row.account,
  row.portfolioType,
  row.strategy,
  row.note,
  row.uid,
  row.lastEditedUid,
  key,
  row.coin,
  row.instruments,
  fills,
];

/** Field by field: a row may be made when it is read. */
const stored = ({ portfolio, version, row }: Entry): StoredRow => ({
  portfolio,
  version,
  account: row.account,
  portfolioType: row.portfolioType,
  status: row.status,
  strategy: row.strategy,
  note: row.note,
  uid: row.uid,
  lastEditedUid: row.lastEditedUid,
  instruments: row.instruments,
  kinds: row.kinds,
  coin: row.coin,
  submittedAt: row.submittedAt,
  updatedAt: row.updatedAt,
  hasFills: row.hasFills,
  nextDueAt: row.nextDueAt,
  record: row.record,
});
