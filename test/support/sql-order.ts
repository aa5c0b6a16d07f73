// Finds SQL that sorts or groups by the text of a number. ORDER BY and DISTINCT ON prefer an output column to a
// table column, so `SELECT id::text FROM t ORDER BY id` sorts by text: 10 comes before 9.

export interface SortedText {
  readonly column: string;
  readonly clause: string;
}

const LITERAL = /`(?:[^`\\]|\\[\s\S])*`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
const TEXT_TYPE = '(?:text|varchar|character varying|char|bpchar|name|json|jsonb)';
/** `a.b::text`, `b::text AS c`, `f(x)::text AS c`; a parameter (`$1::text`) has no name. */
const CAST = new RegExp(
  String.raw`(?:\b([a-z_]\w*)|\))::${TEXT_TYPE}\b(?!\[)(?:\s+AS\s+"?(\w+)"?)?`,
  'gi',
);
const CAST_CALL = new RegExp(
  String.raw`\bcast\s*\(\s*(?:\w+\.)?(\w+)\s+AS\s+${TEXT_TYPE}\s*\)(?:\s+AS\s+"?(\w+)"?)?`,
  'gi',
);
const CLAUSE =
  /\b(?:ORDER\s+BY|GROUP\s+BY|DISTINCT\s+ON\s*\()\s*((?:[^()`;]|\([^()]*\))*?)(?=\bLIMIT\b|\bFOR\b|\bFROM\b|\)|`|'|;|$)/gi;

/** Checks every SQL text in a source file. */
export const textSorts = (source: string): readonly SortedText[] =>
  (source.match(LITERAL) ?? []).filter((text) => /\bSELECT\b/i.test(text)).flatMap(inSql);

function inSql(sql: string): readonly SortedText[] {
  const named = [...sql.matchAll(CAST), ...sql.matchAll(CAST_CALL)].flatMap(
    ([, column, alias]) => alias ?? column ?? [],
  );
  const columns = new Set(named.map((name) => name.toLowerCase()));
  return [...sql.matchAll(CLAUSE)].flatMap(([clause, list = '']) =>
    list
      .split(',')
      .map((item) => /^\s*"?([a-z_]\w*)"?(?![\w.("])/i.exec(item)?.[1]?.toLowerCase())
      .filter((name) => name !== undefined)
      .filter((name) => columns.has(name))
      .map((column) => ({ column, clause: clause.replaceAll(/\s+/g, ' ').trim() })),
  );
}
