// What `start` shows on a terminal, made of values; `test/daemon/console.daemon.test.ts` runs a daemon on one.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { CLI_NAME } from '../../../../src/main/cli-name.ts';
import { type BannerFacts, bannerLines } from '../../../../src/main/commands/console/banner.ts';
import {
  consoleLines,
  isQuitMeant,
  progressLine,
} from '../../../../src/main/commands/console/console-screen.ts';
import { LogFile } from '../../../../src/main/commands/console/log-file.ts';
import {
  noticeLines,
  noticeOf,
  RepeatedNotices,
} from '../../../../src/main/commands/console/log-line.ts';
import type { TopReading } from '../../../../src/main/commands/watch/top-reading.ts';
import { hasPaperOnly, moneyOf } from '../../../../src/main/config/rules/venue-place.ts';
import { must } from '../../../../src/values/assert.ts';
import { columnsOf } from '../../../../src/values/printable.ts';
import { record, START_MS } from '../../portfolio-records.ts';

const plain = (lines: readonly string[]): readonly string[] => lines.map(stripVTControlCharacters);

const FACTS: BannerFacts = {
  version: '1.0.0',
  money: 'paper',
  venues: [],
  url: 'http://127.0.0.1:8080',
  readyMs: 3_940,
  link: { address: 'http://127.0.0.1:8080/#code=abcdefghijklmnopqrstuv', until: '14:32:05' },
  dataDir: '/srv/desk/.twapd',
  logPath: '/srv/desk/.twapd/log/twapd.log',
};

describe('the banner', () => {
  test('the banner says whose money it is, where everything is and how to stop', () => {
    expect(plain(bannerLines(FACTS, 80))).toEqual([
      '',
      'twapd 1.0.0  paper money  ready on http://127.0.0.1:8080 after 3.9 s',
      '',
      'page       http://127.0.0.1:8080/#code=abcdefghijklmnopqrstuv',
      '           good once, until 14:32:05 UTC',
      'metrics    http://127.0.0.1:8080/metrics',
      'documents  docs/tutorial.md; of the interface: http://127.0.0.1:8080/docs',
      'data       /srv/desk/.twapd',
      'log        /srv/desk/.twapd/log/twapd.log',
      `commands   ${CLI_NAME} list, ${CLI_NAME} watch ID, ${CLI_NAME} --help`,
      'stop       q or Ctrl-C; open orders stay at the exchange',
      '',
    ]);
  });

  test('on real money the banner names the venues, and stopping takes two keys', () => {
    const lines = plain(bannerLines({ ...FACTS, money: 'live', venues: ['deri', 'other'] }, 120));
    expect(lines[1]).toBe(
      'twapd 1.0.0  LIVE: real money on deri, other  ready on http://127.0.0.1:8080 after 3.9 s',
    );
    expect(lines.at(-2)).toBe('stop       q twice or Ctrl-C; open orders stay at the exchange');
  });

  test('a narrow banner wraps at 44 columns and leaves the link in one piece', () => {
    const lines = plain(bannerLines(FACTS, 44));
    expect(lines.slice(0, 7)).toEqual([
      '',
      'twapd 1.0.0  paper money',
      'ready on http://127.0.0.1:8080 after 3.9 s',
      '',
      'page       good once, until 14:32:05 UTC',
      'http://127.0.0.1:8080/#code=abcdefghijklmnopqrstuv',
      'metrics    http://127.0.0.1:8080/metrics',
    ]);
    const others = lines.filter((line) => !line.includes('#code='));
    expect(Math.max(...others.map(columnsOf))).toBeLessThanOrEqual(44);
  });

  test('without a link the banner says how to get one, and a log that is not kept is called so', () => {
    const lines = plain(bannerLines({ ...FACTS, link: undefined, logPath: undefined }, 100));
    expect(lines[3]).toBe(
      `page       http://127.0.0.1:8080 (no link could be made; ${CLI_NAME} open makes one)`,
    );
    expect(lines).toContain('log        not kept');
  });

  const paper = { kind: 'paper' } as const;
  const production = { kind: 'deribit', environment: 'production' } as const;
  const elsewhere = { kind: 'deribit', url: 'wss://venue.example/ws/api/v2' } as const;
  const beside = { kind: 'deribit', url: 'ws://127.0.0.1:8090/ws/api/v2' } as const;
  test.each([
    ['paper money', { paper }, false, { money: 'paper', venues: [] }],
    ['paper money where --live has no effect', { paper }, true, { money: 'paper', venues: [] }],
    [
      'test money',
      { paper, deri: { kind: 'deribit' } },
      false,
      { money: 'test', venues: ['deri'] },
    ],
    ['real money', { paper, deri: production }, true, { money: 'live', venues: ['deri'] }],
    [
      'real money where the address is unknown',
      { far: elsewhere },
      true,
      { money: 'live', venues: ['far'] },
    ],
    ['no real money without --live', { far: elsewhere }, false, { money: 'test', venues: ['far'] }],
    ["paper money behind Deribit's wire", { near: beside }, false, { money: 'paper', venues: [] }],
  ] as const)('the venues trade %s', (_words, venues, allowsLive, expected) => {
    expect(moneyOf(venues, allowsLive)).toEqual(expected);
  });

  test.each([
    ['the built-in exchange alone', { paper }, true],
    ['two built-in exchanges', { paper, other: paper }, true],
    ["Deribit's wire on this machine, which may be a tunnel", { near: beside }, false],
    ['the test network', { paper, deri: { kind: 'deribit' } }, false],
    ['real money', { paper, deri: production }, false],
    ['an address that is unknown', { far: elsewhere }, false],
  ] as const)(
    'with %s a press in the page confirms, or it does not',
    (_words, venues, expected) => {
      expect(hasPaperOnly(venues)).toBe(expected);
    },
  );
});

