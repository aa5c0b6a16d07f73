// Writes the generated part of examples/python/twapd.py: the operations and order methods as Python methods, and the
// shapes of their params and results as TypedDicts, from the schemas that parse requests.
import { z } from 'zod';
import type { Method } from '../../../src/gateway/order-api/method.ts';
import { METHODS } from '../../../src/gateway/order-api/method-table.ts';
import { PORTFOLIO_METHODS } from '../../../src/gateway/portfolios/portfolio-methods.ts';
import { TRADING_METHODS } from '../../../src/gateway/trading-routes.ts';
import { type JsonSchema, jsonSchemaOf } from '../../../src/main/json-schema.ts';

interface Operation {
  readonly group: string;
  /** What the client sends: a verb with a path, or the name of a method. */
  readonly wire: string;
  readonly name: string;
  readonly summary: string;
  readonly params: JsonSchema;
  readonly result: JsonSchema;
}

const PORTFOLIOS = '/tt/broker/openapi/portfolios';
const TRADING = '/tt/broker/openapi/trading';
const NOTHING: JsonSchema = { type: 'object', properties: {} };

interface RestMethod {
  readonly name: string;
  readonly verb: string;
  readonly summary: string;
  readonly asked?: z.ZodType | undefined;
  readonly value: z.ZodType;
}

const rest = (group: string, path: string, methods: readonly RestMethod[]): Operation[] =>
  methods.map(({ name, verb, summary, asked, value }) => ({
    group,
    name: name.replaceAll('-', '_'),
    wire: `${verb} ${path}/${name}`,
    summary,
    params: asked === undefined ? NOTHING : jsonSchemaOf(asked),
    result: resultOf(value),
  }));

const resultOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

const GROUPS = { private: 'Private', public: 'Public', block: 'Block' } as const;

function ofMethod({ name, summary, params, result, isWebSocketOnly }: Method): Operation {
  const words = name.split('/');
  const group = GROUPS[words[0] as keyof typeof GROUPS];
  return {
    group: isWebSocketOnly ? `${group}Session` : group,
    name: words.at(-1) ?? '',
    wire: name,
    summary,
    params: jsonSchemaOf(params),
    result: resultOf(result),
  };
}

function allOperations(): Operation[] {
  return [
    ...rest('Portfolios', PORTFOLIOS, PORTFOLIO_METHODS),
    ...rest('Trading', TRADING, TRADING_METHODS),
    ...[...METHODS.values()].map(ofMethod),
  ];
}

/** Shapes that several operations return get the name of the thing; every other that of its operation and field. */
const NAMES: Readonly<Record<string, string>> = {
  [`GET ${PORTFOLIOS}/info`]: 'PortfolioRecord',
  'private/get_order_state': 'Order',
  'private/get_position': 'Position',
  'public/get_instrument': 'Instrument',
  'public/ticker': 'Ticker',
  [`POST ${TRADING}/switch`]: 'Switch',
  [`POST ${TRADING}/override`]: 'Override',
};

/** Texts of results that are decimals, by the end of the field's name. */
const IS_DECIMAL =
  /(?:price|quantity|amount|fee|fees|size|contracts|balance|equity|funds|margin|pnl|profitLoss|loss|volume|limit|used|delta|gamma|vega|theta|rho|iv|bps|usd|cost|value|strike|ratio|notional|interest|implv|offset|shortfall|bids|asks|high|low|last|rate|turnover|change|bound|average|slippage|funding|commission|premium|twap|vwap|total|mark|index|spread|arrival|participation|beyondDepth|available|needed|residual|mid|funding8h|sessionRpl|sessionUpl|quantityBefore|spotReserve|filled|open|delay|market|schedule|unsplit|resting|planned|posted|scale|collar|decision|final|bid|ask|effective|improvement)$/i;
const IS_NO_DECIMAL = /(?:^exchange|Timestamp|Id|Ms|Sec|Index)$/;

const isDecimal = (field: string, { type, enum: words, const: only }: JsonSchema): boolean =>
  type === 'string' &&
  words === undefined &&
  only === undefined &&
  IS_DECIMAL.test(field) &&
  !IS_NO_DECIMAL.test(field);

const KEYWORDS: ReadonlySet<string> = new Set([
  'from',
  'in',
  'is',
  'not',
  'class',
  'global',
  'pass',
]);

