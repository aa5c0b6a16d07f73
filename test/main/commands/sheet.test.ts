import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type SheetColumn,
  sheetCsv,
  sheetTable,
} from '../../../src/main/commands/terminal/sheet.ts';
import {
  readZone,
  zonedIso,
  zonedMinute,
  zonedText,
} from '../../../src/main/commands/terminal/time-zone.ts';

type Row = readonly string[];

const words = fc.stringMatching(/^[a-z0-9.]{1,9}$/);
const sheets = fc
  .array(fc.tuple(fc.stringMatching(/^[a-z]{1,7}$/), fc.nat(5)), { minLength: 1, maxLength: 8 })
  .chain((heads) =>
    fc.record({
      columns: fc.constant(
        heads.map(
          ([head, rank], at): SheetColumn<Row> => ({
            name: `${head}_${at}`,
            head: `${head}${at}`,
            rank,
            cell: (row) => row[at],
          }),
        ),
      ),
      rows: fc.array(fc.array(words, { minLength: heads.length, maxLength: heads.length }), {
        minLength: 1,
        maxLength: 4,
      }),
      width: fc.integer({ min: 1, max: 120 }),
    }),
  );

describe('a sheet', () => {
  test('no line of it is wider than the terminal, and columns that are always shown are there with every row', () => {
    fc.assert(
      fc.property(sheets, ({ columns, rows, width: any }) => {
        const width = Math.max(any, 16);
        const text = sheetTable(columns, rows, width);
        const lines = text.split('\n');
        expect(lines.filter((line) => line.length > width)).toEqual([]);
        // Words longer than a line are continued on the next one.
        const whole = text.replace(/\s+/g, '');
        for (const [at, { head, rank }] of columns.entries()) {
          if (rank > 0) continue;
          expect(whole).toContain(head);
          for (const row of rows) expect(whole).toContain(row[at]);
        }
      }),
    );
  });

  test('less important columns are left out first, together with those of the same rank, and named', () => {
    const columns = [
      { name: 'a', head: 'instrument', rank: 0, cell: () => 'BTC-PERPETUAL' },
      { name: 'b', head: 'vega', rank: 2, cell: () => '12.5' },
      { name: 'c', head: 'mark', rank: 1, cell: () => '88000' },
      { name: 'd', head: 'theta', rank: 2, cell: () => '-3' },
      { name: 'e', head: 'gamma', rank: 3, cell: () => undefined },
    ] as const;
    expect(sheetTable(columns, [1], 80)).toBe(
      'instrument     vega  mark   theta\nBTC-PERPETUAL  12.5  88000  -3',
    );
    expect(sheetTable(columns, [1], 30)).toBe(
      'instrument     mark\nBTC-PERPETUAL  88000\ntoo narrow for: vega, theta',
    );
  });

  type Traded = readonly [instrument: string, price: string];
  const TRADED: readonly SheetColumn<Traded>[] = [
    { name: 'at', head: 'traded', rank: 0, cell: () => '12:00:01' },
    { name: 'instrument', head: 'instrument', rank: 0, mayRepeat: true, cell: ([one]) => one },
    { name: 'price', head: 'price', rank: 0, align: 'right', cell: ([, price]) => price },
  ];

  test('what may repeat and is the same in every row stands once above the table; the time and the price stay', () => {
    const rows: readonly Traded[] = [
      ['BTC-PERPETUAL', '99990'],
      ['BTC-PERPETUAL', '100010.5'],
    ];
    for (const width of [44, 80, 140]) {
      expect(sheetTable(TRADED, rows, width).split('\n')).toEqual([
        'instrument BTC-PERPETUAL',
        'traded       price',
        '12:00:01     99990',
        '12:00:01  100010.5',
      ]);
    }
    expect(sheetCsv(TRADED, rows).split('\n')[1]).toBe('12:00:01,BTC-PERPETUAL,99990');
  });

  test.each([
    [
      [
        ['BTC-PERPETUAL', '1'],
        ['ETH-PERPETUAL', '2'],
      ],
    ],
    [[['BTC-PERPETUAL', '1']]],
    [
      [
        ['BTC-PERPETUAL', '1'],
        ['', '2'],
      ],
    ],
  ] as const)(
    '%j keeps its column, as one row, another value or an unknown one is not shared',
    (rows) => {
      const [head, first] = sheetTable(TRADED, rows, 80).split('\n');
      expect(head).toMatch(/^traded +instrument +price$/);
      expect(first).toMatch(/^12:00:01 +BTC-PERPETUAL +1$/);
    },
  );

  test('CSV has every column and survives a reader, whatever the cells contain', () => {
    const cells = fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1 });
    const columns: readonly SheetColumn<readonly [string, string]>[] = [
      { name: 'one', head: '', rank: 0, cell: ([one]) => one },
      { name: 'two', head: '', rank: 9, cell: ([, two]) => two },
    ];
    fc.assert(
      fc.property(cells, (rows) => {
        const read: { one: string; two: string }[] = parse(sheetCsv(columns, rows), {
          columns: true,
        });
        const plain = (text: string): string => text.replace(/^'(?=[=+@\t\r-])/, '');
        expect(read.map(({ one, two }) => [plain(one), plain(two)])).toEqual(
          rows.map(([one, two]) => [plain(one), plain(two)]),
        );
      }),
    );
  });

  test('CSV of no rows has its heads, and what a spreadsheet would run as a formula is text', () => {
    const columns: readonly SheetColumn<string>[] = [
      { name: 'label', head: 'label', rank: 0, cell: (row) => row },
    ];
    expect(sheetCsv(columns, [])).toBe('label');
    expect(sheetCsv(columns, ['=1+1', '-12.5', '-x'])).toBe("label\n'=1+1\n-12.5\n'-x");
  });
});

describe('times in a zone', () => {
  /** 2026-10-25 01:30:05.250 UTC: an hour before, clocks in Berlin went back from 03:00 to 02:00. */
  const AT = Date.UTC(2026, 9, 25, 1, 30, 5, 250);

  test('times are on the clocks of the zone, with its offset at that moment in ISO 8601', () => {
    expect(zonedText(AT, 'UTC')).toBe('2026-10-25 01:30:05');
    expect(zonedIso(AT, 'UTC')).toBe('2026-10-25T01:30:05.250Z');
    expect(zonedIso(AT, 'Europe/Berlin')).toBe('2026-10-25T02:30:05.250+01:00');
    expect(zonedIso(AT - 3_600_000, 'Europe/Berlin')).toBe('2026-10-25T02:30:05.250+02:00');
    expect(zonedIso(AT, 'America/St_Johns')).toBe('2026-10-24T23:00:05.250-02:30');
    expect(zonedMinute(AT, 'Asia/Kolkata')).toBe('2026-10-25 07:00');
  });

  test('ISO 8601 of a zone denotes the same instant', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu');
    const times = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(times, zones, (at, zone) => {
        expect(Date.parse(zonedIso(at, zone))).toBe(at);
      }),
    );
  });

  test('a zone is an IANA name, or local; anything else is refused', () => {
    expect(readZone('Europe/London')).toBe('Europe/London');
    expect(readZone('local')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(() => readZone('Mars/Olympus')).toThrow('accepted: an IANA zone');
  });
});
