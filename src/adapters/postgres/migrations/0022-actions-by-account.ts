// Pages of the audit trail are read by account, newest first.
export const sql = `
CREATE INDEX action_by_account ON action (account, at, seq);
`;
