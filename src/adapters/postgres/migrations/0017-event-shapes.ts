// The names of an event's fields are stored once, as its shape, not with every event: in a turn, an event is a list of the
// shape's number and the values, or an object as before. The view shows objects, character by character as they were.
export const sql = `
CREATE TABLE event_shape (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  names  text NOT NULL UNIQUE
);
COMMENT ON COLUMN event_shape.names IS 'a JSON list: the kind, then the names of the fields after it, in order';

CREATE OR REPLACE VIEW event AS
SELECT portfolio, version, at, kind, data, batch FROM event_row
UNION ALL
SELECT turn.portfolio, (turn.version - turn.size + stored.place)::integer, (one.data->>'at')::bigint,
  one.data->>'kind', one.data, turn.batch
FROM turn
CROSS JOIN LATERAL json_array_elements(turn.events) WITH ORDINALITY AS stored (data, place)
CROSS JOIN LATERAL (
  SELECT CASE json_typeof(stored.data) WHEN 'object' THEN stored.data ELSE (
    SELECT concat('{"kind":', shape.names::json->0,
      string_agg(concat(',', field.name, ':', given.value), '' ORDER BY given.place), '}')::json
    FROM event_shape AS shape
    CROSS JOIN LATERAL json_array_elements(stored.data) WITH ORDINALITY AS given (value, place)
    JOIN LATERAL json_array_elements(shape.names::json) WITH ORDINALITY AS field (name, place)
      ON field.place = given.place
    WHERE shape.number = (stored.data->>0)::integer AND given.place > 1
    GROUP BY shape.number
  ) END AS data
  OFFSET 0
) AS one;
`;
