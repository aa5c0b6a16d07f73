// Words and times that people write in files, and the body that is sent for them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { portfolioBodySchema } from '../../../src/gateway/portfolios/submit/submit-schema.ts';
import { faultText } from '../../../src/main/fault.ts';
import { readStrategyFile, readSubmitFile } from '../../../src/main/strategy/strategy-file.ts';
import { nextDue } from '../../../src/main/strategy/strategy-schedule.ts';
import { must } from '../../../src/values/assert.ts';
import { instant } from '../../../src/values/instant.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-words-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START = Date.UTC(2026, 11, 1, 9);

const leg = (changes: object = {}) => ({
  instrument: 'BTC-PERPETUAL',
  instrumentType: 'PERPETUAL',
  side: 2,
  quantity: '1000',
  priceOptions: { priceType: 'MARKET' },
  timeInForce: 4,
  tradeMode: 2,
  positionSide: 3,
  ...changes,
});

const body = (changes: object = {}, legs: object = leg()) => ({
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { startTimestamp: START, durationSec: 600, frequencySec: 60 },
  legs: [legs],
  ...changes,
});

function fileOf(text: string): string {
  const path = join(folder, 'file.yaml');
  writeFileSync(path, text);
  return path;
}

function bodyFrom(written: object): unknown {
  const reading = readSubmitFile(fileOf(JSON.stringify(written)));
  if (reading.kind === 'read') return reading.value.body;
  throw new Error(reading.faults.map(faultText).join('\n'));
}

const faultsFrom = (text: string): readonly string[] => {
  const reading = readSubmitFile(fileOf(text));
  return reading.kind === 'faulty' ? reading.faults.map(faultText) : [];
};

const WORDS = [
  ['side', 2, 'sell'],
  ['timeInForce', 4, 'gtd'],
  ['tradeMode', 2, 'cross'],
  ['positionSide', 3, 'net'],
] as const;

describe('a body with words', () => {
  test('a body with words is sent as the same body as one with numbers, whatever the case of its letters', () => {
    const inSomeCase = (word: string) =>
      fc.constantFrom(
        word,
        word.toUpperCase(),
        word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
      );
    const written = fc.record(
      Object.fromEntries(
        WORDS.map(([name, value, word]) => [name, fc.oneof(fc.constant(value), inSomeCase(word))]),
      ),
    );
    fc.assert(
      fc.property(written, inSomeCase('perpetual'), inSomeCase('market'), (words, kind, how) => {
        const priceOptions = { priceType: how };
        const asked = body({}, leg({ ...words, instrumentType: kind, priceOptions }));
        expect(bodyFrom(asked)).toEqual(body());
      }),
    );
  });

  test.each(['2026-12-01T09:00Z', '2026-12-01T10:00:00+01:00', '2026-12-01T18:00 Asia/Tokyo'])(
    'the start %s is sent as Unix milliseconds',
    (startTimestamp) => {
      const twapTrade = { ...body().twapTrade, startTimestamp };
      expect(bodyFrom(body({ twapTrade }))).toEqual(body());
    },
  );

  test('a word that is not known is refused with its line, its column and the known ones', () => {
    const text = JSON.stringify(body({}, leg({ side: 'bye' })), null, 2);
    const line = text.split('\n').findIndex((one) => one.includes('"side"')) + 1;
    expect(faultsFrom(text)).toEqual([
      `${join(folder, 'file.yaml')}:${line}:7 legs[0].side: is "bye"; accepted: 1 (BUY), 2 (SELL)`,
    ]);
  });

  test('a time without offset or zone is refused once, with its line and column', () => {
    const twapTrade = { ...body().twapTrade, startTimestamp: '2026-12-01T09:00' };
    const faults = faultsFrom(`name: one\nportfolio: ${JSON.stringify(body({ twapTrade }))}\n`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(
      /file\.yaml:2:\d+ portfolio\.twapTrade\.startTimestamp: is "2026-12-01T09:00", without an offset or a zone; accepted: ISO 8601/,
    );
  });

  test('a request is read as its document says: words and ISO 8601 are refused there', () => {
    const twapTrade = { ...body().twapTrade, startTimestamp: '2026-12-01T09:00Z' };
    expect(portfolioBodySchema.safeParse(body()).success).toBe(true);
    for (const asked of [body({ twapTrade }), body({}, leg({ side: 'sell' }))]) {
      expect(portfolioBodySchema.safeParse(asked).success).toBe(false);
    }
  });
});

describe('a schedule', () => {
  const dueOf = (schedule: string): number | undefined => {
    const text = `name: one\nschedule: ${schedule}\nportfolio: ${JSON.stringify(body())}\n`;
    const reading = readStrategyFile(fileOf(text));
    if (reading.kind === 'faulty') throw new Error(reading.faults.map(faultText).join('\n'));
    return nextDue(must(reading.value.schedule, 'a schedule'), instant(0));
  };

  test.each([
    '{ at: "2026-12-01T09:00", zone: UTC }',
    '{ at: "2026-12-01T10:00", zone: Europe/Berlin }',
    '{ at: "2026-12-01T10:00+01:00" }',
    '{ at: "2026-12-01T10:00 Europe/Berlin" }',
    '{ at: 2026-12-01T09:00:00Z }',
    `{ at: ${START} }`,
  ])('%s is due at that instant', (schedule) => {
    expect(dueOf(schedule)).toBe(START);
  });

  test.each([
    ['{ at: "2026-12-01T09:00" }', 'schedule.zone: is missing'],
    ['{ at: "2026-12-01T09:00Z", zone: UTC }', 'schedule.zone: is given'],
    ['{ at: noon, zone: UTC }', 'schedule.at: is "noon"'],
  ])('%s is refused', (schedule, words) => {
    expect(() => dueOf(schedule)).toThrow(words);
  });
});
