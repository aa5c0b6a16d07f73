// The ticket as a strategy file: YAML whose texts are quoted, so that nothing in them is taken for anything else.
import type { Body } from './form-schema.ts';

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** A name that strategy files accept. */
export function strategyName(label: unknown): string {
  const text = typeof label === 'string' ? label : '';
  if (NAME.test(text)) return text;
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain.slice(0, 64) || 'ticket';
}

/** Has no schedule: it is submitted by people, until one is added. */
export function strategyText(body: Body): string {
  const { execution, ...portfolio } = body;
  const { strategy } = portfolio;
  return [
    `# Checked by: twapd check FILE`,
    `name: ${quoted(strategyName(strategy))}`,
    ...entry('portfolio', portfolio, ''),
    ...(execution === undefined ? [] : entry('execution', execution, '')),
    '',
  ].join('\n');
}

/** JSON quotes as YAML reads them; control characters that YAML forbids are escaped. */
const quoted = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const isBlock = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const keyText = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : quoted(name));

function entry(name: string, value: unknown, indent: string): readonly string[] {
  if (!isBlock(value)) return [`${indent}${keyText(name)}: ${quoted(value)}`];
  return [`${indent}${keyText(name)}:`, ...block(value, `${indent}  `)];
}

function block(value: object, indent: string): readonly string[] {
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, inner]) => entry(name, inner, indent));
  }
  return value.flatMap((item: unknown) => {
    if (!isBlock(item)) return [`${indent}- ${quoted(item)}`];
    const [first = '', ...rest] = block(item, `${indent}  `);
    return [`${indent}- ${first.trimStart()}`, ...rest];
  });
}