const READING: TopReading = {
  url: 'http://127.0.0.1:8080',
  ready: true,
  reasons: [],
  portfolios: [{ record: record(), lateSec: 0.004, costBps: 1.26 }],
  total: 1,
  trading: 'active',
  held: 0,
  mmpFrozen: 0,
  mmpWaiting: 0,
  undecided: 0,
  loopP99Sec: 0.011,
  lateShare: 0,
};
const SCREEN = { nowMs: START_MS + 60_000, columns: 80, rows: 24, isLogShown: false };
const shown = (reading: TopReading | undefined, changes: object = {}): readonly string[] =>
  plain(consoleLines(reading, { ...SCREEN, ...changes }));

describe('the redrawn lines', () => {
  test('a portfolio, the deployment and the keys each have a line', () => {
    const [head, portfolio = '', ...rest] = shown(READING, { columns: 140 });
    expect(head).toMatch(/^PORTFOLIO +WHAT +SCHEDULE ┃ FILLS █ +FILLED +LATE +COST +LEFT +STATE$/);
    expect(portfolio).toMatch(
      /^1776665215780001 demo █+.?─+┃─+ 12\.5 % +4 ms +\+1\.3 bp +01:00 ACTIVE$/,
    );
    expect(rest).toEqual([
      '● ready  trading ACTIVE  MMP ready  1 at work  0 undecided  0.0 % late  loop 11 ms',
      'q stop   o open the page   l show the log',
    ]);
  });

  test('a deployment without portfolios has a line', () => {
    expect(shown({ ...READING, portfolios: [], total: 0 })).toEqual([
      '● ready  trading ACTIVE  MMP ready  0 at work  0 undecided  0.0 % late',
      'q stop   o open the page   l show the log',
    ]);
  });

  test.each([
    ['before the first reading', undefined, undefined, ['reading …']],
    ['a daemon that gave no answer yet', undefined, 'no answer', ['state unknown', 'no answer']],
    [
      'a daemon that answers no more',
      { ...READING, portfolios: [], total: 0 },
      'no answer',
      [
        'away, last seen  trading ACTIVE  MMP ready  0 at work  0 undecided  0.0 % late',
        'no answer',
      ],
    ],
    [
      'a daemon that is not ready',
      { ...READING, portfolios: [], total: 0, ready: false, reasons: ['recovering'] },
      undefined,
      ['● not ready: recovering  trading ACTIVE  MMP ready  0 at work  0 undecided'],
    ],
  ])('%s does not look like one in order', (_words, reading, notice, lines) => {
    expect(shown(reading, { notice }).slice(0, -1)).toEqual(lines);
  });

  test('at most eight portfolios are shown, fewer on a low terminal, and the others are counted', () => {
    const portfolios = Array.from({ length: 30 }, () => ({ record: record() }));
    const many = { ...READING, portfolios, total: 31 };
    const rowsOf = (rows: number) => shown(many, { rows, columns: 140 });
    const ids = (lines: readonly string[]) =>
      lines.filter((line) => line.startsWith('1776665215780001')).length;
    expect([ids(rowsOf(50)), ids(rowsOf(12)), ids(rowsOf(3))]).toEqual([8, 4, 1]);
    expect(rowsOf(50)).toContain(`… and 23 more: ${CLI_NAME} top`);
  });

  test.each([20, 44, 80, 140])(
    'at %i columns no line is wider, whatever strangers call a portfolio',
    (columns) => {
      const name = '東京の注文😀😀'.repeat(5);
      const reading = { ...READING, portfolios: [{ record: record({ strategy: name }) }] };
      for (const notice of [undefined, name]) {
        for (const line of shown(reading, { columns, notice })) {
          expect(columnsOf(line)).toBeLessThanOrEqual(columns);
        }
      }
      expect(
        columnsOf(stripVTControlCharacters(progressLine(name, 3_000, columns))),
      ).toBeLessThanOrEqual(columns);
    },
  );

  test('what takes a while turns a wheel and counts seconds', () => {
    expect(plain([progressLine('starting the engine', 2_400, 80)])).toEqual([
      '⠹ starting the engine 2 s',
    ]);
  });
});

