// The history of a portfolio as a log.
import { expect, test } from 'vitest';
import { logOf } from '../../src/page/model/portfolio/history-log.ts';

const NIGHT = Date.UTC(2026, 10, 29, 23, 59, 59);

const happening = (version: number, at: number, messageType: string, detail: object = {}) => ({
  version,
  timestamp: String(at),
  messageType,
  detail: { kind: messageType, at, ...detail },
});

test('it is newest first, with each second once and each day where it changes', () => {
  const log = logOf([
    happening(1, NIGHT, 'PORTFOLIO_SUBMITTED'),
    happening(2, NIGHT + 999, 'PORTFOLIO_STARTED'),
    happening(3, NIGHT + 1_000, 'PORTFOLIO_PAUSED', { by: '7001' }),
    happening(4, NIGHT + 5_000, 'PORTFOLIO_RESUMED', { by: '7001' }),
  ]);
  expect(log.map(({ day, time, lines }) => [day, time, ...lines.map(({ text }) => text)])).toEqual([
    ['2026-11-30', '00:00:04', 'Resumed by 7001.'],
    ['', '00:00:00', 'Paused by 7001.'],
    ['2026-11-29', '23:59:59', 'Started.', 'Submitted.'],
  ]);
});

test('what went wrong, and what a person did, stands out', () => {
  const log = logOf([
    happening(1, NIGHT, 'PORTFOLIO_STARTED'),
    happening(2, NIGHT + 1_000, 'PORTFOLIO_CANCELLING'),
    happening(3, NIGHT + 2_000, 'PORTFOLIO_ORDER_REJECTED', { message: 'no', code: 1 }),
  ]);
  expect(log.flatMap(({ lines }) => lines.map(({ tone }) => tone))).toEqual([
    'bad',
    'strong',
    'plain',
  ]);
});

test('an amendment names what it changed', () => {
  const terms = (quantity: string) => ({ legs: [{ quantity, pricing: {} }] });
  const detail = { by: '7001', before: terms('10'), after: terms('12') };
  const [entry] = logOf([happening(1, NIGHT, 'PORTFOLIO_AMENDED', detail)]);
  expect(entry?.lines).toEqual([
    { version: 1, text: 'Amended by 7001: total of leg 1: 10 → 12.', tone: 'strong' },
  ]);
});
