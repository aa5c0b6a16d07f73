// The fields of a submission as the daemon's own JSON Schema describes them: which there are, what each accepts, and its help.
// The ticket shows what the schema has, so that an option added to the daemon is on the ticket too.

export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly FieldSchema[];
}

export type FieldKind =
  | ('choice' | 'switch' | 'number' | 'time' | 'text')
  /** A length of time, in the unit that its name ends with. */
  | 'span'
  /** Several texts, separated by commas. */
  | 'texts'
  /** Written as JSON, because it has no fields of its own. */
  | 'json'
  | ('list' | 'object');

/** What is written in a form: texts, and empty ones where nothing is. */
export type Written = string | readonly Written[] | WrittenObject;
export interface WrittenObject {
  readonly [name: string]: Written;
}

/** A submission, as it is sent. */
export type Body = Readonly<Record<string, unknown>>;

export type Path = readonly (string | number)[];

const SECOND_MS = 1_000;

/** As refusals name fields: `legs[0].priceOptions.price`. */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`,
    '',
  );

/** The path of a field as refusals name it. */
export const pathOf = (field: string): Path =>
  [...field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, at]) => name ?? Number(at));

/** Without the null that stands for an absent value. */
export function bare(schema: FieldSchema): FieldSchema {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null');
  return inner === undefined ? schema : { ...bare(inner), ...describedAs(schema) };
}

const describedAs = ({ description }: FieldSchema) => description !== undefined && { description };

const hasType = ({ type }: FieldSchema, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name));

export function kindOf(of: FieldSchema, name = ''): FieldKind {
  const schema = bare(of);
  if (schema.enum !== undefined) return 'choice';
  if (schema.properties !== undefined) return 'object';
  if (hasType(schema, 'object')) return 'json';
  if (hasType(schema, 'array')) {
    const item = kindOf(schema.items ?? {});
    return item === 'object' || item === 'json' ? 'list' : 'texts';
  }
  if (hasType(schema, 'boolean')) return 'switch';
  if (name.endsWith('Timestamp')) return 'time';
  const isText = hasType(schema, 'string');
  const isNumber = !isText && (hasType(schema, 'number') || hasType(schema, 'integer'));
  if (isNumber && spanUnitMs(name) !== undefined) return 'span';
  return isNumber ? 'number' : 'text';
}

/** Milliseconds in the unit of a length of time; `undefined` of every other field. */
export const spanUnitMs = (name: string): number | undefined =>
  name.endsWith('Sec') ? SECOND_MS : name.endsWith('Ms') ? 1 : undefined;

export interface Choice {
  readonly value: string;
  readonly title: string;
}

/** Numbers have their names in the description: "1 BUY, 2 SELL". */
export function choicesOf(of: FieldSchema): readonly Choice[] {
  const { enum: values = [], description = '' } = bare(of);
  return values.map((value) => {
    const name = new RegExp(`\\b${value} ([A-Z_]+)`).exec(description)?.[1];
    return {
      value: String(value),
      title: typeof value === 'number' && name ? name : String(value),
    };
  });
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

/** The value to send; what is written wrongly is left for the daemon to refuse, with what it would accept. */
export function sentValue(written: Written | undefined, of: FieldSchema, name = ''): unknown {
  const schema = bare(of);
  const text = typeof written === 'string' ? written.trim() : '';
  switch (kindOf(schema, name)) {
    case 'object':
      return objectOf(isObject(written) ? written : {}, schema);
    case 'list': {
      const items = Array.isArray(written) ? (written as readonly Written[]) : [];
      return items.map((item) => sentValue(item, schema.items ?? {}) ?? {});
    }
    case 'texts': {
      const items = text.split(',').map((one) => one.trim());
      return items.filter((one) => one !== '');
    }
    case 'choice':
      return hasType(schema, 'integer') ? numberOf(text) : orAbsent(text);
    case 'switch':
      return text === 'true' ? true : text === 'false' ? false : orAbsent(text);
    case 'number':
    case 'span':
      return numberOf(text);
    case 'json':
      return jsonOf(text);
    case 'time':
    case 'text':
      return orAbsent(text);
  }
}

/** As a number where that says the same: not with an exponent, and not what is none. */
function numberOf(text: string): number | string | undefined {
  const isPlain = NUMBER.test(text) && !String(Number(text)).includes('e');
  return isPlain ? Number(text) : orAbsent(text);
}

const orAbsent = (text: string): string | undefined => (text === '' ? undefined : text);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return orAbsent(text);
  }
}

const isObject = (written: Written | undefined): written is WrittenObject =>
  typeof written === 'object' && !Array.isArray(written);

const isNothing = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

function objectOf(written: WrittenObject, { properties = {}, required = [] }: FieldSchema) {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const value = sentValue(written[name], schema, name);
      const isLeftOut = required.includes(name) ? value === undefined : isNothing(value);
      return isLeftOut ? [] : [[name, value]];
    }),
  );
}

/** What a form shows of a submission; what the schema does not have is left out. */
export function writtenOf(value: unknown, of: FieldSchema, name = ''): Written {
  const schema = bare(of);
  const kind = kindOf(schema, name);
  if (kind === 'object') {
    const given = (typeof value === 'object' ? value : null) as Record<string, unknown> | null;
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
        const own = given?.[key];
        return own === undefined || own === null ? [] : [[key, writtenOf(own, inner, key)]];
      }),
    );
  }
  if (kind === 'list') {
    return Array.isArray(value) ? value.map((item) => writtenOf(item, schema.items ?? {})) : [];
  }
  if (kind === 'texts') return Array.isArray(value) ? value.join(', ') : '';
  if (value === undefined || value === null) return '';
  return kind === 'json' ? JSON.stringify(value) : String(value);
}

/** `written` with another value at `path`. */
export function withWritten(
  written: Written | undefined,
  [step, ...rest]: Path,
  value: Written,
): Written {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const items = Array.isArray(written) ? (written as readonly Written[]) : [];
    return items.map((item, at) => (at === step ? withWritten(item, rest, value) : item));
  }
  const before = isObject(written) ? written : {};
  return { ...before, [step]: withWritten(before[step], rest, value) };
}

export function writtenAt(written: Written | undefined, path: Path): Written | undefined {
  return path.reduce<Written | undefined>((at, step) => {
    if (typeof step === 'number') {
      return Array.isArray(at) ? (at as readonly Written[])[step] : undefined;
    }
    return isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, written);
}

/** Whether anything is written in it. */
export const isWritten = (written: Written | undefined): boolean =>
  typeof written === 'string'
    ? written.trim() !== ''
    : written !== undefined && Object.values(written).some((one) => isWritten(one as Written));
