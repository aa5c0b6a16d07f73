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
  // Spelled out, so that the database uses the small index of active portfolios.
  if (isAtWorkOnly(query)) conditions.push('status IN (1, 4)');
  const column = ORDER_COLUMN[query.orderBy];
  const way = query.descending ? 'DESC' : 'ASC';
  const text = `
WITH hit AS MATERIALIZED (SELECT id, ${column} AS sort FROM portfolio ${whereOf(conditions)}),
shown AS (SELECT id FROM hit ORDER BY sort ${way}, id ${way}
  LIMIT ${bind(query.limit)} OFFSET ${bind(query.offset)})
SELECT (SELECT count(*) FROM hit) AS total, p.*, summary_record(s.record) AS record, s.version AS record_version
FROM (VALUES (1)) AS one LEFT JOIN (
  shown JOIN portfolio p USING (id) JOIN summary s ON s.portfolio = shown.id
) ON true
ORDER BY p.${column} ${way}, p.id ${way}`;
  return { text, values };
}

/** Whether the query excludes all ended portfolios. */
export const isAtWorkOnly = ({ statuses }: PageQuery): boolean =>
  statuses?.every((status) => !isTerminal(status)) ?? false;

/**
 * Of the matches among portfolios without a place and those placed after `place`: in one row how many there are, as
 * `count`, and id and sort key of those that may be on the page; also, as `hole`, the places that were given up.
 */
export function looseStatement(query: PageQuery, place: number): Statement {
  const { values, bind } = binder();
  const conditions = conditionsOf(query, bind);
  const column = ORDER_COLUMN[query.orderBy];
  const way = query.descending ? 'DESC' : 'ASC';
  const select = (which: string): string =>
    `SELECT id, ${column} AS key FROM portfolio ${whereOf([which, ...conditions])}`;
  const text = `
WITH loose AS MATERIALIZED (
  ${select('place IS NULL')} UNION ALL ${select(`place > ${bind(place)}`)}
)
SELECT NULL::bigint AS id, NULL::bigint AS key, NULL::bigint AS hole, count(*) AS count FROM loose
UNION ALL (SELECT id, key, NULL, NULL FROM loose ORDER BY key ${way}, id ${way}
  LIMIT ${bind(query.offset + query.limit)})
UNION ALL SELECT NULL, NULL, place, NULL FROM page_hole`;
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
