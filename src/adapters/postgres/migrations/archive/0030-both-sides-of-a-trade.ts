// Fills of both sides of a trade between two portfolios: its venue, currency and id were the key, so that the second side had no
// row, neither here nor in the archive of its day.
export const sql = `
ALTER TABLE fill DROP CONSTRAINT fill_pkey;
ALTER TABLE fill ADD PRIMARY KEY (venue, currency, trade_id, label);
`;
