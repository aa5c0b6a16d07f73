// Whether anything of a portfolio has begun, so that a start need not load what only waits; of those that are there it
// may have.
export const sql = `
ALTER TABLE portfolio ADD COLUMN is_pending boolean NOT NULL DEFAULT false;
`;
