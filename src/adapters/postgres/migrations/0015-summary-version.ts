// The version of a portfolio that its summary describes: summaries are also written behind the commit. Those of portfolios at
// work are exact now; others are only written with a turn, and their version is not needed.
export const sql = `
ALTER TABLE summary ADD COLUMN version integer NOT NULL DEFAULT 0;
UPDATE summary SET version = portfolio.version FROM portfolio
WHERE portfolio.id = summary.portfolio AND portfolio.status IN (1, 4);
`;
