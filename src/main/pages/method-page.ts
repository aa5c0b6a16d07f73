// Generates the page of the order methods: params, results and an example of each, from the table that serves
// them.
import type { Method } from '../../gateway/order-api/method.ts';
import { METHODS } from '../../gateway/order-api/method-table.ts';
import { orderSchema } from '../../gateway/order-api/orders/order-schema.ts';
import { tradeSchema } from '../../gateway/order-api/trades/trade-view.ts';
import { type JsonSchema, jsonSchemaOf } from '../json-schema.ts';
import { listItem, wrapped } from './wrap-text.ts';

const INTRODUCTION = `# The order methods

<!-- Made from the method table by \`./twapd schema\`; edit the table instead. -->

\`POST /api/<method>\` or a frame on \`/ws/api\`, both \`{rid, method, params}\`. Requests, answers, channels and
errors are described in \`docs/interface.md\`; this page lists the params and the result of each method. Decimals
may be text or JSON numbers in params and are text in results. Private methods take \`accountId\`, an account of
the key; the default is its first account.

A param that ends in \`?\` is optional, and \`null\` means absent. Params that are not explained below their
method are in [Shared params](#shared-params).
`;

/** Returns Markdown. */
export function methodPage(): string {
  const methods = [...METHODS.values()].map(withParams);
  const shared = sharedParams(methods);
  const described = new Map<string, string>();
  return [
    INTRODUCTION,
    ...methods.map((method) => methodSection(method, shared, described)),
    `## Shared params\n\n${[...shared.values()].join('\n')}\n`,
    `## The order\n\n${fieldList(jsonSchemaOf(orderSchema))}`,
    `## The trade\n\n${fieldList(jsonSchemaOf(tradeSchema))}`,
  ].join('\n');
}

/** A method with its params, without those that every private method takes. */
interface Described {
  readonly method: Method;
  readonly params: readonly Param[];
}

interface Param {
  readonly name: string;
  readonly isRequired: boolean;
  /** Kind and meaning, as an item of a list. */
  readonly item: string;
}

function withParams(method: Method): Described {
  const { properties = {}, required = [] } = jsonSchemaOf(method.params);
  const params = Object.entries(properties).flatMap(([name, field]): readonly Param[] => {
    if (name === 'accountId') return [];
    return [{ name, isRequired: required.includes(name), item: itemText(name, field) }];
  });
  return { method, params };
}

/** Of each name the description that most methods have, if several have it: explained once for all of them. */
function sharedParams(methods: readonly Described[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(
    methods.flatMap(({ params }) => params),
    ({ name }) => name,
  );
  return new Map(
    [...byName].flatMap(([name, params]): readonly (readonly [string, string])[] => {
      const [most = []] = [...Map.groupBy(params, ({ item }) => item).values()].toSorted(
        (one, other) => other.length - one.length,
      );
      const [first] = most;
      return first === undefined || most.length < 2 ? [] : [[name, first.item]];
    }),
  );
}

/** @param described params of earlier methods, by what they are: a later method with the same refers to the first. */
function methodSection(
  { method, params }: Described,
  shared: ReadonlyMap<string, string>,
  described: Map<string, string>,
): string {
  const { name, summary, example, isWebSocketOnly } = method;
  const where = isWebSocketOnly ? ' Over `/ws/api` only.' : '';
  const request = JSON.stringify({ rid: 1, method: name, params: example });
  return [
    `## ${name}\n`,
    wrapped(
      `${summary}. ${NEEDS[method.needs]}.${where} Result: ${resultText(jsonSchemaOf(method.result))}.\n`,
    ),
    `${paramText(name, params, shared, described)}\n`,
    `\`\`\`json\n${request}\n\`\`\`\n`,
  ].join('\n');
}

function paramText(
  method: string,
  params: readonly Param[],
  shared: ReadonlyMap<string, string>,
  described: Map<string, string>,
): string {
  if (params.length === 0) return 'No params.';
  const list = params
    .map(({ name, isRequired }) => `\`${name}${isRequired ? '' : '?'}\``)
    .join(', ');
  const own = params.flatMap(({ name, item }) => (shared.get(name) === item ? [] : [item]));
  const text = [wrapped(`Params: ${list}.`), own.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
  const first = described.get(text);
  if (first !== undefined && params.length > 3) return `Params: as of \`${first}\`.`;
  described.set(text, method);
  return text;
}

const NEEDS: Readonly<Record<Method['needs'], string>> = {
  nothing: 'Public',
  read: 'Scope `read` or `trade`',
  trade: 'Scope `trade`',
  rfqRead: 'Scope `read`, `trade` or `blockRfq`',
  rfq: 'Scope `blockRfq`',
  protect: 'Scope `trade`, or `blockRfq` if the param `blockRfq` is true',
  admin: 'Scope `admin`',
  oversee: 'Scope `read`, `trade` or `admin`',
  anything: 'Any scope',
};

function fieldList({ properties = {}, required = [] }: JsonSchema): string {
  const items = Object.entries(properties).map(([name, field]) =>
    itemText(`${name}${required.includes(name) ? '' : '?'}`, field),
  );
  return `A field that ends in \`?\` is not always there.\n\n${items.join('\n')}\n`;
}

const itemText = (name: string, field: JsonSchema): string =>
  listItem(`\`${name}\` (${kindText(field)}): ${field.description ?? ''}`);

/** Lists the fields of a small object; describes other results by their type. */
function resultText(schema: JsonSchema): string {
  const { description } = schema;
  if (schema.anyOf !== undefined) return schema.anyOf.map(resultText).join(', or ');
  if (schema.type === 'array') {
    const of = schema.items === undefined ? '' : ` of ${resultText(schema.items)}`;
    return `list${of}`;
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.type !== 'object') return description ?? kindText(schema);
  const names = Object.keys(schema.properties ?? {});
  if (description === 'An order') return 'an order';
  if (description === 'A trade') return 'a trade';
  return `\`{${names.join(', ')}}\``;
}

function kindText(schema: JsonSchema): string {
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices !== undefined) return choices.map((one) => `\`${String(one)}\``).join(' ');
  if (schema.anyOf !== undefined) {
    return [...new Set(schema.anyOf.map(kindText))].filter((one) => one !== 'null').join(' or ');
  }
  const types = [schema.type ?? 'any'].flat();
  if (types.includes('number') && types.includes('string')) return 'decimal';
  if (types.includes('integer') && types.includes('string')) return 'id';
  if (types[0] === 'array') return 'list';
  return (
    { string: 'text', integer: 'whole number', boolean: 'boolean' }[types[0] ?? ''] ??
    String(types[0])
  );
}
