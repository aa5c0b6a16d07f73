// Ended portfolios get a place, so that indexes outside the database know which ones they contain. One that
// changes after all loses its place, which is recorded as a hole, and gets another later. An active portfolio
// has none, so a turn never changes a place.
export const sql = `
ALTER TABLE portfolio ADD COLUMN place bigint;
CREATE UNIQUE INDEX portfolio_by_place ON portfolio (place) WHERE place IS NOT NULL;
CREATE INDEX portfolio_without_place ON portfolio (id) WHERE place IS NULL;

CREATE TABLE page_hole (
  place bigint PRIMARY KEY
);

CREATE FUNCTION portfolio_loses_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO page_hole (place) VALUES (OLD.place) ON CONFLICT DO NOTHING;
  NEW.place := NULL;
  RETURN NEW;
END
$$;
CREATE TRIGGER portfolio_changes_after_all BEFORE UPDATE ON portfolio FOR EACH ROW
  WHEN (OLD.place IS NOT NULL AND NEW.version <> OLD.version)
  EXECUTE FUNCTION portfolio_loses_place();
`;
