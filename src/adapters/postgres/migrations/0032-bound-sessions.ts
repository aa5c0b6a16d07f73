// Sessions and codes of the page are bound to the secret of their key. Those from before are not: people sign in again.
export const sql = `
DELETE FROM page_session;
DELETE FROM page_code;
ALTER TABLE page_session ADD COLUMN mac text NOT NULL;
ALTER TABLE page_code ADD COLUMN mac text NOT NULL;
`;
