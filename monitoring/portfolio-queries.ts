// The ledger's data on one portfolio, as SQL. Variables are inserted as quoted literals: anyone who can see
// a dashboard can choose their values, so they are never inserted raw.

const literal = (variable: string): string => `\${${variable}:sqlstring}`;
const ID = `${literal('portfolio')}::bigint`;
const LEG = `${literal('leg')}::int`;

/** Rows a table shows at most. */
const ROWS_MAX = 2_000;

const time = (column: string): string => `to_timestamp(${column} / 1000.0)`;

/** Leg, slice and attempt are in the label of a child: `tw1-deployment-portfolio-leg-slice-attempt`. */
const part = (label: string, place: 'leg' | 'slice' | 'attempt'): string =>
  `split_part(${label}, '-', ${{ leg: 4, slice: 5, attempt: 6 }[place]})::int`;

/** With its record, wherever that lies. */
const SUMMARY = '(SELECT portfolio, summary_record(record) AS record FROM summary) s';

const LEGS = `leg AS (
  SELECT (l.place - 1)::int AS leg, l.leg->>'instrument' AS instrument, l.leg->>'side' AS side,
         (l.leg->>'quantity')::numeric AS quantity
  FROM ${SUMMARY}, json_array_elements(s.record->'legs') WITH ORDINALITY AS l (leg, place)
  WHERE s.portfolio = ${ID}
)`;

/** The newest first; the value is the id. */
export const PORTFOLIOS = `SELECT p.id::text AS __value,
  concat_ws(' · ', p.id::text, (ARRAY['active', 'filled', 'cancelled', 'cancelling'])[p.status], p.strategy,
    nullif(p.note, ''), array_to_string(p.instruments, ' ')) AS __text
FROM portfolio p ORDER BY p.submitted_at DESC, p.id DESC LIMIT 500`;

export const LEG_CHOICE = `WITH ${LEGS}
SELECT leg::text AS __value, concat(leg, ': ', side, ' ', instrument) AS __text FROM leg ORDER BY leg.leg`;

export const HEAD = `SELECT p.id::text AS portfolio,
  (ARRAY['active', 'filled', 'cancelled', 'cancelling'])[p.status] AS status,
  coalesce(s.record->>'reason', '') AS reason, p.account, p.type, coalesce(p.strategy, '') AS strategy, p.note, p.uid,
  ${time('p.submitted_at')} AS submitted,
  ${time("(s.record->>'startAt')::bigint")} AS starts, ${time("(s.record->>'endAt')::bigint")} AS ends,
  ${time('p.updated_at')} AS updated, p.version AS events
FROM portfolio p JOIN ${SUMMARY} ON s.portfolio = p.id WHERE p.id = ${ID}`;

export const LEGS_NOW = `SELECT (l.place - 1)::int AS leg, l.leg->>'instrument' AS instrument, l.leg->>'side' AS side,
  (l.leg->>'filled')::numeric / nullif((l.leg->>'quantity')::numeric, 0) AS filled_share,
  (l.leg->>'scheduled')::numeric / nullif((l.leg->>'quantity')::numeric, 0) AS scheduled_share,
  l.leg->>'filled' AS filled, l.leg->>'quantity' AS quantity, l.leg->>'quantityIn' AS unit,
  l.leg->>'averagePrice' AS average, l.leg->>'outstanding' AS outstanding,
  (l.leg->'slices'->>'planned')::int AS planned, (l.leg->'slices'->>'placed')::int AS placed,
  (l.leg->'slices'->>'missed')::int AS missed, (l.leg->>'reprices')::int AS reprices,
  coalesce(l.leg->>'waiting', '') AS waiting,
  (SELECT string_agg(concat(f->>'amount', ' ', f->>'currency'), ', ') FROM json_array_elements(l.leg->'fees') AS f) AS fees
FROM ${SUMMARY}, json_array_elements(s.record->'legs') WITH ORDINALITY AS l (leg, place)
WHERE s.portfolio = ${ID} ORDER BY l.place`;

/** Filled ÷ target of each leg after each of its fills. */
export const FILLED = `WITH ${LEGS}, filled AS (
  SELECT e.at, e.version, coalesce((e.data->>'leg')::int, ${part("e.data->>'label'", 'leg')}) AS leg,
         (e.data->>'quantity')::numeric AS quantity
  FROM event e WHERE e.portfolio = ${ID} AND e.kind IN ('fill_booked', 'fill_mirrored')
)
SELECT ${time('f.at')} AS "time", concat(leg.leg, ': ', leg.side, ' ', leg.instrument) AS metric,
  (sum(f.quantity) OVER (PARTITION BY f.leg ORDER BY f.version) / leg.quantity)::float8 AS value
FROM filled f JOIN leg USING (leg) ORDER BY f.at, f.version`;

/** The even pace from start to end; nothing where a portfolio has no end of its own. */
export const SCHEDULED = `SELECT ${time('t.at')} AS "time", 'even pace' AS metric,
  ((t.at - t.start) / t.duration)::float8 AS value
FROM (
  SELECT (s.record->>'startAt')::numeric AS start, nullif((s.record->>'durationMs')::numeric, 0) AS duration,
         (s.record->>'startAt')::numeric + step * (s.record->>'durationMs')::numeric / 100 AS at
  FROM ${SUMMARY}, generate_series(0, 100) AS step WHERE s.portfolio = ${ID}
) AS t WHERE t.duration IS NOT NULL ORDER BY t.at`;

