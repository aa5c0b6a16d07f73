import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from '../../src/main/generated-files.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
}

/** Paths of all options below `schema` without a description. */
function undescribed(schema: Schema, path: string): readonly string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, option]) => [
    ...((option.description ?? '') === '' ? [`${path}.${name}`] : []),
    ...undescribed(option, `${path}.${name}`),
  ]);
  const { items, oneOf = [], additionalProperties: entry } = schema;
  const inner = [items, ...oneOf, typeof entry === 'object' ? entry : undefined];
  return [...own, ...inner.flatMap((each) => (each ? undescribed(each, `${path}[]`) : []))];
}

describe('files generated from the schemas', () => {
  test.each([...generatedFiles()])('the generated file %s is up to date', (path, text) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
  });

  test.each([...generatedFiles()].filter(([path]) => path.endsWith('.json')))(
    '%s describes every option',
    (_path, text) => {
      expect(undescribed(JSON.parse(text) as Schema, '')).toEqual([]);
    },
  );

  test('every option of the configuration is on its page', () => {
    const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
    for (const option of [
      'service.port',
      'engine.skewMs',
      'keys[].secret',
      'venues.NAME.seed',
    ]) {
      expect(page).toContain(`\`${option}\``);
    }
  });
});
