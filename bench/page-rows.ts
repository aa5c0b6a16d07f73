// A million ended portfolios and two thousand active ones, all on one account, which is the hardest case:
// three years, most of them from strategies with their own notes, some with a note each, half of them on
// options that are listed and expire.
export const ACCOUNT = '10001';
export const OVER = 1_000_000;
export const AT_WORK = 2_000;
export const FIRST_AT = 1_700_000_000_000;
export const SPAN_MS = 94_608_000_000;

const coin = `(ARRAY['BTC','ETH','SOL','XRP','BTC','ETH','BTC','BTC'])[1 + (hashint8(i) & 7)]`;
const perpetual = `${coin} || '-PERPETUAL'`;
const option = `${coin} || '-' || to_char(date_trunc('week', to_timestamp((${FIRST_AT} + i * ${SPAN_MS / OVER}) / 1000)) + interval '25 days', 'DDMONYY')
  || '-' || (20000 + 1000 * (hashint8(i * 3) & 127)) || (CASE WHEN i % 2 = 0 THEN '-C' ELSE '-P' END)`;

/** Parameters: the first number and the last. */
export const INSERT_PORTFOLIOS = `
INSERT INTO portfolio (id, version, account, type, status, strategy, note, uid, last_edited_uid,
  instruments, kinds, coin, submitted_at, updated_at, next_due_at, has_fills, key, shard)
SELECT ${FIRST_AT * 1_000} + i * 1000, 40, '${ACCOUNT}',
  CASE WHEN i % 5 = 0 THEN 'BALANCE' ELSE 'TWAP' END,
  CASE WHEN i > ${OVER} THEN 1 WHEN i % 10 < 7 THEN 2 ELSE 3 END,
  'strategy ' || (hashint8(i * 5) & 63),
  CASE WHEN i % 10 < 7 THEN 'daily roll of book ' || (hashint8(i * 7) & 255)
    ELSE 'ticket ' || i || ' for desk ' || (i % 7) END,
  (7000 + (hashint8(i * 11) & 31))::text, (7000 + (hashint8(i * 13) & 31))::text,
  CASE WHEN i % 4 < 2 THEN ARRAY[${perpetual}]
    WHEN i % 4 = 2 THEN ARRAY[${option}] ELSE ARRAY[${option}, ${perpetual}] END,
  CASE WHEN i % 4 < 2 THEN ARRAY['perpetual']
    WHEN i % 4 = 2 THEN ARRAY['option'] ELSE ARRAY['option', 'perpetual'] END,
  ${coin},
  ${FIRST_AT} + i * ${SPAN_MS / OVER}, ${FIRST_AT} + i * ${SPAN_MS / OVER} + 300000 + (hashint8(i * 17) & 67108863),
  CASE WHEN i > ${OVER} THEN ${FIRST_AT + SPAN_MS} END, i % 12 > 0, 'bench-' || i, 0
FROM generate_series($1::bigint, $2::bigint) AS i`;

/** Parameters: the record, then the first number and the last. */
export const INSERT_SUMMARIES = `
INSERT INTO summary (portfolio, record)
SELECT ${FIRST_AT * 1_000} + i * 1000, $1::json FROM generate_series($2::bigint, $3::bigint) AS i`;
