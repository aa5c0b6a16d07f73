// Generates the page of the order methods: params, results and an example of each, from the table that serves
// them.
import type { Method } from '../../gateway/order-api/method.ts';
import { METHODS } from '../../gateway/order-api/method-table.ts';
import { orderSchema } from '../../gateway/order-api/orders/order-schema.ts';
import { tradeSchema } from '../../gateway/order-api/trades/trade-view.ts';
import { type JsonSchema, jsonSchemaOf } from '../json-schema.ts';

const INTRODUCTION = `# The order methods

<!-- Made from the method table by \`npm run -s twapd -- schema\`; edit the table instead. -->

\`POST /api/<method>\` or a frame on \`/ws/api\`, both \`{rid, method, params}\`. Requests, answers, channels and errors are
described in \`docs/interface.md\`; this page lists the params and the result of each method. Decimals may be text or JSON
numbers in params and are text in results; \`null\` for an optional param means absent. Private methods take \`accountId\`, an
account of the key; the default is its first account.
`;

/** Returns Markdown. */
export function methodPage(): string {
  const methods = [...METHODS.values()].map(methodSection);
  return [
    INTRODUCTION,
    ...methods,
    `## The order\n\n${fieldTable(jsonSchemaOf(orderSchema))}`,
    `## The trade\n\n${fieldTable(jsonSchemaOf(tradeSchema))}`,
  ].join('\n');
}

function methodSection(method: Method): string {
  const { name, summary, example, isWebSocketOnly } = method;
  const params = jsonSchemaOf(method.params);
  const names = Object.keys(params.properties ?? {}).filter((one) => one !== 'accountId');
  const paramText = names.length === 0 ? 'No params.\n' : fieldTable(params, names);
  const where = isWebSocketOnly ? ' Over `/ws/api` only.' : '';
  const request = JSON.stringify({ rid: 1, method: name, params: example });
  return [
    `## ${name}\n`,
    `${summary}. ${NEEDS[method.needs]}.${where} Result: ${resultText(jsonSchemaOf(method.result))}.\n`,
    paramText,
    `\`\`\`json\n${request}\n\`\`\`\n`,
  ].join('\n');
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

function fieldTable(schema: JsonSchema, only?: readonly string[]): string {
  const rows = Object.entries(schema.properties ?? {})
    .filter(([name]) => only === undefined || only.includes(name))
    .map(([name, field]) => {
      const need = schema.required?.includes(name) ? 'yes' : 'no';
      return `| \`${name}\` | ${kindText(field)} | ${need} | ${cell(field.description ?? '')} |`;
    });
  const head = only === undefined ? 'always' : 'required';
  return `| Name | Kind | ${head} | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

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
    { string: 'text', integer: 'whole number', boolean: 'true or false' }[types[0] ?? ''] ??
    String(types[0])
  );
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
