// Tables and lists fit the terminal at 44, 80 and 140 columns, whatever names, notes and reasons are in them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyColumns, keyRow } from '../../src/main/commands/keys/key-table.ts';
import { sheetTable } from '../../src/main/commands/terminal/sheet.ts';
import { factLines, wrapped } from '../../src/main/commands/terminal/wrapped-lines.ts';
import { instant } from '../../src/values/instant.ts';
import { printableData } from '../../src/values/printable.ts';
import { grantOf } from '../conformance/key-records.ts';
import { perpetualBody } from '../gateway/gateway-under-test.ts';
import { captured } from './captured-terminal.ts';
import { HOSTILE, type HostileDaemon, startHostileDaemon } from './hostile-daemon.ts';

const WIDTHS = [44, 80, 140] as const;
const folder = mkdtempSync(join(tmpdir(), 'twapd-narrow-'));
const BODY = join(folder, 'body.json');
let daemon: HostileDaemon;
beforeAll(async () => {
  daemon = await startHostileDaemon();
  writeFileSync(BODY, JSON.stringify(perpetualBody()));
});
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

const LISTS = [
  'list',
  'show 1',
  `plan ${BODY}`,
  'switch',
  'override list',
  'rfq list',
  'rfq quotes',
  'rfq trades',
  'rfq instruments',
  'amend 1 --duration 60',
  'open --sessions',
  'positions',
  'account',
  'orders',
  'fills',
  'instruments',
];

const tooWide = (text: string, width: number): readonly string[] =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.length > width);

describe.each(WIDTHS)('at %i columns', (columns) => {
  test.each([...LISTS, 'status'])('no line of `%s` is wider', async (words) => {
    const { code, out } = await captured([...words.split(' '), '--url', daemon.url], { columns });
    expect(code).toBe(words === 'status' ? 1 : 0);
    expect(out.trim()).not.toBe('');
    expect(tooWide(out, columns)).toEqual([]);
  });

  test('no line of `keys list` is wider', () => {
    const texts = { uid: HOSTILE.repeat(3), nickname: HOSTILE, addresses: [HOSTILE] };
    const stored = { ...grantOf(HOSTILE.repeat(2), texts), sealed: 'sealed', generation: 1 };
    const row = keyRow({ ...stored, createdAt: instant(0) } as never, instant(1));
    const table = sheetTable(keyColumns('Asia/Kolkata'), printableData([row, row]), columns);
    expect(table).toContain('EVIL');
    expect(tooWide(table, columns)).toEqual([]);
  });
});

test.each([...LISTS, 'status'])(
  '`%s --csv` is one table with a line of names first',
  async (words) => {
    const { code, out } = await captured([...words.split(' '), '--csv', '--url', daemon.url]);
    expect(code).toBe(words === 'status' ? 1 : 0);
    expect(out.split('\n')[0]).toMatch(/^[a-z][a-z_0-9]*(,[a-z][a-z_0-9]*)+$/);
  },
);

test('times are shown and written in the zone that was chosen', async () => {
  const zone = ['--tz', 'Asia/Kolkata', '--url', daemon.url];
  const { out } = await captured(['list', '--csv', ...zone]);
  expect(out).toMatch(/T\d\d:\d\d:\d\d\.\d{3}\+05:30/);
  expect((await captured(['show', '1', ...zone])).out).toContain('Asia/Kolkata');
});

test('wrapped text loses no character, and names too long for a line stand above their values', () => {
  const words = 'one two-and-a-half-of-something three';
  const lines = wrapped(words, 10);
  expect(lines.join('').replaceAll(' ', '')).toBe(words.replaceAll(' ', ''));
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(10);
  const facts = stripVTControlCharacters(factLines([['a'.repeat(30), 'value']], 20));
  expect(facts.split('\n')).toEqual(['a'.repeat(20), 'a'.repeat(10), '  value']);
});
