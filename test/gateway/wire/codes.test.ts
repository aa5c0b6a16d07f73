// docs/interface.md lists every code of the portfolio envelope with its HTTP status, and no others.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REJECTION_CODES, type RejectionKind } from '../../../src/core/rejection.ts';
import { httpStatus, TRANSPORT_CODES } from '../../../src/gateway/wire/envelope.ts';
import { must } from '../../../src/values/assert.ts';

/** Rows `| 40410 / 40510 | 404 / 405 | … |` of the first table of codes. */
function documented(): Map<number, number> {
  const text = readFileSync('docs/interface.md', 'utf8');
  const table = must(text.split('| code | HTTP | meaning |')[1], 'a table').split('\n\n')[0] ?? '';
  const rows = table.matchAll(/^\| ([\d /]+) \| ([\d /]+) \|/gm);
  return new Map(
    [...rows].flatMap(([, codes = '', statuses = '']) => {
      const each = statuses.split(' / ');
      return codes
        .split(' / ')
        .map((code, at) => [Number(code), Number(each[at] ?? each[0])] as const);
    }),
  );
}

test('all codes and statuses match docs/interface.md', () => {
  const refusals = Object.entries(REJECTION_CODES).map(
    ([kind, code]) => [code, httpStatus(kind as RejectionKind)] as const,
  );
  // The status of a transport fault is the first three digits of its code.
  const transport = Object.values(TRANSPORT_CODES).map(
    (code) => [code, Math.floor(code / 100)] as const,
  );
  const all = new Map<number, number>([[0, 200], ...refusals, ...transport]);
  expect(Object.fromEntries(documented())).toEqual(Object.fromEntries(all));
});
