// What the examination of a venue means for this configuration: every line of the report, with what is wrong and what is
// recommended. Pure.

import type { Verdict } from '../../adapters/deribit/capture/capture-point.ts';
import { POINTS_LEFT } from '../../adapters/deribit/capture/open-points.ts';
import type {
  AccountInspection,
  Inspected,
  ProtectionReport,
} from '../../adapters/deribit/inspect/inspection.ts';
import type { Config, DeribitVenueConfig } from '../config/config.ts';
import { isLocal, placeOf } from '../config/rules/venue-place.ts';
import { LIVE_MARGIN_MS_MIN } from '../config/sections/engine-section.ts';
import { equityText } from '../wiring/equity.ts';
import type { CapturedPoint } from './capture/capture-venue.ts';
import type { AccountExamined, Examined, Rates } from './examine-venue.ts';
import type { Probe } from './probe-order.ts';

/** `note`: worth knowing. `fault`: to be mended before trading. */
export type Level = 'fine' | 'note' | 'fault';

export interface Line {
  readonly level: Level;
  readonly name: string;
  readonly text: string;
}

export interface Part {
  readonly title: string;
  readonly lines: readonly Line[];
}

export interface Recommended {
  readonly skewMs: number;
  /** Where it was measured. */
  readonly readLagMs?: number | undefined;
}

export interface Judged {
  readonly parts: readonly Part[];
  readonly recommended: Recommended;
  /** Whether orders there move real money. */
  readonly isLive: boolean;
}

type Section = Omit<DeribitVenueConfig, 'credentials'>;
type Engine = Pick<Config['engine'], 'skewMs' | 'readLagMs'>;

/** Times what was measured. */
const MARGIN = 10;
const MARGIN_STEP_MS = 100;
/** A lock wait at the venue alone may take this long. */
const TIMEOUT_MS_MIN = 5_000;

export function judgeVenue(section: Section, engine: Engine, examined: Examined): Judged {
  const isHere = isLocal(section);
  const isLive = !isHere && examined.venue.testnet !== true;
  const recommended = recommendedFor(isHere, examined);
  return {
    recommended,
    isLive,
    parts: [
      { title: 'venue', lines: venueLines(section, engine, { examined, isLive, isHere }) },
      ...examined.accounts.map((one) => ({
        title: `account ${one.account}${one.name === '' ? '' : ` (${one.name})`}`,
        lines: accountLines(section, one),
      })),
      { title: 'one order', lines: probeLines(examined) },
      ...(examined.captured === undefined
        ? []
        : [{ title: 'open points', lines: pointLines(examined.captured) }]),
      { title: 'settings', lines: settingLines(section, engine, recommended) },
    ],
  };
}

const LEVELS: Readonly<Record<Verdict['kind'], Level>> = {
  agrees: 'fine',
  undecided: 'note',
  differs: 'fault',
};

/** A line for each point, and for what a point left at the venue. */
const pointLines = (captured: readonly CapturedPoint[]): readonly Line[] => [
  ...captured.flatMap(({ point: { name, assumed }, verdict: { kind, seen }, left }) => [
    { level: LEVELS[kind], name, text: `${assumed} Seen: ${seen}` },
    ...(left === undefined ? [] : [fault('LEFT OPEN', left)]),
  ]),
  ...POINTS_LEFT.map(({ name, assumed, whyNot }) => note(name, `${assumed} Not tested: ${whyNot}`)),
];

export const faultsIn = ({ parts }: Pick<Judged, 'parts'>): readonly string[] =>
  parts.flatMap(({ title, lines }) =>
    lines
      .filter(({ level }) => level === 'fault')
      .map(({ name, text }) => `${title}, ${name}: ${text}`),
  );

const fine = (name: string, text: string): Line => ({ level: 'fine', name, text });
const note = (name: string, text: string): Line => ({ level: 'note', name, text });
const fault = (name: string, text: string): Line => ({ level: 'fault', name, text });

/** A line about what was read, or about why it could not be. */
const line = <T>(name: string, found: Inspected<T> | undefined, of: (value: T) => Line): Line => {
  if (found === undefined) return note(name, 'not read');
  return found.kind === 'read' ? of(found.value) : note(name, `cannot be read: ${found.reason}`);
};

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

function recommendedFor(isHere: boolean, examined: Examined): Recommended {
  const least = isHere ? 0 : LIVE_MARGIN_MS_MIN;
  const marginOf = (measuredMs: number): number =>
    Math.max(least, Math.ceil((measuredMs * MARGIN) / MARGIN_STEP_MS) * MARGIN_STEP_MS);
  const lags = (examined.probe?.steps ?? []).flatMap(({ byLabelMs, inOpenMs }) => [
    byLabelMs,
    inOpenMs,
  ]);
  const { roundTripsMs } = examined.venue;
  // The offset is known within half the quickest round trip.
  const unsureMs = roundTripsMs.length === 0 ? 0 : Math.min(...roundTripsMs) / 2;
  return {
    skewMs: marginOf(Math.abs(examined.clockOffsetMs) + unsureMs),
    readLagMs: lags.length === 0 ? undefined : marginOf(Math.max(...lags)),
  };
}

