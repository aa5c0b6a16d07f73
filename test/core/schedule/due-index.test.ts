// The index of due portfolios against a sorted list of the same.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DueEntry, DueIndex } from '../../../src/core/schedule/due-index.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { cases } from '../../support/cases.ts';

const NOON = 1_790_000_000_000;

/** Few and many portfolios, with ids as they are drawn and others that differ in one half only. */
const ids = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 0, max: 40 }).map((high) => high * 2 ** 32 + 7),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
);
const entries: fc.Arbitrary<DueEntry> = fc
  .record({
    id: ids,
    shard: fc.integer({ min: 0, max: 3 }).map((part) => part * 85),
    inMs: fc.integer({ min: -50, max: 50 }),
    what: fc.option(
      fc.tuple(fc.integer({ min: 0, max: 254 }), fc.integer({ min: 0, max: 10_000 })),
    ),
  })
  .map(({ id, shard, inMs, what }) => ({
    portfolio: portfolioId(String(id)),
    shard,
    dueAt: instant(NOON + inMs),
    ...(what !== null && { leg: what[0], slice: what[1] }),
  }));

type Step =
  | { readonly kind: 'put'; readonly entry: DueEntry }
  | { readonly kind: 'remove'; readonly pick: number }
  | { readonly kind: 'take' | 'look'; readonly inMs: number }
  | { readonly kind: 'shard'; readonly shard: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('put' as const), entry: entries }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(200) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('take' as const, 'look' as const),
      inMs: fc.integer({ min: -60, max: 60 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('shard' as const), shard: fc.constantFrom(0, 85) }),
  },
);

const inOrder = (one: DueEntry, other: DueEntry): number =>
  one.dueAt - other.dueAt || Number(one.portfolio) - Number(other.portfolio);

test('whatever is put in, moved and removed, the index answers like a sorted list', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 300, size: 'max' }), (course) => {
      const index = new DueIndex();
      const model = new Map<string, DueEntry>();
      const list = (): DueEntry[] => [...model.values()].toSorted(inOrder);
      for (const step of course) {
        switch (step.kind) {
          case 'put':
            index.put(step.entry);
            model.set(step.entry.portfolio, step.entry);
            break;
          case 'remove': {
            const { portfolio = portfolioId('5') } = [...model.values()][step.pick] ?? {};
            expect(index.remove(portfolio)).toBe(model.delete(portfolio));
            break;
          }
          case 'take': {
            const [first] = list();
            const isDue = first !== undefined && first.dueAt <= NOON + step.inMs;
            expect(index.takeDue(NOON + step.inMs)).toEqual(isDue ? first : undefined);
            if (isDue) model.delete(first.portfolio);
            break;
          }
          case 'look': {
            const due = list().filter(({ dueAt }) => dueAt <= NOON + step.inMs);
            expect(index.dueUntil(instant(NOON + step.inMs))).toEqual(due);
            break;
          }
          default: {
            const gone = list().filter(({ shard }) => shard === step.shard);
            expect(index.removeShard(step.shard)).toBe(gone.length);
            for (const { portfolio } of gone) model.delete(portfolio);
          }
        }
        expect(index.size).toBe(model.size);
        expect(index.nextDueAt).toBe(list()[0]?.dueAt);
      }
      for (const entry of model.values()) expect(index.get(entry.portfolio)).toEqual(entry);
      expect([...index.entries()].toSorted(inOrder)).toEqual(list());
    }),
    { numRuns: cases(80) },
  );
});

test('a hundred thousand portfolios take at most 34 bytes each, and come out in order', () => {
  const count = 100_000;
  const index = new DueIndex();
  for (let i = 0; i < count; i += 1) {
    const dueAt = instant(NOON + ((i * 7_919) % 86_400_000));
    index.put({ portfolio: portfolioId(String(1_790_000_000_000_000 + i)), shard: i % 256, dueAt });
  }
  expect(index.bytes / count).toBeLessThanOrEqual(34);
  let last = 0;
  for (let taken = 0; taken < count; taken += 1) {
    const dueAt = index.takeDue(Number.POSITIVE_INFINITY)?.dueAt ?? Number.NaN;
    if (!(dueAt >= last)) expect.unreachable(`${dueAt} came after ${last}`);
    last = dueAt;
  }
  expect(index.size).toBe(0);
});

test('an index that was cleared is empty and can be filled again', () => {
  const index = new DueIndex();
  const entry = { portfolio: portfolioId('7'), shard: 1, dueAt: instant(NOON) };
  index.put(entry);
  index.clear();
  expect(index.nextDueAt).toBeUndefined();
  expect(index.get(entry.portfolio)).toBeUndefined();
  index.put(entry);
  expect(index.dueUntil(instant(NOON))).toEqual([entry]);
});
