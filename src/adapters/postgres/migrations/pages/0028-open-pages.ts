// Pages beside very many portfolios that wait for their start. Those at work are counted and listed in the order of their
// submission from an index, without a look at their rows; those that ended and have no place yet are found without passing
// over those at work, once a second and for every page. Nothing of it is changed by a turn that leaves the status alone.
export const sql = `
CREATE INDEX portfolio_at_work_by_account ON portfolio (account, submitted_at, id) INCLUDE (status) WHERE status IN (1, 4);
CREATE INDEX portfolio_ended_without_place ON portfolio (id) WHERE place IS NULL AND status IN (2, 3);
DROP INDEX portfolio_without_place;
`;
