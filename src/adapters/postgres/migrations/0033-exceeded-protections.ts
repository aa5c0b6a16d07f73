// The trades of tripped groups are found by their time, however long the history of a protection is.
export const sql = `
CREATE INDEX mmp_exceeded ON mmp_event (account, kind, ((data->>'tradedAt')::bigint))
  WHERE data->>'kind' = 'exceeded';
`;
