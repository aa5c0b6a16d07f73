import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONTROL_TABLE } from '../../../src/core/risk/gate/control-table.ts';
import { configSchema } from '../../../src/main/config/config-schema.ts';
import { jsonSchemaOf } from '../../../src/main/json-schema.ts';
import { controlPage } from '../../../src/main/pages/control-page.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const PAGE = controlPage(jsonSchemaOf(configSchema));
const OPTIONS = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');

describe('the table of controls', () => {
  test('the table has every control, in order', () => {
    const numbers = Array.from({ length: 24 }, (_, index) => `PT-${index + 1}`);
    expect(CONTROL_TABLE.map(({ number }) => number)).toEqual(numbers);
  });

  test.each(CONTROL_TABLE.map((row) => [row.number, row] as const))(
    '%s names existing code, tests and options',
    (_, { code, test: tests, keys, definition }) => {
      expect(definition).toMatch(/\.$/);
      expect([code, tests].every(({ length }) => length > 0)).toBe(true);
      expect([...code, ...tests].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
      const unknown = keys.filter((key) => !OPTIONS.includes(`\`${key}\``) && key !== 'keys');
      expect(unknown).toEqual([]);
    },
  );

  test('the page lists every control with the defaults of its options', () => {
    for (const { number, title } of CONTROL_TABLE) expect(PAGE).toContain(`## ${number} ${title}`);
    expect(PAGE).toContain('`controls.collar.bps` (default `1000`)');
  });

  test('every option of the section belongs to a control', () => {
    const options = [...OPTIONS.matchAll(/`(controls\.[A-Za-z.]+)`/g)].map(([, name]) => name);
    const named = new Set(CONTROL_TABLE.flatMap(({ keys }) => keys));
    expect(options.filter((name) => name !== undefined && !named.has(name))).toEqual([]);
  });
});
