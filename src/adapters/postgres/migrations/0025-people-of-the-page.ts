// Sessions that a proxy opened for a person it has signed in: they end when the proxy names another.
export const sql = `
ALTER TABLE page_session ADD COLUMN person text;
`;
