// Contract of every AuditSeals: a seal advances only from the version its writer has seen.
import { expect, test } from 'vitest';
import type { AuditSeals } from '../../../src/ports/audit-seals.ts';
import { portfolioId } from '../../../src/values/ids.ts';

/** `open` returns another view of the same seals. */
export function auditSealsConformance(open: () => Promise<AuditSeals>): void {
  test('put advances a seal only from its current version', async () => {
    const [one, other] = [await open(), await open()];
    const id = portfolioId('1776668676325001');
    expect(await one.of(id)).toBeUndefined();
    const [first, second, third] = [1, 5, 7].map((version) => ({ version, hash: `h${version}` }));
    if (first === undefined || second === undefined || third === undefined) throw new Error();
    expect(await one.put(id, { from: undefined, to: first })).toBe(true);
    expect(await other.of(id)).toEqual(first);
    expect(await other.put(id, { from: undefined, to: second })).toBe(false);
    expect(await other.put(id, { from: first, to: second })).toBe(true);
    expect(await one.put(id, { from: first, to: third })).toBe(false);
    expect(await one.put(id, { from: { ...second, hash: 'x' }, to: third })).toBe(false);
    expect(await one.of(id)).toEqual(second);
    expect(await one.of(portfolioId('1776668676325002'))).toBeUndefined();
  });

  test('a seal that is not there cannot be advanced', async () => {
    const [one, other] = [await open(), await open()];
    const id = portfolioId('1776668676325003');
    const [from, to] = [
      { version: 3, hash: 'h3' },
      { version: 5, hash: 'h5' },
    ];
    expect(await one.put(id, { from, to })).toBe(false);
    expect(await other.of(id)).toBeUndefined();
    expect(await other.put(id, { from: undefined, to })).toBe(true);
  });
}
