// Claims last up to 130 seconds, and a table is in use as long: what was claimed by the minute goes to the table of its period.
const TABLES = [0, 1, 2, 3];

export const sql = `
CREATE TEMPORARY TABLE live_claim ON COMMIT DROP AS
SELECT key, max(until) AS until FROM (
  ${TABLES.map((table) => `SELECT key, until FROM claim_${table}`).join(' UNION ALL ')}
) AS claim WHERE until > extract(epoch FROM now()) * 1000 GROUP BY key;
${TABLES.map(
  (table) => `TRUNCATE claim_${table};
INSERT INTO claim_${table} (key, until)
SELECT key, until FROM live_claim WHERE until / 130000 % 4 = ${table};`,
).join('\n')}
`;