describe('the key that stops the daemon', () => {
  test.each([
    ['paper', undefined, true],
    ['test', undefined, true],
    ['live', undefined, false],
    ['live', 6_999, false],
    ['live', 7_000, true],
    ['live', 9_900, true],
  ] as const)(
    'on %s money, pressed at 10 s and before at %s ms, the key stops: %s',
    (money, before, isMeant) => {
      expect(isQuitMeant(money, before, 10_000)).toBe(isMeant);
    },
  );
});

const logged = (fields: object): string =>
  JSON.stringify({
    level: 'warn',
    time: '2026-11-20T14:30:05.250Z',
    deployment: 'demo',
    part: 'engine',
    ...fields,
  });

describe('what is kept above the redrawn lines', () => {
  test.each([
    [
      'a warning with its fields',
      { event: 'slices_missed', portfolio: '17', leg: 0, from: 9, to: 10, msg: 'slices missed' },
      ['14:30:05 WARN slices missed  portfolio 17, leg 0, from 9, to 10'],
    ],
    [
      'a fault with its reason',
      {
        level: 'error',
        where: 'ledger',
        err: { type: 'Error', message: 'no space', stack: 'Error' },
        msg: 'failed: ledger',
      },
      ['14:30:05 ERROR failed: ledger: no space  where ledger'],
    ],
    [
      'a portfolio that has ended',
      { level: 'info', event: 'filled', portfolio: '17', msg: 'portfolio filled' },
      ['14:30:05 INFO portfolio filled  portfolio 17'],
    ],
    [
      "a stranger's text, which cannot move the cursor",
      { portfolio: '\u001b[2J\u202e17', msg: 'a\nb' },
      ['14:30:05 WARN a\\nb  portfolio \\x1b[2J\\u202e17'],
    ],
  ])('%s is kept', (_words, fields, expected) => {
    const notice = must(noticeOf(logged(fields)), 'it is kept');
    expect(plain(noticeLines(notice, 100))).toEqual(expected);
  });

  test('a slice that is sent, and an empty line, are left to the log', () => {
    const sent = logged({ level: 'info', event: 'slice_sent', msg: 'slice sent' });
    expect([noticeOf(sent), noticeOf('  ')]).toEqual([undefined, undefined]);
  });

  test('what is no line of the log is kept as it was written', () => {
    const notice = must(noticeOf('(node:7) a warning\u001b[2J'), 'it is kept');
    expect(plain(noticeLines(notice, 80))).toEqual(['WARN (node:7) a warning\\x1b[2J']);
  });

  test('a long notice takes three lines of a narrow terminal', () => {
    const notice = must(
      noticeOf(logged({ msg: 'order rejected', why: 'word '.repeat(15) })),
      'kept',
    );
    const lines = plain(noticeLines(notice, 44));
    expect(lines).toEqual([
      '14:30:05 WARN order rejected  why word word',
      '              word word word word word word',
      '              word word word word word word …',
    ]);
  });

  test('the fourth notice of one text within ten seconds is counted', () => {
    const repeated = new RepeatedNotices();
    const notice = must(noticeOf(logged({ msg: 'order rejected', leg: 1 })), 'it is kept');
    const other = must(noticeOf(logged({ msg: 'slices missed' })), 'it is kept');
    const admitted = [0, 1, 2, 3, 4].map((second) => repeated.admits(notice, second * 1_000));
    expect(admitted).toEqual([true, true, true, false, false]);
    expect(repeated.admits(other, 4_000)).toBe(true);
    expect(repeated.ended(9_999)).toEqual([]);
    expect(repeated.ended(10_000)).toEqual([
      { ...notice, text: '2 more: order rejected', details: '' },
    ]);
    expect(repeated.admits(notice, 10_001)).toBe(true);
    expect(repeated.ended(30_000)).toEqual([]);
  });
});

describe('the log file', () => {
  test('a full file becomes an older one, the fifth of them goes, and only the owner reads them', async () => {
    const home = mkdtempSync(join(tmpdir(), 'twapd-log-'));
    try {
      const folder = join(home, 'data', 'log');
      const log = new LogFile({ folder, bytesMax: 20 });
      for (let line = 1; line <= 13; line += 1) log.write(`line ${line}\n`.padEnd(10, '.'));
      await log.close();
      const names = readdirSync(folder).toSorted();
      expect(names).toEqual([
        'twapd.1.log',
        'twapd.2.log',
        'twapd.3.log',
        'twapd.4.log',
        'twapd.log',
      ]);
      const begins = names.map((name) => /\d+/.exec(readFileSync(join(folder, name), 'utf8'))?.[0]);
      expect(begins).toEqual(['11', '9', '7', '5', '13']);
      expect(statSync(log.path).mode & 0o777).toBe(0o600);
      const next = new LogFile({ folder, bytesMax: 20 });
      next.write('line 14\n');
      await next.close();
      expect(readFileSync(log.path, 'utf8')).toContain('13');
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