interface Place {
  readonly examined: Examined;
  readonly isLive: boolean;
  readonly isHere: boolean;
}

function venueLines(
  section: Section,
  { skewMs }: Engine,
  { examined, isLive, isHere }: Place,
): readonly Line[] {
  const { url } = placeOf(section);
  const { trouble, venue, clockOffsetMs, instruments, unknown } = examined;
  if (trouble !== undefined) return [fine('address', url), fault('connection', trouble)];
  const kinds = Object.entries(instruments);
  const count = kinds.reduce((sum, [, of]) => sum + of, 0);
  const sorted = venue.roundTripsMs.toSorted((a, b) => a - b);
  const offset = `${clockOffsetMs > 0 ? '+' : ''}${clockOffsetMs} ms from ours`;
  return [
    fine('address', url),
    moneyLine(isLive, isHere),
    Math.abs(clockOffsetMs) > skewMs
      ? fault(
          'clock',
          `${offset}; accepted: at most engine.skewMs, ${skewMs}; correct the wrong clock`,
        )
      : fine('clock', offset),
    fine(
      'round trip',
      `${ms(sorted[Math.floor(sorted.length / 2)] ?? 0)} in the middle, ${ms(sorted[0] ?? 0)} to ${ms(sorted.at(-1) ?? 0)} of ${sorted.length}`,
    ),
    line('platform', venue.platform, ({ locked, lockedIndices }) =>
      locked === 'true'
        ? fault('platform', 'locked: it takes no orders')
        : lockedIndices.length > 0
          ? note('platform', `locked for ${lockedIndices.join(', ')}`)
          : fine('platform', 'open'),
    ),
    count === 0
      ? fault('instruments', 'none')
      : fine('instruments', `${count}: ${kinds.map(([kind, of]) => `${of} ${kind}`).join(', ')}`),
    unknownLine(unknown),
  ];
}

function moneyLine(isLive: boolean, isHere: boolean): Line {
  if (isLive) return note('money', 'REAL: start with --live; no order is placed by this command');
  return fine('money', isHere ? 'play money, on this machine' : 'play money: a test network');
}

const UNKNOWN_SHOWN = 5;

function unknownLine(unknown: Examined['unknown']): Line {
  const kinds = Object.entries(unknown);
  if (kinds.length === 0) return fine('unknown words', 'none');
  const shown = kinds.slice(0, UNKNOWN_SHOWN).map(([what, times]) => `${what} (${times})`);
  const more = kinds.length > UNKNOWN_SHOWN ? `; ${kinds.length - UNKNOWN_SHOWN} more` : '';
  return note('unknown words', `${shown.join('; ')}${more}`);
}

function accountLines(section: Section, one: AccountExamined): readonly Line[] {
  const { trouble, scope = '', userId, rates, inspection, equity, openOrders } = one;
  if (trouble !== undefined) return [fault('login', trouble)];
  const { summary } = inspection ?? {};
  const number = userId === undefined ? '' : `the venue's ${userId}`;
  return [
    line('login', summary, ({ name, type }) =>
      fine('login', [number, name, type].filter((part) => (part ?? '') !== '').join(', ')),
    ),
    scopeLine(scope),
    line('margin', summary, ({ marginModel, isCrossCollateral }) =>
      fine(
        'margin',
        `${marginModel ?? 'no model stated'}${isCrossCollateral === true ? ', cross collateral' : ''}`,
      ),
    ),
    equity === undefined || equity.kind === 'unknown'
      ? fault('equity', equity === undefined ? 'not read' : equityText(equity))
      : Object.keys(equity.byCurrency).length === 0
        ? fault(
            'equity',
            'none: the account has no funds and cannot trade; deposit some there first',
          )
        : fine('equity', equityText(equity)),
    openOrders === undefined
      ? fault('open orders', 'cannot be listed')
      : fine('open orders', String(openOrders)),
    rates === undefined ? note('limits', 'not stated') : limitLine(rates, summary),
    line('locks', inspection?.locks, (locked) =>
      locked.length === 0
        ? fine('locks', 'none')
        : fault('locks', `the venue has locked ${locked.join(', ')} for this account`),
    ),
    protectionLine(section, one),
    line('disconnect', inspection?.cancelOnDisconnect, (set) => disconnectLine(section, set)),
  ];
}

const NEEDED = ['trade:read_write', 'account:read'] as const;
const OF_USE: Readonly<Record<string, string>> = {
  'account:read_write': 'neither cancel on disconnect nor protection can be set',
  'block_rfq:read_write': 'no Block RFQs',
};

