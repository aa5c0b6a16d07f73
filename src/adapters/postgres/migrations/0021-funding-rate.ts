// The funding rate of perpetuals in the record for cost reports: a fraction in eight hours; NULL = unknown, or no perpetual.
export const sql = `
ALTER TABLE market_second ADD COLUMN funding_rate double precision;
ALTER TABLE leg_moment ADD COLUMN funding_rate double precision;
`;
