import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { type Fault, faultText } from '../../../src/main/fault.ts';
import { readStrategyFile, readSubmitFile } from '../../../src/main/strategy/strategy-file.ts';
import { misfits } from '../../../src/main/strategy/strategy-fit.ts';
import { text as amountText } from '../../../src/values/amounts.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const GOOD = readFileSync(join(ROOT, 'strategies/option-spread-with-hedge.yaml'), 'utf8');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-strategy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string) {
  const path = join(folder, 'strategy.yaml');
  writeFileSync(path, text);
  return readStrategyFile(path);
}

function faultsOf(text: string): readonly Fault[] {
  const reading = read(text);
  return reading.kind === 'faulty' ? reading.faults : [];
}

const lineOf = (text: string, part: string): number =>
  text.split('\n').findIndex((line) => line.includes(part)) + 1;

describe('the example strategies', () => {
  const config = loadConfig(join(ROOT, 'config/paper.yaml'), { environment: () => undefined });
  const names = readdirSync(join(ROOT, 'strategies')).filter((name) => name.endsWith('.yaml'));

  test('there are at least four example strategies', () => {
    expect(names.length).toBeGreaterThanOrEqual(4);
  });

  test.each(names)('the example %s is read and fits config/paper.yaml', (name) => {
    const reading = readStrategyFile(join(ROOT, 'strategies', name));
    const faults = reading.kind === 'faulty' ? reading.faults.map(faultText) : [];
    expect(faults).toEqual([]);
    if (reading.kind !== 'read' || config.kind !== 'read') throw new Error('unread');
    expect(misfits(reading.value, config.value)).toEqual([]);
    expect(`${reading.value.name}.yaml`).toBe(name);
  });

  test('only the demo strategy is enabled', () => {
    const enabled = names.filter((name) => {
      const reading = readStrategyFile(join(ROOT, 'strategies', name));
      return reading.kind === 'read' && reading.value.enabled;
    });
    expect(enabled).toEqual(['demo-two-minutes.yaml']);
  });
});

describe('a strategy file that was read', () => {
  test('a strategy file becomes a form labelled with its name, with its execution options', () => {
    const reading = read(GOOD);
    if (reading.kind !== 'read') throw new Error('unread');
    const { form, body, schedule } = reading.value;
    expect(form.strategy).toBe('option-spread-with-hedge');
    expect(form.execution).toEqual({ endAction: 'cancel' });
    expect(form.legs.map((leg) => leg.hedge)).toEqual([false, false, true]);
    expect(body).toMatchObject({ strategy: 'option-spread-with-hedge', accountId: 10001 });
    expect(schedule).toEqual({ kind: 'cron', cron: '30 9 * * 2', zone: 'Europe/London' });
  });

  test('a label in the file takes precedence over the name', () => {
    const reading = read(GOOD.replace('accountId: 10001', 'accountId: 10001\n  strategy: mine'));
    expect(reading).toMatchObject({ kind: 'read', value: { form: { strategy: 'mine' } } });
  });

  test('a number keeps every digit, quoted or not', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }),
        fc.stringMatching(/^\d{0,17}[1-9]$/),
        (whole, decimals) => {
          const digits = `${whole}.${decimals}`;
          for (const written of [digits, `"${digits}"`]) {
            const reading = read(GOOD.replace('quantity: "90000"', `quantity: ${written}`));
            if (reading.kind !== 'read') throw new Error(reading.faults.map(faultText).join());
            const leg = reading.value.form.legs[2];
            expect(leg && amountText(leg.quantity)).toBe(digits);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('a fault names its line', () => {
  test.each([
    [
      'an unknown key',
      'description:',
      'descripton:',
      'descripton',
      'did you mean description?; accepted here: name, description',
    ],
    [
      'a name with blanks',
      'name: option-spread-with-hedge',
      'name: Option Spread',
      'name',
      'lower-case letters',
    ],
    [
      'an unknown time zone',
      'zone: Europe/London',
      'zone: London',
      'schedule.zone',
      'accepted: an IANA name such as Europe/London',
    ],
    ['an offset for a zone', 'zone: Europe/London', 'zone: "+01:00"', 'schedule.zone', 'IANA'],
    ['bad cron', '30 9 * * 2', '30 25 * * 2', 'schedule.cron', 'accepted: minute hour'],
    [
      'an invalid side',
      'side: 2',
      'side: 3',
      'portfolio.legs[2].side',
      'accepted: 1 (BUY), 2 (SELL)',
    ],
    ['an exponent', 'quantity: "90000"', 'quantity: 9e4', 'portfolio.legs[2].quantity', 'is "9e4"'],
    [
      'hexadecimal',
      'quantity: "90000"',
      'quantity: 0x1F',
      'portfolio.legs[2].quantity',
      'is "0x1F"',
    ],
    ['infinity', 'quantity: "90000"', 'quantity: .inf', 'portfolio.legs[2].quantity', 'is ".inf"'],
    [
      'an unknown price field',
      'priceType: MARKET',
      'priceTyp: MARKET',
      'portfolio.legs[2].priceOptions.priceTyp',
      'is not known here; did you mean priceType?',
    ],
    [
      'execution out of range',
      'endAction: cancel',
      'phase: 1',
      'execution.phase',
      'accepted: a decimal from 0 to below 1',
    ],
    [
      'a malformed choice',
      'BTC-{>=28d}-{atm+15%}-C',
      'BTC-{28d}-{atm+15%}-C',
      'portfolio.legs[1].instrument',
      'a choice such as BTC-{>=20d}',
    ],
    [
      'a negative grace',
      'schedule:',
      'missed: { withinSec: -1 }\nschedule:',
      'missed.withinSec',
      'at least 0',
    ],
  ])(
    'a strategy file with %s is refused with the line of the fault',
    (_what, from, to, field, message) => {
      const at = GOOD.lastIndexOf(from);
      const text = GOOD.slice(0, at) + to + GOOD.slice(at + from.length);
      const fault = faultsOf(text).find((one) => one.field === field);
      expect(fault?.message).toContain(message);
      expect(fault?.line).toBe(lineOf(text, to.split('\n')[0] ?? ''));
    },
  );

  test.each(['{ at: "2026-12-01T09:00" }', '{ cron: "0 16 * * 1-5" }'])(
    'a schedule without a zone is refused: %s',
    (schedule) => {
      const text = GOOD.replace('{ cron: "30 9 * * 2", zone: Europe/London }', schedule);
      const [fault] = faultsOf(text);
      expect(fault?.field).toContain('schedule');
      expect(fault?.message).toContain('zone');
    },
  );

  test('faults of the frame and of the body are reported together, from top to bottom', () => {
    const text = GOOD.replace('name: option', 'name: Option')
      .replace('accountId: 10001', 'accountId: me')
      .replace('endAction: cancel', 'endAction: pray');
    expect(faultsOf(text).map((fault) => fault.field)).toEqual([
      'name',
      'portfolio.accountId',
      'execution.endAction',
    ]);
  });

  test('execution options in both places are refused', () => {
    const text = GOOD.replace('accountId: 10001', 'accountId: 10001\n  execution: { phase: 0 }');
    expect(faultsOf(text)[0]).toMatchObject({
      field: 'execution',
      line: lineOf(text, 'execution:\n') || lineOf(text, 'endAction') - 1,
    });
  });
});

test('no text makes the reader throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.nat({ max: GOOD.length }).map((end) => GOOD.slice(0, end)),
        fc
          .tuple(fc.nat({ max: GOOD.length - 1 }), fc.string({ maxLength: 3 }))
          .map(([at, put]) => GOOD.slice(0, at) + put + GOOD.slice(at + 1)),
        fc.json(),
      ),
      (text) => {
        expect(['read', 'faulty']).toContain(read(text).kind);
      },
    ),
    { numRuns: 150 },
  );
});

