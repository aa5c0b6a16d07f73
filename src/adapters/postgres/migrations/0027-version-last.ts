// What the log records of a turn's update of its portfolio. It gets what lies between the first and the last difference of the
// old row and the new one, so the version moves to the end of the row, where the other columns are that a turn changes: the
// generated column has the table rewritten once, with every version in its new place. And a trigger before an update
// has each row locked first, which is a record of its own: the one that takes the place of an ended portfolio that changes
// comes after it.
export const sql = `
DROP TRIGGER portfolio_changes_after_all ON portfolio;

ALTER TABLE portfolio ADD COLUMN version_last integer GENERATED ALWAYS AS (version) STORED;
ALTER TABLE portfolio ALTER COLUMN version_last DROP EXPRESSION;
ALTER TABLE portfolio ALTER COLUMN version_last SET NOT NULL;
ALTER TABLE portfolio DROP COLUMN version;
ALTER TABLE portfolio RENAME COLUMN version_last TO version;

CREATE OR REPLACE FUNCTION portfolio_loses_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO page_hole (place) VALUES (OLD.place) ON CONFLICT DO NOTHING;
  UPDATE portfolio SET place = NULL WHERE id = OLD.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER portfolio_changes_after_all AFTER UPDATE ON portfolio FOR EACH ROW
  WHEN (OLD.place IS NOT NULL AND NEW.version <> OLD.version)
  EXECUTE FUNCTION portfolio_loses_place();
`;
