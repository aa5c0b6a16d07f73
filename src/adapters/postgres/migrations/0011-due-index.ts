// The search for overdue portfolios must not read all that wait. An index on `next_due_at` would end the heap-only
// updates of turns, and cost a slice a tenth of its WAL. So the start of the ten minutes in which a portfolio is due
// is indexed: it changes once in many turns.
export const sql = `
ALTER TABLE portfolio
  ADD COLUMN due_from bigint GENERATED ALWAYS AS (next_due_at - next_due_at % 600000) STORED;
CREATE INDEX portfolio_due ON portfolio (due_from) WHERE status IN (1, 4);
`;
