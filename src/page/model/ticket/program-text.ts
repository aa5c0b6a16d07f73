// The ticket as a program in Python, which submits it with the client that comes with the daemon (examples/python/twapd.py).
import type { Body } from './form-schema.ts';

/** As the client calls its arguments: accountId is account_id. */
const argument = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const FRACTION = 'Decimal(';

/** `origin` is where the page comes from. The key and its secret are read from the environment. */
export function programText(body: Body, origin: string): string {
  const terms = Object.entries(body).map(
    ([name, value]) => `    ${argument(name)}=${literal(value, '    ')},`,
  );
  return [
    '"""Submits one portfolio. Needs twapd.py beside it, and TWAPD_KEY and TWAPD_SECRET."""',
    'import os',
    'import sys',
    ...(terms.some((term) => term.includes(FRACTION)) ? ['from decimal import Decimal'] : []),
    '',
    'import twapd',
    '',
    'client = twapd.Client(',
    `    sys.argv[1] if len(sys.argv) > 1 else ${literal(origin, '')},`,
    '    key=os.environ["TWAPD_KEY"],',
    '    secret=os.environ["TWAPD_SECRET"],',
    '    patience=60,',
    ')',
    'submitted = client.portfolios.submit(',
    ...terms,
    ')',
    'print(f"portfolio {submitted[\'portfolioId\']}")',
    '',
  ].join('\n');
}

function literal(value: unknown, indent: string): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'string') return ascii(value);
  // The client takes fractions as decimals only.
  if (typeof value === 'number' && !Number.isInteger(value))
    return `${FRACTION}${ascii(`${value}`)})`;
  if (typeof value !== 'object') return String(value);
  const inner = `${indent}    `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((one) => `${inner}${literal(one, inner)},\n`).join('')}${indent}]`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([name, one]) => `${inner}${ascii(name)}: ${literal(one, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

/** Python understands the quotes of JSON; its pairs of surrogates are written as one code point. */
const ascii = (text: string): string =>
  JSON.stringify(text).replace(/[^\x20-\x7e]/gu, (one) => {
    const code = one.codePointAt(0) ?? 0;
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
