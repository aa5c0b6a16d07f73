// A page of portfolios as one statement, so that total and rows are of the same instant. Every value is a
// parameter; text is searched with strpos, so that no character in it is special.
import { isTerminal } from '../../../core/portfolio/aggregate/portfolio-state.ts';
import type { PageQuery } from '../../../ports/ledger.ts';
import { storedStatus } from '../status-column.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const ORDER_COLUMN = { submittedAt: 'submitted_at', updatedAt: 'updated_at' } as const;

type Bind = (value: unknown) => string;

function binder(): { readonly values: unknown[]; readonly bind: Bind } {
  const values: unknown[] = [];
  return { values, bind: (value) => `$${values.push(value)}` };
}

const whereOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;

export function pageStatement(query: PageQuery): Statement {
  const { values, bind } = binder();
  const conditions = conditionsOf(query, bind);
  if (isAtWorkOnly(query)) conditions.push(AT_WORK);
  const where = whereOf(conditions);
  const column = ORDER_COLUMN[query.orderBy];
  const way = query.descending ? 'DESC' : 'ASC';
  const from = isAtWorkOnly(query) && isWalked(query) ? `portfolio ${where}` : 'hit';
  const sort = from === 'hit' ? 'sort' : column;
  const hits =
    from === 'hit'
      ? `hit AS MATERIALIZED (SELECT id, ${column} AS sort FROM portfolio ${where}),`
      : '';
  const text = `
WITH ${hits}
shown AS (SELECT id FROM ${from} ORDER BY ${sort} ${way}, id ${way}
  LIMIT ${bind(query.limit)} OFFSET ${bind(query.offset)})
SELECT (SELECT count(*) FROM ${from}) AS total, p.*, summary_record(s.record) AS record, s.version AS record_version
FROM (VALUES (1)) AS one LEFT JOIN (
  shown JOIN portfolio p USING (id) JOIN summary s ON s.portfolio = shown.id
) ON true
ORDER BY p.${column} ${way}, p.id ${way}`;
  return { text, values };
}

/** Spelled out, so that the database uses the small indexes of active portfolios. */
const AT_WORK = 'status IN (1, 4)';
const ENDED_WITHOUT_PLACE = 'place IS NULL AND status IN (2, 3)';

/** Whether the query excludes all ended portfolios. */
export const isAtWorkOnly = ({ statuses }: PageQuery): boolean =>
  statuses?.every((status) => !isTerminal(status)) ?? false;

const isEndedOnly = ({ statuses }: PageQuery): boolean => statuses?.every(isTerminal) ?? false;

/** Whether an index of active portfolios has every column of the query, in its order. */
function isWalked(query: PageQuery): boolean {
  const { account, accounts, statuses, submittedFrom, submittedTo, ...rest } = query;
  const { orderBy, descending, offset, limit, hideFullyUnfilled, ...others } = rest;
  if (orderBy !== 'submittedAt' || hideFullyUnfilled === true) return false;
  return Object.values(others).every((value) => value === undefined);
}

/**
 * Of the matches at work, without a place and placed after `place`: in one row how many there are, as `count`, and ids and sort
 * keys of those that may be on the page; also, as `holes`, the places that were given up. A list is one value, because
 * many thousand rows take longer to receive than to find.
 */
export function looseStatement(query: PageQuery, place: number): Statement {
  const { values, bind } = binder();
  const conditions = conditionsOf(query, bind);
  const column = ORDER_COLUMN[query.orderBy];
  const way = query.descending ? 'DESC' : 'ASC';
  const first = `ORDER BY key ${way}, id ${way} LIMIT ${bind(query.offset + query.limit)}`;
  const where = (which: string): string => whereOf([which, ...conditions]);
  const select = (which: string): string =>
    `SELECT id, ${column} AS key FROM portfolio ${where(which)}`;
  const ended = [ENDED_WITHOUT_PLACE, `place > ${bind(place)}`].map(select);
  // Those at work may be a hundred thousand. They are counted and listed from their index where it has all that is asked;
  // elsewhere each is read once.
  const isApart = isWalked(query) && !isEndedOnly(query);
  const isAmong = !isApart && !isEndedOnly(query);
  const loose = isAmong ? [select(AT_WORK), ...ended] : ended;
  const counted = isApart ? ` + (SELECT count(*) FROM portfolio ${where(AT_WORK)})` : '';
  const listed = isApart ? ` UNION ALL (${select(AT_WORK)} ${first})` : '';
  const text = `
WITH loose AS MATERIALIZED (${loose.join(' UNION ALL ')}),
shown AS (SELECT id, key FROM (SELECT id, key FROM loose${listed}) AS one ${first})
SELECT (SELECT count(*) FROM loose)${counted} AS count, ids, keys,
  (SELECT array_to_json(array_agg(place)) FROM page_hole) AS holes
FROM (SELECT array_to_json(array_agg(id)) AS ids, array_to_json(array_agg(key)) AS keys FROM shown) AS page`;
  return { text, values };
}

function conditionsOf(query: PageQuery, bind: Bind): string[] {
  const conditions: string[] = [];
  const add = <T>(value: T | undefined, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(bind(value)));
  };
  add(query.account, (p) => `account = ${p}`);
  add(query.accounts, (p) => `account = ANY (${p}::text[])`);
  add(query.portfolioType, (p) => `type = ${p}`);
  add(query.statuses?.map(storedStatus), (p) => `status = ANY (${p}::int[])`);
  add(query.kinds, (p) => `kinds && ${p}::text[]`);
  add(
    query.coinOrSymbol?.toLowerCase(),
    (p) =>
      `(lower(coin COLLATE "C") = ${p} OR EXISTS (
        SELECT 1 FROM unnest(instruments) AS name WHERE strpos(lower(name COLLATE "C"), ${p}) > 0))`,
  );
  add(query.instrument, (p) => `${p} = ANY (instruments)`);
  add(query.note, (p) => `strpos(note, ${p}) > 0`);
  add(query.submittedFrom, (p) => `submitted_at >= ${p}`);
  add(query.submittedTo, (p) => `submitted_at <= ${p}`);
  add(query.updatedAfter, (p) => `updated_at > ${p}`);
  add(query.uids, (p) => `uid = ANY (${p}::text[])`);
  add(query.lastEditedUids, (p) => `last_edited_uid = ANY (${p}::text[])`);
  add(query.strategy, (p) => `strategy = ${p}`);
  if (query.hideFullyUnfilled === true) conditions.push('has_fills');
  return conditions;
}
