// The report of `doctor`: what is wrong, what is worth knowing and what is recommended, from what was measured.
import { describe, expect, test } from 'vitest';
import { doctorText } from '../../../src/main/commands/doctor/doctor-text.ts';
import { widthOf } from '../../../src/main/commands/terminal/fitted-lines.ts';
import { deribitVenue } from '../../../src/main/config/sections/deribit-section.ts';
import {
  type AccountExamined,
  type Examined,
  probeChoice,
} from '../../../src/main/doctor/examine-venue.ts';
import { faultsIn, judgeVenue, type Line } from '../../../src/main/doctor/judge-venue.ts';
import type { Probe } from '../../../src/main/doctor/probe-order.ts';
import { perpetual } from '../../support/engine/markets.ts';

const section = (options: object = {}) =>
  deribitVenue.parse({
    kind: 'deribit',
    credentials: [{ account: '1', clientId: 'env:ID', clientSecret: 'env:SECRET' }],
    ...options,
  });
const ENGINE = { skewMs: 5_000, readLagMs: 5_000 };
const ACCOUNT: AccountExamined = {
  account: '1',
  name: 'Main',
  userId: '777',
  mmpEnabled: true,
  openOrders: 2,
  scope: 'account:read_write block_rfq:read_write trade:read_write connection',
  rates: {
    orders: { perSecond: 10, burst: 30 },
    cancelAll: { perSecond: 5, burst: 20 },
    queries: { perSecond: 20, burst: 100 },
  },
  inspection: {
    summary: {
      kind: 'read',
      value: {
        name: 'desk',
        type: 'subaccount',
        statesLimits: true,
        limitsPerCurrency: false,
        marginModel: 'cross_pm',
        isCrossCollateral: true,
        selfTrading: 'reject_taker',
      },
    },
    protection: { kind: 'read', value: [] },
    cancelOnDisconnect: { kind: 'read', value: { connection: false, account: false } },
    locks: { kind: 'read', value: [] },
  },
  equity: { kind: 'known', byCurrency: { BTC: '1.5' } },
};
const PROBE: Probe = {
  instrument: 'BTC-PERPETUAL',
  quantity: '10',
  price: '45000',
  label: 'doctor-1',
  steps: [
    { name: 'place', replyMs: 20, byLabelMs: 30, inOpenMs: 620 },
    { name: 'edit', replyMs: 20, byLabelMs: 30, inOpenMs: 35 },
    { name: 'cancel', replyMs: 20, byLabelMs: 25, inOpenMs: 30 },
  ],
};
const EXAMINED: Examined = {
  clockOffsetMs: 3,
  venue: {
    testnet: true,
    platform: { kind: 'read', value: { locked: 'false', lockedIndices: [] } },
    roundTripsMs: [12, 10, 40],
  },
  instruments: { option: 300, perpetual: 12 },
  accounts: [ACCOUNT],
  probe: PROBE,
  unknown: {},
};

interface Judging {
  readonly options?: object;
  readonly engine?: Partial<typeof ENGINE>;
  readonly examined?: Partial<Examined>;
}

const judged = ({ options, engine, examined }: Judging = {}) =>
  judgeVenue(section(options), { ...ENGINE, ...engine }, { ...EXAMINED, ...examined });

const lineOf = (judging: Judging, name: string): Line | undefined =>
  judged(judging)
    .parts.flatMap(({ lines }) => lines)
    .find((line) => line.name === name);

const ofAccount = (change: Partial<AccountExamined>): Judging => ({
  examined: { accounts: [{ ...ACCOUNT, ...change }] },
});

