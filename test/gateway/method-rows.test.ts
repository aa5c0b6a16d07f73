// The table of methods against what each wire serves.
import { expect, test } from 'vitest';
import { DERIBIT_METHODS } from '../../src/gateway/deribit/deribit-method-table.ts';
import { type DeribitRow, METHOD_ROWS, type OwnRow } from '../../src/gateway/method-rows.ts';
import { METHODS } from '../../src/gateway/order-api/method-table.ts';

const ROWS: readonly (OwnRow | DeribitRow)[] = Object.values(METHOD_ROWS);

const sorted = (names: Iterable<string>): readonly string[] => [...names].toSorted();

test('each wire serves exactly the methods whose rows name it, and each name once', () => {
  const own = ROWS.flatMap((row) => ('name' in row ? row.name : []));
  const deribit = ROWS.flatMap((row) => ('deribitName' in row ? row.deribitName : []));
  expect(sorted(METHODS.keys())).toEqual(sorted(own));
  expect(sorted(DERIBIT_METHODS.keys())).toEqual(sorted(deribit));
  expect(new Set(own).size).toBe(own.length);
  expect(new Set(deribit).size).toBe(deribit.length);
});

/** What a key must be allowed for each scope of a token. */
const NEEDED = {
  'account:read': 'read',
  'account:read_write': 'trade',
  'trade:read': 'read',
  'trade:read_write': 'trade',
  'block_rfq:read': 'rfqRead',
  'block_rfq:read_write': 'rfq',
} as const;

test('a method needs the same permission on either wire; protection is checked by the method itself', () => {
  const unlike = ROWS.filter(({ needs, scope }) => scope !== undefined && NEEDED[scope] !== needs);
  expect(unlike.map(({ needs, scope }) => [needs, scope])).toEqual([
    ['protect', 'block_rfq:read'],
    ['protect', 'block_rfq:read'],
  ]);
});

test('a private method of Deribit’s wire without a scope is about a login or its connection alone', () => {
  const open = ROWS.filter(({ scope }) => scope === undefined);
  const names = open.flatMap((row) => ('deribitName' in row ? row.deribitName : []));
  expect(sorted(names.filter((name) => name.startsWith('private/')))).toEqual([
    'private/logout',
    'private/subscribe',
    'private/unsubscribe',
    'private/unsubscribe_all',
  ]);
});
