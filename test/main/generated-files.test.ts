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

interface Option {
  readonly path: string;
  readonly description: string;
  /** Not a block of options. */
  readonly isLeaf: boolean;
}

/** All options below `schema`; one that several kinds of a block have is there for each. */
function optionsOf(schema: Schema, path: string): readonly Option[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, option]) => {
    const at = `${path}.${name}`;
    const inner = optionsOf(option, at);
    const { description = '' } = option;
    return [{ path: at, description, isLeaf: inner.length === 0 }, ...inner];
  });
  const { items, oneOf = [], additionalProperties: entry } = schema;
  const inner = [items, ...oneOf, typeof entry === 'object' ? entry : undefined];
  return [...own, ...inner.flatMap((each) => (each ? optionsOf(each, `${path}[]`) : []))];
}

const CONFIG_OPTIONS_MAX = 200;
const WORDS_MIN = 4;

describe('files generated from the schemas', () => {
  test.each([...generatedFiles()])('the generated file %s is up to date', (path, text) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
  });

  test.each([...generatedFiles()].filter(([path]) => path.endsWith('.json')))(
    '%s describes every option',
    (_path, text) => {
      const options = optionsOf(JSON.parse(text) as Schema, '');
      expect(options.filter(({ description }) => description === '')).toEqual([]);
    },
  );

  test('each option of the configuration says in a sentence what it is for, and there are no more than a desk can know', () => {
    const text = readFileSync(join(ROOT, 'config/config.schema.json'), 'utf8');
    const options = optionsOf(JSON.parse(text) as Schema, '').filter(({ isLeaf }) => isLeaf);
    expect(options.length).toBeGreaterThan(CONFIG_OPTIONS_MAX / 2);
    expect(options.length).toBeLessThanOrEqual(CONFIG_OPTIONS_MAX);
    const isSentence = ({ description }: Option): boolean =>
      description.split(/\s+/).length >= WORDS_MIN && /[.)]$/.test(description);
    expect(options.filter((option) => !isSentence(option))).toEqual([]);
  });

  test('every option of the configuration is on its page', () => {
    const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
    for (const option of ['service.port', 'engine.skewMs', 'keys[].secret', 'venues.NAME.seed']) {
      expect(page).toContain(`\`${option}\``);
    }
  });
});
