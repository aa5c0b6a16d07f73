// Times as people write them, judged by the clocks that Intl shows.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseWrittenTime } from '../../../src/gateway/wire/written-time.ts';

const ZONES = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo', 'UTC'];

/** What the clocks of the zone show, as `2026-12-01T09:00:00`. */
function shownIn(zone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`;
}

const seconds = fc
  .integer({ min: Date.UTC(2025, 0, 1) / 1_000, max: Date.UTC(2030, 0, 1) / 1_000 })
  .map((second) => second * 1_000);

describe('a time with its offset', () => {
  test('names the instant that Date reads, and Unix milliseconds name themselves', () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: -14 * 60, max: 14 * 60 }), (at, ahead) => {
        const local = new Date(at + ahead * 60_000).toISOString().slice(0, 19);
        const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
        const offset = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
        const text = `${local}${ahead < 0 ? '-' : '+'}${offset}`;
        expect(Date.parse(text)).toBe(at);
        expect(parseWrittenTime(text)).toEqual({ kind: 'instant', at });
        expect(parseWrittenTime(String(at))).toEqual({ kind: 'instant', at });
      }),
    );
  });
});

describe('a time with the name of its zone', () => {
  test('names an instant at which the clocks of the zone show it, or is refused', () => {
    fc.assert(
      fc.property(seconds, fc.constantFrom(...ZONES), fc.boolean(), (at, zone, inBrackets) => {
        const local = shownIn(zone, at);
        const read = parseWrittenTime(inBrackets ? `${local}[${zone}]` : `${local} ${zone}`);
        if (read.kind === 'instant') expect(read.at).toBe(at);
        else expect(read.why).toContain('show twice');
      }),
    );
  });

  test('a time that clocks show twice needs its offset, and one that they skip is refused', () => {
    const twice = '2026-10-25T01:30';
    expect(parseWrittenTime(`${twice} Europe/London`)).toMatchObject({ kind: 'faulty' });
    expect(parseWrittenTime(`${twice}+01:00[Europe/London]`)).toEqual({
      kind: 'instant',
      at: Date.UTC(2026, 9, 25, 0, 30),
    });
    expect(parseWrittenTime(`${twice}+00:00[Europe/London]`)).toEqual({
      kind: 'instant',
      at: Date.UTC(2026, 9, 25, 1, 30),
    });
    const skipped = parseWrittenTime('2026-03-29T01:30 Europe/London');
    expect(skipped).toMatchObject({ kind: 'faulty', why: expect.stringContaining('skip') });
  });
});

test.each([
  ['2026-12-01T09:00', 'without an offset or a zone'],
  ['2026-12-01', 'accepted: ISO 8601'],
  ['2026-02-30T09:00Z', 'not a time'],
  ['2026-12-01T25:00Z', 'not a time'],
  ['2026-12-01T09:00 London', 'London is not a time zone'],
  ['2026-12-01T09:00+02:00[Europe/London]', 'not the offset of Europe/London'],
  ['tomorrow', 'accepted: ISO 8601'],
  ['9999999999999', 'accepted: ISO 8601'],
  ['12', 'accepted: ISO 8601'],
  ['', 'accepted: ISO 8601'],
])('%j is refused with what would be accepted', (text, words) => {
  const read = parseWrittenTime(text);
  expect(read).toMatchObject({ kind: 'faulty', why: expect.stringContaining(words) });
});
