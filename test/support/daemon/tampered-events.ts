// Statements that falsify stored events as somebody with access to the database could.

/** One event of a portfolio gets another value for a field; the other events of its turn stay as they are. */
export const eventChanged = (
  portfolio: string,
  { version, field, value }: { version: number; field: string; value: string },
): string => `UPDATE turn SET events = (
  SELECT json_agg(CASE event.version WHEN ${version}
    THEN jsonb_set(event.data::jsonb, '{${field}}', '${value}')::json ELSE event.data END ORDER BY event.version)
  FROM event WHERE event.portfolio = turn.portfolio
  AND event.version BETWEEN turn.version - turn.size + 1 AND turn.version)
WHERE portfolio = ${portfolio} AND ${version} BETWEEN version - size + 1 AND version`;

/** The turn with this event is deleted. */
export const turnDeleted = (portfolio: string, version: number): string =>
  `DELETE FROM turn WHERE portfolio = ${portfolio} AND ${version} BETWEEN version - size + 1 AND version`;

/** The turns after the one with this event are deleted. */
export const laterTurnsDeleted = (portfolio: string, version: number): string =>
  `DELETE FROM turn WHERE portfolio = ${portfolio} AND version - size >= ${version}`;
