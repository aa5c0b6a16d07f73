// The page query over rows in memory: one predicate per condition, all of which must hold.
import type { Page, PageQuery, StoredRow } from '../../ports/ledger.ts';

type Condition = (row: StoredRow) => boolean;

export function pageOf(rows: readonly StoredRow[], query: PageQuery): Page {
  const conditions = conditionsOf(query);
  const hits = rows.filter((row) => conditions.every((holds) => holds(row)));
  const way = query.descending ? -1 : 1;
  const by = query.orderBy;
  hits.sort((a, b) => way * (a[by] - b[by] || Number(a.portfolio) - Number(b.portfolio)));
  return { total: hits.length, rows: hits.slice(query.offset, query.offset + query.limit) };
}

function conditionsOf(query: PageQuery): readonly Condition[] {
  const conditions: Condition[] = [];
  const add = <T>(value: T | undefined, condition: (value: T) => Condition): void => {
    if (value !== undefined) conditions.push(condition(value));
  };
  add(query.account, (account) => (row) => row.account === account);
  add(query.accounts, (accounts) => (row) => accounts.includes(row.account));
  add(query.portfolioType, (type) => (row) => row.portfolioType === type);
  add(query.statuses, (statuses) => (row) => statuses.includes(row.status));
  add(query.kinds, (kinds) => (row) => row.kinds.some((kind) => kinds.includes(kind)));
  add(query.coinOrSymbol?.toLowerCase(), concerns);
  add(query.instrument, (name) => (row) => row.instruments.includes(name));
  add(query.note, (note) => (row) => row.note.includes(note));
  add(query.submittedFrom, (from) => (row) => row.submittedAt >= from);
  add(query.submittedTo, (to) => (row) => row.submittedAt <= to);
  add(query.updatedAfter, (after) => (row) => row.updatedAt > after);
  add(query.uids, (uids) => (row) => uids.includes(row.uid));
  add(query.lastEditedUids, (uids) => (row) => uids.includes(row.lastEditedUid));
  add(query.strategy, (strategy) => (row) => row.strategy === strategy);
  if (query.hideFullyUnfilled === true) conditions.push((row) => row.hasFills);
  return conditions;
}

/** Matches the coin exactly, or part of an instrument's name, in lower case. */
const concerns =
  (text: string): Condition =>
  (row) =>
    row.coin.toLowerCase() === text ||
    row.instruments.some((name) => name.toLowerCase().includes(text));