/** Prices intended, changed and traded of the chosen leg; one that only crosses the market has no price of its own. */
export const PRICES = `SELECT ${time('e.at')} AS "time",
  CASE e.kind WHEN 'child_intended' THEN 'order' WHEN 'edit_done' THEN 'repriced' ELSE 'fill' END AS metric,
  (e.data->>'price')::float8 AS value
FROM event e
WHERE e.portfolio = ${ID} AND e.kind IN ('child_intended', 'edit_done', 'fill_booked')
  AND e.data->>'timeInForce' IS DISTINCT FROM 'immediate_or_cancel'
  AND ${part("e.data->>'label'", 'leg')} = ${LEG}
ORDER BY e.at, e.version`;

/** Slices of all legs with what was placed and filled for them, and how late the first order was intended. */
export const SLICES = `WITH child AS (
  SELECT ${part("e.data->>'label'", 'leg')} AS leg, ${part("e.data->>'label'", 'slice')} AS slice,
         count(*) AS children, min(e.at) AS first_at
  FROM event e WHERE e.portfolio = ${ID} AND e.kind = 'child_intended' GROUP BY 1, 2
), ended AS (
  SELECT (e.data->>'leg')::int AS leg, (e.data->>'slice')::int AS slice, e.data->>'filled' AS filled,
         e.data->>'returned' AS returned
  FROM event e WHERE e.portfolio = ${ID} AND e.kind = 'slice_ended'
), waited AS (
  SELECT (e.data->>'leg')::int AS leg, (e.data->>'slice')::int AS slice,
         string_agg(DISTINCT e.data->>'reason', ', ') AS waited
  FROM event e WHERE e.portfolio = ${ID} AND e.kind = 'slice_waiting' GROUP BY 1, 2
), begun AS (
  SELECT (e.data->>'leg')::int AS leg, (e.data->>'slice')::int AS slice, (e.data->>'dueAt')::bigint AS due,
         e.data->>'planned' AS planned, e.data->>'quantity' AS asked
  FROM event e WHERE e.portfolio = ${ID} AND e.kind = 'slice_started'
)
SELECT ${time('b.due')} AS due, b.leg, b.slice, b.planned, b.asked, coalesce(x.filled, '') AS filled,
  coalesce(x.returned, '') AS returned, coalesce(c.children, 0) AS children,
  (c.first_at - b.due) / 1000.0 AS late, coalesce(w.waited, '') AS waited
FROM begun b LEFT JOIN child c USING (leg, slice) LEFT JOIN ended x USING (leg, slice) LEFT JOIN waited w USING (leg, slice)
ORDER BY b.due DESC, b.leg LIMIT ${ROWS_MAX}`;

/** Child orders with the last thing known of each. */
export const CHILDREN = `WITH last AS (
  SELECT DISTINCT ON (e.data->>'label') e.data->>'label' AS label, e.kind, e.at, e.data
  FROM event e WHERE e.portfolio = ${ID}
    AND e.kind IN ('child_live', 'child_rejected', 'child_unknown', 'child_unsent', 'child_closed')
  ORDER BY e.data->>'label', e.version DESC
), filled AS (
  SELECT e.data->>'label' AS label, sum((e.data->>'quantity')::numeric) AS filled
  FROM event e WHERE e.portfolio = ${ID} AND e.kind = 'fill_booked' GROUP BY 1
)
SELECT ${time('i.at')} AS intended, (i.data->>'leg')::int AS leg, (i.data->>'slice')::int AS slice,
  (i.data->>'attempt')::int AS attempt, i.data->>'side' AS side, i.data->>'quantity' AS quantity, i.data->>'price' AS price,
  coalesce(f.filled, 0)::text AS filled,
  CASE WHEN l.kind = 'child_closed' THEN l.data->>'state' ELSE coalesce(substr(l.kind, 7), 'sending') END AS state,
  coalesce(l.data->>'reason', l.data->>'message', '') AS why, l.data->>'orderId' AS order_id, i.data->>'label' AS label
FROM event i LEFT JOIN last l ON l.label = i.data->>'label' LEFT JOIN filled f ON f.label = i.data->>'label'
WHERE i.portfolio = ${ID} AND i.kind = 'child_intended' ORDER BY i.version DESC LIMIT ${ROWS_MAX}`;

export const FILLS = `SELECT ${time("(e.data->>'tradedAt')::bigint")} AS traded,
  coalesce((e.data->>'leg')::int, ${part("e.data->>'label'", 'leg')}) AS leg, e.data->>'quantity' AS quantity,
  e.data->>'price' AS price, coalesce(e.data->>'fee', '') AS fee, coalesce(e.data->>'feeCurrency', '') AS fee_currency,
  e.data->>'liquidity' AS liquidity, e.data->>'tradeId' AS trade, coalesce(e.data->>'label', '') AS label
FROM event e WHERE e.portfolio = ${ID} AND e.kind IN ('fill_booked', 'fill_mirrored')
ORDER BY e.version DESC LIMIT ${ROWS_MAX}`;

export const EVENTS = `SELECT ${time('e.at')} AS at, e.version, e.kind, e.data::text AS event
FROM event e WHERE e.portfolio = ${ID} ORDER BY e.version DESC LIMIT 500`;