const snake = (name: string): string => {
  const made = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return KEYWORDS.has(made) ? `${made}_` : made;
};
const pascal = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

interface Field {
  readonly field: string;
  readonly type: string;
  readonly text: string;
  readonly isRequired: boolean;
}

class Shapes {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly lines: string[] = [];
  readonly decimals = new Set<string>();

  /** The Python type of a value in an answer (`isAnswer`) or a request. */
  typeOf(schema: JsonSchema, name: string, field: string, isAnswer: boolean): string {
    const { type, enum: words, const: only, anyOf = schema.oneOf } = schema;
    if (anyOf !== undefined) {
      const kinds = anyOf.map((one) => this.typeOf(one, name, field, isAnswer));
      return union(kinds);
    }
    if (words !== undefined) return `Literal[${words.map(literal).join(', ')}]`;
    if (only !== undefined) return `Literal[${literal(only)}]`;
    if (Array.isArray(type)) return this.#typeOfSeveral(type, schema, [name, field], isAnswer);
    if (isAnswer && isDecimal(field, schema)) {
      this.decimals.add(field);
      return 'Decimal';
    }
    switch (type) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return isAnswer ? 'Union[int, Decimal]' : 'Number';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array': {
        const item = this.typeOf(schema.items ?? {}, name, field, isAnswer);
        return isAnswer ? `List[${item}]` : `Sequence[${item}]`;
      }
      case 'object':
        return this.#objectOf(schema, name, isAnswer);
      default:
        return 'Any';
    }
  }

  /** A text or `null`, and a number that may be written as a text. */
  #typeOfSeveral(
    types: readonly string[],
    schema: JsonSchema,
    [name, field]: readonly [string, string],
    isAnswer: boolean,
  ): string {
    const present = types.filter((one) => one !== 'null');
    const isWritten = present.includes('string') && present.length > 1;
    const kinds = isWritten
      ? [present.includes('integer') ? 'Id' : 'Number']
      : present.map((type) => this.typeOf({ ...schema, type }, name, field, isAnswer));
    return union(types.includes('null') ? [...kinds, 'None'] : kinds);
  }

  #objectOf(schema: JsonSchema, name: string, isAnswer: boolean): string {
    const { properties, required = [], additionalProperties: rest } = schema;
    if (properties === undefined || Object.keys(properties).length === 0) {
      const of = typeof rest === 'object' ? this.typeOf(rest, `${name}Item`, '', isAnswer) : 'Any';
      return isAnswer ? `Dict[str, ${of}]` : `Mapping[str, ${of}]`;
    }
    const form = JSON.stringify([properties, required, isAnswer]);
    const known = this.#names.get(form);
    if (known !== undefined) return known;
    let own = name;
    for (let n = 2; this.#taken.has(own); n += 1) own = `${name}${n}`;
    this.#names.set(form, own);
    this.#taken.add(own);
    const fields = Object.entries(properties).map(([field, one]) => {
      const type = this.typeOf(one, own + pascal(field), field, isAnswer);
      return { field, type, text: textOf(one), isRequired: required.includes(field) };
    });
    this.#write(own, fields);
    return own;
  }

  #write(name: string, fields: readonly Field[]): void {
    const always = fields.filter(({ isRequired }) => isRequired);
    const sometimes = fields.filter(({ isRequired }) => !isRequired);
    if (always.length > 0 && sometimes.length > 0) {
      this.#writePart(`_${name}`, 'TypedDict', always);
      this.#writePart(name, `_${name}, total=False`, sometimes);
    } else if (always.length > 0) this.#writePart(name, 'TypedDict', always);
    else this.#writePart(name, 'TypedDict, total=False', sometimes);
  }

  #writePart(name: string, base: string, own: readonly Field[]): void {
    if (own.some(({ field }) => KEYWORDS.has(field))) {
      const entries = own.map(({ field, type }) => `"${field}": ${type}`).join(', ');
      this.lines.push(
        `${name} = TypedDict("${name}", {${entries}}${base.endsWith('False') ? ', total=False' : ''})`,
        '',
        '',
      );
      return;
    }
    const line = ({ field, type, text }: Field): string =>
      `    ${field}: ${type}${text === '' ? '' : `  # ${text}`}`;
    this.lines.push(`class ${name}(${base}):`, ...own.map(line), '', '');
  }
}