describe('a file to submit', () => {
  const path = () => join(folder, 'body.json');

  test('a file to submit may be a bare body', () => {
    const body = {
      accountId: 10001,
      portfolioType: 'TWAP',
      twapTrade: { durationSec: 600, frequencySec: 60 },
      legs: [
        {
          instrument: 'BTC-PERPETUAL',
          instrumentType: 'PERPETUAL',
          side: 1,
          quantity: '1000',
          priceOptions: { priceType: 'MARKET' },
        },
      ],
    };
    writeFileSync(path(), JSON.stringify(body));
    expect(readSubmitFile(path())).toMatchObject({ kind: 'read', value: { body } });
  });

  test('faults of a bare body have lines too', () => {
    writeFileSync(path(), '{\n  "accountId": 10001,\n  "portfolioTyp": "TWAP"\n}\n');
    const reading = readSubmitFile(path());
    const faults = reading.kind === 'faulty' ? reading.faults : [];
    expect(faults.find((fault) => fault.field === 'portfolioTyp')?.line).toBe(3);
    expect(faults.map((fault) => fault.field)).toContain('legs');
  });
});

describe('a file of holidays', () => {
  const withHolidays = GOOD.replace(
    /schedule: .*/,
    'schedule: { cron: "30 9 * * 2", zone: Europe/London, holidays: days.yaml }',
  );
  const days = (text: string): void => writeFileSync(join(folder, 'days.yaml'), text);

  test('holidays are read relative to the strategy file', () => {
    days('name: ours\ndays:\n  2026-12-25: Christmas Day\n  2027-01-01: New Year\n');
    const reading = read(withHolidays);
    const schedule = reading.kind === 'read' ? reading.value.schedule : undefined;
    expect(schedule).toMatchObject({ kind: 'cron' });
    const holidays = schedule?.kind === 'cron' ? schedule.holidays : undefined;
    expect([...(holidays ?? [])]).toEqual(['2026-12-25', '2027-01-01']);
  });

  test('a missing file of holidays is a fault at the line that names it', () => {
    rmSync(join(folder, 'days.yaml'), { force: true });
    expect(faultsOf(withHolidays)).toMatchObject([
      { field: 'schedule.holidays', line: lineOf(withHolidays, 'holidays:') },
      { message: expect.stringMatching(/ENOENT/) },
    ]);
  });

  test.each([
    ['name: ours\ndays:\n  2027-02-29: no such day\n', 3],
    ['name: ours\ndays:\n  25 December: Christmas\n', 3],
    ['days:\n  2026-12-25: Christmas\n', undefined],
    ['name: ours\ndays: [2026-12-25]\n', 2],
  ])('a faulty file of holidays is reported with its own line: %j', (text, line) => {
    days(text);
    const [, fault] = faultsOf(withHolidays);
    expect(fault?.source).toBe(join(folder, 'days.yaml'));
    if (line !== undefined) expect(fault?.line).toBe(line);
  });
});
