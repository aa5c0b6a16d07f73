// What the thread reads of strategy files is what a command reads of them, to the line of every fault.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readDocuments } from '../../../src/main/strategy/read-documents.ts';
import { readStrategyFile } from '../../../src/main/strategy/strategy-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

mkdirSync(join(folder, 'folder.yaml'));
const FAULTY = [
  written(
    'unknown-field.yaml',
    'name: one\nportfolio:\n  legs:\n    - instrument: X\n      colour: red\n',
  ),
  written('syntax.yaml', 'name: [one\n'),
  written('empty.yaml', ''),
  written('deep.yaml', `a: ${'['.repeat(200)}${']'.repeat(200)}\n`),
  written('aliases.yaml', 'a: &a [x, x, x, x]\nb: &b [*a, *a, *a]\nname: [*b, *b, *b, *b]\n'),
  written('long-number.yaml', 'name: one\nmissed: {withinSec: 0.10000000000000000001}\n'),
  join(folder, 'folder.yaml'),
  join(folder, 'missing.yaml'),
];
const SHIPPED = readdirSync('strategies')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => join('strategies', name));

test('every strategy and every faulty file is read alike in the thread and without it', async () => {
  const read = await readDocuments([...SHIPPED, ...FAULTY]);
  const readings = [...SHIPPED, ...FAULTY].map((path) => {
    const [there, here] = [readStrategyFile(path, read), readStrategyFile(path)];
    expect(there.kind, path).toBe(here.kind);
    if (there.kind === 'faulty') expect(there).toEqual(here);
    if (there.kind === 'read' && here.kind === 'read') {
      expect(there.value.body).toEqual(here.value.body);
      const place = ['legs[0].quantity', 'wrong'] as const;
      expect(there.value.faultOf(...place)).toEqual(here.value.faultOf(...place));
    }
    return here.kind;
  });
  expect(readings.filter((kind) => kind === 'read')).toHaveLength(SHIPPED.length);
  expect(SHIPPED.length).toBeGreaterThan(5);
});

test('holidays that a strategy names are read with it', async () => {
  const path = 'strategies/spot-sale-london.yaml';
  const holidays = [await readDocuments([path]), undefined].map((read) => {
    const reading = readStrategyFile(path, read);
    const schedule = reading.kind === 'read' ? reading.value.schedule : undefined;
    return schedule?.kind === 'cron' ? [...(schedule.holidays ?? [])] : [];
  });
  expect(holidays[0]).toContain('2026-12-25');
  expect(holidays[0]).toEqual(holidays[1]);
});
