// The pages for those who write strategies name every field, and every reason why a slice waits.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readStrategyFile } from '../../../src/main/strategy/strategy-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-strategies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync('docs/strategies.md', 'utf8');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Names of the fields at any depth. */
function namesOf({ properties = {}, items, anyOf = [] }: Schema): readonly string[] {
  const below = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
  return [...Object.keys(properties), ...below.flatMap(namesOf)];
}

test('docs/strategies.md names every field of a strategy file', () => {
  const schema = JSON.parse(readFileSync('strategies/strategy.schema.json', 'utf8')) as Schema;
  const names = new Set(namesOf(schema));
  expect(names.size).toBeGreaterThan(70);
  const missing = [...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(page));
  expect(missing).toEqual([]);
});

test('docs/not-filling.md has a row for each reason why a slice waits, and for no other', () => {
  const source = readFileSync('src/core/terms/reasons.ts', 'utf8');
  const [, skips = ''] = source.split('export type SkipReason =');
  const reasons = [...skips.matchAll(/'([a-z_]+)'/g)].map(([, reason]) => reason);
  const [, waits = ''] = readFileSync('docs/not-filling.md', 'utf8').split('## It waits');
  const [section = ''] = waits.split('\n## ');
  const rows = [...section.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, reason]) => reason);
  expect(rows.toSorted()).toEqual(reasons.toSorted());
});

test('the strategy that docs/strategies.md shows is read without a fault', () => {
  const path = join(folder, 'calls-in-an-hour.yaml');
  writeFileSync(path, /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '');
  expect(readStrategyFile(path)).toMatchObject({
    kind: 'read',
    value: { name: 'calls-in-an-hour' },
  });
});
