import { expect, test } from 'vitest';
import { turnOf } from '../../../bench/ledger-turn.ts';
import {
  type NotableEvent,
  portfolioHappening,
  switchHappening,
} from '../../../src/core/notify/ledger-happenings.ts';
import { fittedText, noticeText } from '../../../src/core/notify/notice-text.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { AT, happened } from '../../conformance/notify/notices.ts';

const RECORD = turnOf(77, 3).row.record;

const about = (event: PortfolioEvent, record: NotableEvent['record'] = RECORD) =>
  portfolioHappening({
    portfolio: portfolioId('77'),
    account: accountId('10001'),
    version: 9,
    event,
    record,
  });

test('a filled portfolio is reported with its account, note and legs', () => {
  const told = about({ kind: 'filled', at: AT });
  expect(told).toMatchObject({ kind: 'filled', key: 'portfolio/77/9', at: AT, account: '10001' });
  expect(told?.title).toBe('portfolio 77 is filled');
  expect(told?.detail).toContain('account 10001');
  const [leg] = RECORD.legs;
  expect(told?.detail).toContain(`${leg?.side} ${leg?.filled} of ${leg?.quantity}`);
});

test('an end with a residual is distinguished from one without', () => {
  const end = (residual: readonly string[]) =>
    about({ kind: 'cancelled', at: AT, reason: 'time_limit', residual });
  expect(end(['0', '0.1'])?.kind).toBe('residual');
  expect(end(['0', '0'])?.kind).toBe('filled');
  expect(end(['1'])?.title).toBe('portfolio 77 ended: time_limit, with a residual');
});

test('a pause by a control is reported, one by a person is not', () => {
  expect(about({ kind: 'paused', at: AT, by: 'control' })?.kind).toBe('paused');
  expect(about({ kind: 'paused', at: AT, by: '1001' })).toBeUndefined();
});

test('a shadow, which only repeats, is not reported', () => {
  const record = { ...RECORD, mirrorOf: '76' };
  expect(about({ kind: 'filled', at: AT }, record)).toBeUndefined();
});

test('a setting of a switch is reported with who set it and why', () => {
  const setting = { scope: 'account', of: '10001', state: 'halted', number: 4 } as const;
  const by = { uid: '7', nickname: 'desk' };
  expect(switchHappening({ ...setting, by, reason: 'drill', at: AT })).toEqual({
    kind: 'switch_set',
    key: 'switch/4',
    at: AT,
    account: '10001',
    title: 'the trading switch of account 10001 is halted',
    detail: 'set by desk: drill',
  });
});

test('a text of a client cannot begin a line of its own or hide characters', () => {
  const nasty = happened('1', { title: 'portfolio 1\nURGENT \u202eevil', at: instant(0) });
  const { title, lines } = noticeText('main', [nasty, happened('2')]);
  expect(title).toBe('twapd main: portfolio 1\\nURGENT \\u202eevil, and 1 more');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe('1970-01-01T00:00:00.000Z portfolio 1\\nURGENT \\u202eevil (note ünïcode)');
});

test('a line that is too long loses text, never its link', () => {
  const runbook = 'https://wiki.example.com/ops#twapdauditbreach';
  const { lines } = noticeText('main', [happened('1', { detail: 'x'.repeat(5_000), runbook })]);
  expect(lines[0]).toHaveLength(1_000);
  expect(lines[0]?.endsWith(`… ${runbook}`)).toBe(true);
});

test('a text that is too long says how much is missing', () => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index} ${'x'.repeat(90)}`);
  const text = fittedText(lines, 500);
  expect(text.length).toBeLessThanOrEqual(500);
  const shown = text.split('\n');
  expect(shown.slice(0, -1)).toEqual(lines.slice(0, shown.length - 1));
  expect(shown.at(-1)).toBe(`… and ${50 - (shown.length - 1)} more`);
  expect(fittedText(['y'.repeat(1_000)], 100)).toHaveLength(100);
});
