// Bounds of text in the files that people write: characters, as the interface and JSON Schema count them.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { characters } from '../../src/main/characters.ts';

test('a character outside the basic plane counts as one', () => {
  const name = characters(1, 3);
  expect(name.safeParse('😀😀😀').success).toBe(true);
  const refused = name.safeParse('😀😀😀x');
  expect(refused.error?.issues.map(({ message }) => message)).toEqual([
    'has 4 characters; accepted: at most 3 characters',
  ]);
  expect(name.safeParse('').error?.issues[0]?.message).toBe(
    'has 0 characters; accepted: at least 1 characters',
  );
});

test('the JSON Schema of a text has the same bounds', () => {
  expect(z.toJSONSchema(characters(1, 3))).toMatchObject({
    type: 'string',
    minLength: 1,
    maxLength: 3,
  });
});

test('no text that people write is bounded in the code units of zod', () => {
  const written = ['src/main/config/**/*.ts', 'src/main/strategy/**/*.ts'];
  const files = globSync(written);
  expect(files.length).toBeGreaterThan(40);
  const bounded = files.filter((file) =>
    /z\s*\.string\(\)\s*(\.min\(\d+\)\s*)?\.max\(/.test(readFileSync(file, 'utf8')),
  );
  expect(bounded, 'use characters of src/main/characters.ts').toEqual([]);
});