describe('a venue in order', () => {
  test('nothing is wrong, and every line says what was found', () => {
    const report = judged({ engine: { readLagMs: 6_200 } });
    expect(faultsIn(report)).toEqual([]);
    expect(report.isLive).toBe(false);
    const texts = report.parts.flatMap(({ lines }) =>
      lines.map(({ level, name, text }) => `${level} ${name}: ${text}`),
    );
    expect(texts).toEqual([
      'fine address: wss://test.deribit.com/ws/api/v2',
      'fine money: play money: a test network',
      'fine clock: +3 ms from ours',
      'fine round trip: 12 ms in the middle, 10 ms to 40 ms of 3',
      'fine platform: open',
      'fine instruments: 312: 300 option, 12 perpetual',
      'fine unknown words: none',
      "fine login: the venue's 777, desk, subaccount",
      'fine scope: account:read_write block_rfq:read_write trade:read_write connection',
      'fine margin: cross_pm, cross collateral',
      'fine equity: 1.5 BTC',
      'fine open orders: 2',
      'fine limits: orders 10/s, 30 at once (tier 3); queries 20/s, 100 at once',
      'fine locks: none',
      'fine protection: none',
      'fine disconnect: orders rest while the daemon is away',
      'fine order: BTC-PERPETUAL 10 at 45000, label doctor-1',
      'fine place: answered after 20 ms; shown by label 30 ms, in open orders 620 ms later',
      'fine edit: answered after 20 ms; shown by label 30 ms, in open orders 35 ms later',
      'fine cancel: answered after 20 ms; shown by label 25 ms, in open orders 30 ms later',
      'fine skewMs: is 5000; recommended: at least 5000',
      'fine readLagMs: is 6200; recommended: at least 6200',
      'fine timeoutMs: is 10000',
    ]);
  });
});

describe('the recommended margins', () => {
  test('the margins are ten times the worst that was measured, and never below 5 s across a network', () => {
    expect(judged().recommended).toEqual({ skewMs: 5_000, readLagMs: 6_200 });
    const slow = judged({ examined: { clockOffsetMs: -700 } });
    // The offset is known within half the quickest round trip.
    expect(slow.recommended.skewMs).toBe(7_100);
  });

  test('on this machine they may be short', () => {
    const here = judged({ options: { url: 'ws://127.0.0.1:9/ws/api/v2' } });
    expect(here.recommended).toEqual({ skewMs: 100, readLagMs: 6_200 });
  });

  test('a margin below what was measured is a fault', () => {
    expect(faultsIn(judged({ engine: { readLagMs: 5_000 } }))).toEqual([
      'settings, readLagMs: is 5000; accepted: at least 6200, ten times what was measured',
    ]);
    const unmeasured = lineOf({ examined: { probe: undefined } }, 'readLagMs');
    expect(unmeasured).toMatchObject({
      level: 'note',
      text: expect.stringContaining('not measured'),
    });
  });
});

