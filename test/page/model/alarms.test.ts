import { expect, test } from 'vitest';
import type { SummaryRecord } from '../../../src/gateway/client/client.ts';
import { alarmsOf, runbookOf } from '../../../src/page/model/operations/alarms.ts';
import { must } from '../../../src/values/assert.ts';

const NOW_MS = 1_776_665_215_780;
const VENUE = {
  exchange: 'paper',
  isUp: true,
  clockOffsetSec: 0,
  quotesMissing: 0,
  quoteAgeSecMax: 0,
  rateLeft: 1,
};
const WELL: SummaryRecord = {
  ready: true,
  reasons: [],
  tradingState: 'active',
  switchesHeld: 0,
  isOverloaded: false,
  slices: { sent: 10, lateShare: 0 },
  undecided: { children: 0, oldestTimestamp: null },
  mmp: { frozen: 0, waiting: 0 },
  loopLagSec: { engine: 0.001, gateway: 0.001 },
  venues: [VENUE],
  audit: { breaches: 0, lastTimestamp: String(NOW_MS) },
  runbookUrl: 'https://runbook.test/ops',
  timestamp: String(NOW_MS),
};

test('a deployment that is well has no alarm', () => {
  expect(alarmsOf(WELL)).toEqual([]);
});

test.each<[string, Partial<SummaryRecord>]>([
  ['TwapdNotReady', { ready: false, reasons: ['recovering'] }],
  ['TwapdTradingHeld', { tradingState: 'halted' }],
  ['TwapdSwitchHeld', { switchesHeld: 1 }],
  [
    'TwapdUndecidedChildOld',
    { undecided: { children: 1, oldestTimestamp: String(NOW_MS - 61_000) } },
  ],
  ['TwapdMmpWaiting', { mmp: { frozen: 0, waiting: 1 } }],
  ['TwapdOverloaded', { isOverloaded: true }],
  ['TwapdSlicesLate', { slices: { sent: 100, lateShare: 0.02 } }],
  ['TwapdVenueDown', { venues: [{ ...VENUE, isUp: false }] }],
  ['TwapdMarketDataStale', { venues: [{ ...VENUE, quotesMissing: 1 }] }],
  ['TwapdClockOffset', { venues: [{ ...VENUE, clockOffsetSec: -0.2 }] }],
  ['TwapdVenueRateSpent', { venues: [{ ...VENUE, rateLeft: 0.05 }] }],
  ['TwapdAuditBreach', { audit: { breaches: 1, lastTimestamp: String(NOW_MS) } }],
  ['TwapdAuditSilent', { audit: { breaches: 0, lastTimestamp: String(NOW_MS - 61_000) } }],
  ['TwapdEventLoopLag', { loopLagSec: { engine: 0.2, gateway: null } }],
])(
  '%s is raised by what its alert fires for, with its section of the runbook',
  (alert, changes) => {
    const summary = { ...WELL, ...changes };
    const raised = alarmsOf(summary);
    expect(raised.map((one) => one.alert)).toEqual([alert]);
    const alarm = must(raised[0], 'one is raised');
    expect(runbookOf(alarm, summary)).toBe(`https://runbook.test/ops#${alert.toLowerCase()}`);
    expect(runbookOf(alarm, { ...summary, runbookUrl: null })).toBeUndefined();
  },
);

test.each<[string, Partial<SummaryRecord>]>([
  [
    'undecided for a minute',
    { undecided: { children: 1, oldestTimestamp: String(NOW_MS - 60_000) } },
  ],
  ['a slice of a thousand late', { slices: { sent: 1_000, lateShare: 0.001 } }],
  ['no slice sent', { slices: { sent: 0, lateShare: null } }],
  ['a quote of five seconds', { venues: [{ ...VENUE, quoteAgeSecMax: 5 }] }],
  ['a clock 0.1 s ahead', { venues: [{ ...VENUE, clockOffsetSec: 0.1 }] }],
  ['a tenth of the rate left', { venues: [{ ...VENUE, rateLeft: 0.1 }] }],
  [
    'a venue that reports nothing',
    { venues: [{ ...VENUE, clockOffsetSec: null, quoteAgeSecMax: null, rateLeft: null }] },
  ],
  ['an audit a minute ago', { audit: { breaches: 0, lastTimestamp: String(NOW_MS - 60_000) } }],
  ['no audit yet', { audit: { breaches: 0, lastTimestamp: null } }],
  ['timers 0.1 s late', { loopLagSec: { engine: 0.1, gateway: null } }],
  ['a late gateway', { loopLagSec: { engine: 0.001, gateway: 5 } }],
])('at its limit nothing is raised: %s', (_, changes) => {
  expect(alarmsOf({ ...WELL, ...changes })).toEqual([]);
});

test.each<[string, Partial<SummaryRecord>]>([
  ['TwapdTradingHeld', { tradingState: 'reducing' }],
  ['TwapdMarketDataStale', { venues: [{ ...VENUE, quoteAgeSecMax: 5.001 }] }],
  ['TwapdClockOffset', { venues: [VENUE, { ...VENUE, clockOffsetSec: 0.101 }] }],
  ['TwapdVenueRateSpent', { venues: [{ ...VENUE, rateLeft: 0.099 }] }],
  ['TwapdSlicesLate', { slices: { sent: 1_000, lateShare: 0.0011 } }],
])('%s is raised just beyond its limit, also of the second venue', (alert, changes) => {
  expect(alarmsOf({ ...WELL, ...changes }).map((one) => one.alert)).toEqual([alert]);
});

test.each([
  ['79.9', '100', undefined],
  ['80', '100', '△ 80%'],
  ['99.9', '100', '△ 100%'],
  ['100', '100', '▲ 100%'],
  ['130', '100', '▲ 130%'],
  ['-5', '100', undefined],
  [null, '100', '▲ what is used is not known, which blocks orders'],
  ['5', null, '▲ no limit is set, which blocks orders'],
])('of a limit, %s used of %s is the alarm %s', (used, limit, expected) => {
  const [alarm] = alarmsOf(WELL, [
    { accountId: '10001', control: 'gross', unit: 'USD', used, limit },
  ]);
  const text = alarm?.text.replace(/^10001, working.*\): /, '').replace(' of the limit used', '');
  const shown = alarm && `${alarm.isUrgent ? '▲' : '△'} ${text}`;
  expect(shown).toBe(expected);
});

test('what is urgent comes first', () => {
  const raised = alarmsOf({ ...WELL, switchesHeld: 2, isOverloaded: true });
  expect(raised.map(({ isUrgent }) => isUrgent)).toEqual([true, false]);
});