function union(kinds: readonly string[]): string {
  const one = [...new Set(kinds)];
  const literals = one.filter((kind) => kind.startsWith('Literal['));
  const others = one.filter((kind) => !kind.startsWith('Literal[') && kind !== 'None');
  const all = [
    ...(literals.length === 0
      ? []
      : [`Literal[${literals.map((kind) => kind.slice(8, -1)).join(', ')}]`]),
    ...others,
  ];
  const [first = 'None'] = all;
  const whole = all.length > 1 ? `Union[${all.join(', ')}]` : first;
  return one.includes('None') ? `Optional[${whole}]` : whole;
}

const literal = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);

const textOf = ({ description = '' }: JsonSchema): string => description.replaceAll(/\s+/g, ' ');

/** An older spelling of timeInForce, and the page of a report, which has a method of its own. */
const LEFT_OUT: ReadonlySet<string> = new Set(['timeInforce', 'format']);

function methodLines(operation: Operation, shapes: Shapes): string[] {
  const { wire, name, summary, params, result } = operation;
  const required = params.required ?? [];
  const fields = Object.entries(params.properties ?? {}).filter(([field]) => !LEFT_OUT.has(field));
  const stem = pascal(`${operation.group.replace('Session', '')} ${name}`);
  const args = fields
    .toSorted(([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)))
    .map(([field, schema]) => {
      const type = shapes.typeOf(schema, stem + pascal(field), field, false);
      const whole = type.startsWith('Optional[') ? type : `Optional[${type}]`;
      const text = required.includes(field) ? `${type}` : `${whole} = None`;
      return `        ${snake(field)}: ${text},${textOf(schema) === '' ? '' : `  # ${textOf(schema)}`}`;
    });
  const answer = shapes.typeOf(result, NAMES[wire] ?? `${stem}Result`, '', true);
  const sent = fields.map(([field]) => `"${field}": ${snake(field)}`);
  const call = `self._call("${wire}", {${sent.join(', ')}})`;
  return [
    ...(args.length === 0
      ? [`    def ${name}(self) -> ${answer}:`]
      : [`    def ${name}(`, '        self,', '        *,', ...args, `    ) -> ${answer}:`]),
    `        """${summary}."""`,
    answer === 'None' ? `        ${call}` : `        return cast(${castOf(answer)}, ${call})`,
    '',
  ];
}

const castOf = (type: string): string => `"${type.replaceAll('"', "'")}"`;

const CLASSES = [
  ['Portfolios', '', 'The operations of portfolios.'],
  ['Trading', '', 'Trading switches, overrides of controls, and the use of limits.'],
  ['Private', '', 'Order methods of an account.'],
  ['Public', '', 'Markets, and the session.'],
  ['Block', '', 'Block RFQs.'],
  ['PrivateSession', 'Private', 'Order methods of an account, and those of a connection.'],
  ['PublicSession', 'Public', 'Markets, the session, and the methods of a connection.'],
] as const;

/** The text between the two lines "generated". */
export function pythonClasses(): string {
  const shapes = new Shapes();
  const operations = allOperations();
  for (const { wire, result } of operations.filter(({ wire }) => NAMES[wire] !== undefined)) {
    shapes.typeOf(result, NAMES[wire] ?? '', '', true);
  }
  const classes = CLASSES.flatMap(([name, base, text]) => [
    `class ${name}${base === '' ? '' : `(${base})`}:`,
    `    """${text}"""`,
    '',
    ...(base === ''
      ? ['    def __init__(self, call: _Call) -> None:', '        self._call = call', '']
      : []),
    ...operations
      .filter(({ group }) => group === name)
      .flatMap((operation) => methodLines(operation, shapes)),
    '',
  ]);
  // Levels of books are lists of texts.
  const names = [...shapes.decimals, 'bids', 'asks'].toSorted();
  return [
    `PORTFOLIO_PATH = "${PORTFOLIOS}"`,
    '',
    '# Fields of answers whose text is a decimal.',
    'DECIMAL_FIELDS = frozenset(',
    `    "${[...new Set(names)].join(' ')}".split()`,
    ')',
    '',
    '',
    ...shapes.lines,
    ...classes,
  ].join('\n');
}
