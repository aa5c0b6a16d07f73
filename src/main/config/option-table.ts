// Generates the page of every option: name, accepted values, default, meaning; one list per section.
import type { JsonSchema } from '../json-schema.ts';
import { listItem } from '../pages/wrap-text.ts';
import { OVERRIDES } from './environment.ts';

const INTRODUCTION = `# Configuration

<!-- Made from the schema by \`./twapd schema\`; edit the schema instead. -->

\`npm start -- --config FILE\` reads a YAML file; without it, the file that \`TWAPD_CONFIG\` names, else
\`config/paper.yaml\`. Unknown keys are refused with their line; \`./twapd check\` explains every fault
at once. Relative paths start at the working directory.

In parentheses stand what is accepted and, after a semicolon, the default or *required*. A range without a kind
takes whole numbers. Text that begins with a word in parentheses is about blocks of that kind.

A *secret* is never printed, and its option says where it is:

| Written | Where it is |
|---|---|
| \`env:VARIABLE\` | in an environment variable |
| \`file:PATH\` | in a file that only its owner can read |
| \`credential:NAME\` | in a systemd credential (\`LoadCredential\`) |
| \`[program, argument]\` | a program prints it within 10 s and exits with 0; it runs without a shell |
`;

/** Returns Markdown. */
export function optionTable(config: JsonSchema): string {
  const sections = Object.entries(config.properties ?? {}).map(([name, section]) => {
    const need = config.required?.includes(name) ? ' Required.' : '';
    return `## ${name}\n\n${section.description ?? ''}${need}\n\n${list(rowsOf(name, section))}`;
  });
  return [INTRODUCTION, overrides(), ...sections].join('\n');
}

function overrides(): string {
  const rows = OVERRIDES.map(({ variable, path }) => `| \`${variable}\` | \`${path.join('.')}\` |`);
  const head = '| Variable | Replaces |\n|---|---|';
  return `## Environment\n\nThese variables win over the file.\n\n${head}\n${rows.join('\n')}\n`;
}

interface Row {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Of the block it belongs to, where there is a choice. */
  readonly kind?: string;
}

function list(rows: readonly Row[]): string {
  const items = rows.map(({ path, schema, isRequired }) => {
    const byDefault =
      schema.default === undefined ? (isRequired ? '; required' : '') : `; ${code(schema.default)}`;
    return listItem(`${code(path)} (${accepted(schema)}${byDefault}): ${schema.description ?? ''}`);
  });
  return `${items.join('\n')}\n`;
}

/** Lists leaves only: a block, a list of blocks or a choice of blocks is expanded. */
function rowsOf(path: string, schema: JsonSchema): readonly Row[] {
  if (schema.items !== undefined && isBlock(schema.items)) return rowsOf(`${path}[]`, schema.items);
  if (schema.oneOf !== undefined) {
    const rows = schema.oneOf.flatMap((one) => ofKind(one, rowsOf(path, one)));
    return dedupe(rows, schema.oneOf.length);
  }
  const { additionalProperties: entry, properties } = schema;
  if (properties === undefined) {
    return isMap(schema) && typeof entry === 'object'
      ? rowsOf(`${path}.NAME`, entry)
      : [{ path, schema, isRequired: true }];
  }
  return Object.entries(properties).flatMap(([name, option]): readonly Row[] => {
    const at = `${path}.${name}`;
    if (isBlock(option) || isMap(option) || (option.items !== undefined && isBlock(option.items))) {
      return rowsOf(at, option);
    }
    const isRequired = schema.required?.includes(name) ?? false;
    return [{ path: at, schema: option, isRequired }];
  });
}

/** Each option with the kind of block it belongs to. */
function ofKind(block: JsonSchema, rows: readonly Row[]): readonly Row[] {
  const kind = String(block.properties?.['kind']?.const ?? '');
  return rows.map((row) => ({ ...row, kind }));
}

const isBlock = (schema: JsonSchema): boolean =>
  schema.properties !== undefined || schema.oneOf !== undefined;

/** Blocks by name. */
const isMap = ({ additionalProperties: entry }: JsonSchema): boolean =>
  typeof entry === 'object' && isBlock(entry);

/**
 * The discriminating option is shown once, with all its values; any other once for the kinds in which it is the same,
 * which are named unless they are all.
 */
function dedupe(rows: readonly Row[], kindCount: number): readonly Row[] {
  const byPath = Map.groupBy(rows, (row) => row.path);
  return [...byPath.values()].flatMap((same): readonly Row[] => {
    const [first] = same;
    const values = same.flatMap((row) =>
      row.schema.const === undefined ? [] : [row.schema.const],
    );
    if (first !== undefined && same.length > 1 && values.length > 0) {
      return [{ ...first, schema: { enum: values, description: 'Which kind it is.' } }];
    }
    const alike = Map.groupBy(same, ({ schema, isRequired }) =>
      JSON.stringify([schema, isRequired]),
    );
    return [...alike.values()].flatMap((group) => merged(group, kindCount));
  });
}

function merged(group: readonly Row[], kindCount: number): readonly Row[] {
  const [first] = group;
  if (first === undefined) return [];
  if (group.length === kindCount) return [first];
  const kinds = group.map(({ kind }) => kind).join(', ');
  const description = `(${kinds}) ${first.schema.description ?? ''}`;
  return [{ ...first, schema: { ...first.schema, description } }];
}

function accepted(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (schema.const !== undefined) return code(schema.const);
  // The only options of two types.
  if (schema.anyOf !== undefined) return 'secret';
  if (schema.items !== undefined) return `list of ${accepted(schema.items)}`;
  const { minimum, maximum } = schema;
  const type = TYPES[String(schema.type)] ?? String(schema.type ?? 'any');
  if (minimum === undefined || maximum === undefined) return type;
  const range = `${minimum}…${maximum}`;
  return schema.type === 'integer' ? range : `${type} ${range}`;
}

const TYPES: Readonly<Record<string, string>> = {
  integer: 'whole number',
  number: 'number',
  string: 'text',
  boolean: 'boolean',
  object: 'amounts by name',
};

const code = (value: unknown): string =>
  `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