describe('what is wrong is a fault, with its reason', () => {
  test.each<[string, Judging, string, string]>([
    ['a clock apart', { examined: { clockOffsetMs: -6_000 } }, 'clock', '-6000 ms from ours'],
    [
      'no connection',
      { examined: { trouble: 'getaddrinfo ENOTFOUND' } },
      'connection',
      'ENOTFOUND',
    ],
    ['no instruments', { examined: { instruments: {} } }, 'instruments', 'none'],
    ['no login', ofAccount({ trouble: 'the venue refuses me: 13004' }), 'login', '13004'],
    [
      'too few rights',
      ofAccount({ scope: 'trade:read account:read' }),
      'scope',
      'lacks trade:read_write; granted: trade:read account:read',
    ],
    [
      'no funds',
      ofAccount({ equity: { kind: 'known', byCurrency: {} } }),
      'equity',
      'none: the account has no funds and cannot trade; deposit some there first',
    ],
    [
      'equity that cannot be read',
      ofAccount({ equity: { kind: 'unknown', reason: 'BTC: 13009 unauthorized' } }),
      'equity',
      'unknown (BTC: 13009 unauthorized)',
    ],
    [
      'protection that is not enabled',
      {
        ...ofAccount({ mmpEnabled: false }),
        options: {
          protection: [{ index: 'btc_usd', intervalSec: 1, frozenTimeSec: 1, deltaLimit: '1' }],
        },
      },
      'protection',
      'has not enabled it',
    ],
    [
      'a failed order',
      { examined: { probe: { ...PROBE, fault: 'place: 10009 not_enough_funds' } } },
      'failed',
      'place: 10009 not_enough_funds',
    ],
    [
      'an order that may be open',
      { examined: { probe: { ...PROBE, leftOpen: 'cancel it manually' } } },
      'LEFT OPEN',
      'cancel it manually',
    ],
  ])('%s is a fault', (_what, judging, name, text) => {
    expect(lineOf(judging, name)).toMatchObject({
      level: 'fault',
      text: expect.stringContaining(text),
    });
  });

  test('a locked platform and a locked account are faults, a locked index is worth knowing', () => {
    const locked = (text: string, lockedIndices: readonly string[]): Judging => ({
      examined: {
        venue: {
          ...EXAMINED.venue,
          platform: { kind: 'read', value: { locked: text, lockedIndices } },
        },
      },
    });
    expect(lineOf(locked('true', []), 'platform')?.level).toBe('fault');
    expect(lineOf(locked('partial', ['eth_usd']), 'platform')).toMatchObject({
      level: 'note',
      text: 'locked for eth_usd',
    });
    const inspection = {
      ...(ACCOUNT.inspection as NonNullable<AccountExamined['inspection']>),
      locks: { kind: 'read', value: ['BTC'] },
    } as const;
    expect(lineOf(ofAccount({ inspection }), 'locks')?.level).toBe('fault');
  });

  test('what cannot be read, and words that are not known, are worth knowing', () => {
    const inspection = {
      ...(ACCOUNT.inspection as NonNullable<AccountExamined['inspection']>),
      protection: { kind: 'failed', reason: '13040 mmp_required' },
    } as const;
    expect(lineOf(ofAccount({ inspection }), 'protection')).toMatchObject({
      level: 'note',
      text: 'cannot be read: 13040 mmp_required',
    });
    const unknown = Object.fromEntries(
      Array.from({ length: 7 }, (_, at) => [`word ${at}`, at + 1]),
    );
    expect(lineOf({ examined: { unknown } }, 'unknown words')?.text).toMatch(
      /^word 0 \(1\); .*word 4 \(5\); 2 more$/,
    );
  });
});

describe('the one order', () => {
  const here = { testnet: true } as const;
  const instruments = [perpetual()];

  test('an order is placed for the first account with funds in the currency of a perpetual', () => {
    const poor = { ...ACCOUNT, account: '2', equity: { kind: 'known', byCurrency: {} } } as const;
    const choice = probeChoice(here, [poor, ACCOUNT], instruments);
    expect(choice).toMatchObject({ account: '1', instrument: { name: 'BTC-PERPETUAL' } });
    expect(probeChoice(here, [poor], instruments)).toBe(
      'no account has funds in a currency of a perpetual',
    );
    const cutOff = { ...ACCOUNT, trouble: 'refused' };
    expect(probeChoice(here, [cutOff], instruments)).toBe('no account is connected');
  });

  test.each([false, undefined])('none is placed where testnet is %s', (testnet) => {
    expect(probeChoice({ testnet }, [ACCOUNT], instruments)).toContain('only where the venue says');
    const venue = { ...EXAMINED.venue, testnet };
    const report = judged({ examined: { venue, probe: undefined, whyNoProbe: 'live' } });
    expect(report.isLive).toBe(true);
    const lines = report.parts.flatMap(({ lines: all }) => all);
    expect(lines.find(({ name }) => name === 'money')?.text).toContain('REAL');
  });
});

describe('the report for people', () => {
  test('words of the venue neither begin a line of their own nor control the terminal', () => {
    const report = judged({
      examined: { unknown: { 'a word\n  ✓ equity        1000 BTC\u001b[2J': 1 } },
    });
    const lines = doctorText('deribit', report, 200);
    expect(lines.filter((line) => line.includes('\n') || line.includes('\u001b[2J'))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('  ✓ equity'))).toHaveLength(1);
  });

  test.each([44, 80, 140])('no line is longer than a terminal of %s columns', (columns) => {
    const lines = doctorText('deribit', judged(), columns);
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
    const words = lines.join(' ').replaceAll(/\s+/g, ' ');
    expect(words).toContain('orders 10/s, 30 at once (tier 3); queries 20/s, 100 at once');
  });
});