function scopeLine(scope: string): Line {
  const granted = new Set(scope.split(/[ ,]+/));
  const has = (word: string): boolean =>
    granted.has(word) || (word.endsWith(':read') && granted.has(`${word}_write`));
  const lacks = NEEDED.filter((word) => !has(word));
  if (lacks.length > 0) return fault('scope', `lacks ${lacks.join(' and ')}; granted: ${scope}`);
  const without = Object.entries(OF_USE).filter(([word]) => !has(word));
  if (without.length === 0) return fine('scope', scope);
  const what = without.map(([word, consequence]) => `without ${word}: ${consequence}`);
  return note('scope', `${what.join('; ')}; granted: ${scope}`);
}

/** Order rates of the published tiers. */
const TIERS: ReadonlyMap<number, string> = new Map([
  [30, 'tier 1'],
  [20, 'tier 2'],
  [10, 'tier 3'],
  [5, 'tier 4'],
]);

function limitLine(
  { orders, queries }: Rates,
  summary: AccountInspection['summary'] | undefined,
): Line {
  const isStated = summary?.kind === 'read' && summary.value.statesLimits;
  const perCurrency =
    summary?.kind === 'read' && summary.value.limitsPerCurrency ? ' in each currency' : '';
  const text = `orders ${orders.perSecond}/s, ${orders.burst} at once${perCurrency} (${TIERS.get(orders.perSecond) ?? 'a tier of its own'}); queries ${queries.perSecond}/s, ${queries.burst} at once`;
  return isStated ? fine('limits', text) : note('limits', `not stated; assumed: ${text}`);
}

function protectionLine(
  { protection }: Section,
  { mmpEnabled, inspection }: AccountExamined,
): Line {
  if (protection.length > 0 && mmpEnabled === false) {
    return fault('protection', 'is configured, and the venue has not enabled it for this account');
  }
  return line('protection', inspection?.protection, (found) => {
    const isThere = (one: Section['protection'][number]): boolean =>
      found.some(({ index, group }) => index === one.index && group === one.group);
    const missing = protection.filter((one) => !isThere(one)).map(({ index }) => index);
    const text = found.map(protectionText).join('; ') || 'none';
    return missing.length > 0
      ? note('protection', `${text}; set at the next start: ${missing.join(', ')}`)
      : fine('protection', text);
  });
}

function protectionText({
  index,
  group,
  intervalSec,
  frozenTimeSec,
  limits,
}: ProtectionReport): string {
  const each = Object.entries(limits).map(([limit, amount]) => `${limit} ${amount}`);
  const of = group === undefined ? index : `${index} ${group}`;
  const frozen = frozenTimeSec === 0 ? 'until reset' : `${frozenTimeSec} s`;
  return [`${of}: ${intervalSec} s`, ...each, `frozen ${frozen}`].join(', ');
}

function disconnectLine(
  { cancelOnDisconnect }: Section,
  { account }: { readonly account: boolean },
): Line {
  const ours = cancelOnDisconnect
    ? 'orders of a lost connection are cancelled'
    : 'orders rest while the daemon is away';
  if (!account || cancelOnDisconnect) return fine('disconnect', ours);
  return note(
    'disconnect',
    'the account cancels on disconnect by itself; the daemon switches that off for its own connection',
  );
}

function probeLines({ probe, whyNoProbe }: Examined): readonly Line[] {
  if (probe === undefined)
    return [note('order', `none was placed: ${whyNoProbe ?? 'not requested'}`)];
  return [
    fine('order', `${probe.instrument} ${probe.quantity} at ${probe.price}, label ${probe.label}`),
    ...probe.steps.map(({ name, replyMs, byLabelMs, inOpenMs }) =>
      fine(
        name,
        `answered after ${ms(replyMs)}; shown by label ${ms(byLabelMs)}, in open orders ${ms(inOpenMs)} later`,
      ),
    ),
    ...probeFaults(probe),
  ];
}

const probeFaults = ({ fault: why, leftOpen }: Probe): readonly Line[] => [
  ...(why === undefined ? [] : [fault('failed', why)]),
  ...(leftOpen === undefined ? [] : [fault('LEFT OPEN', leftOpen)]),
];

function settingLines(
  { timeoutMs }: Section,
  engine: Engine,
  { skewMs, readLagMs }: Recommended,
): readonly Line[] {
  const margin = (name: keyof Engine, least: number | undefined): Line => {
    const is = `is ${engine[name]}`;
    if (least === undefined) {
      return note(name, `${is}; not measured: measure it on the test network`);
    }
    return engine[name] < least
      ? fault(name, `${is}; accepted: at least ${least}, ten times what was measured`)
      : fine(name, `${is}; recommended: at least ${least}`);
  };
  return [
    margin('skewMs', skewMs),
    margin('readLagMs', readLagMs),
    timeoutMs < TIMEOUT_MS_MIN
      ? note(
          'timeoutMs',
          `is ${timeoutMs}; the venue itself may take ${TIMEOUT_MS_MIN}: late answers become unknown`,
        )
      : fine('timeoutMs', `is ${timeoutMs}`),
  ];
}
