// Malicious requests generated from the served OpenAPI document: each operation's own example with one field
// after another replaced, duplicated, added or wrapped. The target of each attack is known, so that the refusal
// can be checked against it.

export interface Operation {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly query: Readonly<Record<string, string>>;
}

export interface Attack {
  readonly family: Family;
  readonly operation: Operation;
  /** Dotted path of the attacked field; absent if the request as a whole is attacked. */
  readonly field?: string | undefined;
  readonly query?: string | undefined;
  readonly raw?: string | Uint8Array<ArrayBuffer> | undefined;
  readonly contentType?: string | undefined;
}

export type Family =
  | 'types swapped'
  | 'huge numbers'
  | 'deep nesting'
  | 'duplicate keys'
  | 'wrong charset'
  | 'prototype keys'
  | 'unicode'
  | 'unknown fields'
  | 'long text and lists';

/** JSON texts that replace a value. */
const REPLACEMENTS: Readonly<Partial<Record<Family, readonly string[]>>> = {
  'types swapped': ['null', 'true', '7', '"text"', '[]', '{}', '[[]]', '""', '0.5'],
  'huge numbers': [
    '1e400',
    '-1e400',
    '9'.repeat(400),
    '9007199254740993',
    '-9223372036854775809',
    '0.1e-400',
    `"${'9'.repeat(400)}"`,
    '"1e9999999"',
    '"0x1F"',
  ],
  'deep nesting': [
    `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
    `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
  ],
  unicode: ['"\\ud800"', '"\\u0000"', '"𝟙𝟚"', '"\\u202e1"', '"ﷺ"', '" 1"', '"1\\n"', '"NaN"'],
  'long text and lists': [
    JSON.stringify('x'.repeat(20_000)),
    JSON.stringify(Array.from({ length: 1_500 }, () => 1)),
  ],
};

const PROTOTYPE_MEMBERS = [
  '"__proto__":{"isAdmin":true}',
  '"constructor":{"prototype":{"isAdmin":true}}',
  '"prototype":{}',
];

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
}

interface Documented {
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly example?: unknown } };
  };
  readonly parameters?: readonly Parameter[];
}

/** Operations with params or a body. */
export function operationsOf(document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
}): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, parameters = [] }]) => {
      const query = Object.fromEntries(
        parameters.flatMap(({ name, example }) =>
          example === undefined ? [] : [[name, String(example)]],
        ),
      );
      const body = requestBody?.content['application/json'].example;
      if (body === undefined && Object.keys(query).length === 0) return [];
      const isPost = method === 'post';
      const read = body as Readonly<Record<string, unknown>> | undefined;
      return [{ path, method: isPost ? 'POST' : 'GET', body: read, query } as const];
    }),
  );
}

export function attacksOn(operation: Operation): Attack[] {
  return operation.body === undefined ? onQuery(operation) : onBody(operation, operation.body);
}

function onBody(operation: Operation, body: Readonly<Record<string, unknown>>): Attack[] {
  const text = JSON.stringify(body);
  const at = (family: Family, raw: string, field?: string): Attack => ({
    family,
    operation,
    raw,
    field,
  });
  const fields = leavesOf(body);
  return [
    ...fields.flatMap((field) =>
      Object.entries(REPLACEMENTS).flatMap(([family, values]) =>
        values.map((value) => at(family as Family, replaced(body, field, value), field)),
      ),
    ),
    ...fields.map((field) => at('duplicate keys', doubled(text, field), field)),
    ...PROTOTYPE_MEMBERS.map((member) => at('prototype keys', text.replace('{', `{${member},`))),
    ...objectsOf(body).map((field) =>
      at('unknown fields', replaced(body, `${field}nonsense`, '{"a":[1]}')),
    ),
    ...charsets(operation, text),
  ];
}

function charsets(operation: Operation, text: string): Attack[] {
  const raws: (readonly [string | Uint8Array<ArrayBuffer>, string])[] = [
    [new Uint8Array(Buffer.from(text, 'utf16le')), 'application/json; charset=utf-16'],
    [new Uint8Array(Buffer.from(text, 'utf16le')), 'application/json'],
    [new Uint8Array([...Buffer.from(text.slice(0, -1)), 0xff, 0xfe, 0x7d]), 'application/json'],
    [`\ufeff${text}`, 'application/json'],
    [text, 'application/json; charset=latin1'],
    [text, 'text/plain'],
  ];
  return raws.map(([raw, contentType]) => ({
    family: 'wrong charset',
    operation,
    raw,
    contentType,
  }));
}

const QUERY_VALUES: readonly (readonly [Family, string])[] = [
  ['types swapped', 'text'],
  ['types swapped', ''],
  ['types swapped', '-1'],
  ['types swapped', '0.5'],
  ['huge numbers', '9'.repeat(300)],
  ['huge numbers', '9007199254740993'],
  ['huge numbers', '1e400'],
  ['unicode', '%00'],
  ['unicode', '%F0%9D%9F%99'],
  ['wrong charset', '%ff%fe'],
  ['wrong charset', '%'],
  ['long text and lists', 'x'.repeat(5_000)],
];

function onQuery(operation: Operation): Attack[] {
  const names = Object.keys(operation.query);
  const text = (over: Readonly<Record<string, string>>): string =>
    Object.entries({ ...operation.query, ...over })
      .map(([name, value]) => `${encodeURIComponent(name)}=${value}`)
      .join('&');
  const whole = text({});
  return [
    ...names.flatMap((field) =>
      QUERY_VALUES.map(
        ([family, value]): Attack => ({
          family,
          operation,
          field,
          query: text({ [field]: value }),
        }),
      ),
    ),
    ...names.map(
      (field): Attack => ({
        family: 'duplicate keys',
        operation,
        field,
        query: `${whole}&${field}=nonsense`,
      }),
    ),
    { family: 'prototype keys', operation, query: `${whole}&__proto__=1&constructor[prototype]=1` },
    { family: 'unknown fields', operation, query: `${whole}&nonsense=1` },
    { family: 'deep nesting', operation, query: `${whole}&a${'[b]'.repeat(1_000)}=1` },
  ];
}

/** Dotted paths of all scalar values. */
function leavesOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, one]) =>
    leavesOf(one, at === '' ? name : `${at}.${name}`),
  );
}

/** Prefixes at which a field can be added: paths of all objects, ready to be followed by a name. */
function objectsOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [at];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, one]) => objectsOf(one, `${at}${name}.`)),
  ];
}

const MARK = 'the value under attack';

/** The body as text, with `json` in place of the value at `field`. */
function replaced(body: object, field: string, json: string): string {
  const copy = structuredClone(body) as Record<string, unknown>;
  const names = field.split('.');
  const last = names.pop() ?? '';
  let at: Record<string, unknown> = copy;
  for (const name of names) at = at[name] as Record<string, unknown>;
  at[last] = MARK;
  return JSON.stringify(copy).replace(JSON.stringify(MARK), () => json);
}

/** Duplicates the key of `field`, with a different value, before the original. */
function doubled(text: string, field: string): string {
  const name = JSON.stringify(field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? field);
  return text.replace(`${name}:`, () => `${name}:[{"other":1}],${name}:`);
}
