// The figures on top of the blotter: what is at work, what was filled today and at what cost, whether slices are late, the
// venues, and whose money it is. What could not be read says so.
import type { CostSummary, SummaryRecord } from '../../../gateway/client/client.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { access, request } from '../../link/page-session.ts';
import { dayStart, filledToday } from '../../model/blotter-figures.ts';
import { type BlotterRow, isOpen } from '../../model/blotter-row.ts';
import { bpsText, dollars, figure, NO_FIGURE, NOT_KNOWN, percent } from '../../model/formatting.ts';
import { indexOf } from '../../model/instruments/reference-data.ts';
import { type Reading, reading, useReadings } from '../../model/operations/reading.ts';
import { summary } from '../../model/operations/readings.ts';
import { endedReadSince, portfoliosShown } from '../../model/portfolios.ts';
import { standingOf } from '../../model/standing.ts';
import { switches } from '../../model/state.ts';
import { nowMs } from '../page-clock.ts';
import { Cell, Figure, type Said } from '../strip-figure.tsx';

const COSTS_EVERY_MS = 60_000;
const SUMMARY_EVERY_MS = 5_000;
/** Reports are costly to make. */
const REPORTS = 50;
const LATE_SHARE = 0.001;
const BEHIND = 0.01;
/** What is counted of them. */
const OF_OPTIONS = 'options at premium';

/** Of the portfolios that were submitted today and have ended. */
const costs: Reading<CostSummary> = reading(() =>
  request<CostSummary>(
    `api/report-summary?startTimestamp=${dayStart(nowMs.value)}&limit=${REPORTS}`,
  ),
);
const COSTS = [costs];
const SUMMARY = [summary];

export function BlotterStrip() {
  useReadings(SUMMARY, SUMMARY_EVERY_MS);
  useReadings(COSTS, COSTS_EVERY_MS);
  const state = summary.shown.value;
  return (
    <dl class="strip">
      <Figure name="At work" shown={portfoliosShown.value} say={atWork} />
      <Figure name="Filled today" shown={portfoliosShown.value} say={filled} />
      <Figure name="Cost against arrival" shown={costs.shown.value} say={cost} />
      <Figure name="Late slices" shown={state} say={late} />
      <Figure name="Venues" shown={state} say={venues} />
      <Money />
    </dl>
  );
}

function atWork(rows: readonly BlotterRow[]): Said {
  const open = rows.filter(isOpen);
  const behind = open.filter((row) => row.behind > BEHIND).length;
  const kinds = open.map((row) => standingOf(row, switches.value ?? []).kind);
  const held = (['held', 'waiting', 'paused', 'cancelling'] as const).flatMap((word) => {
    const count = kinds.filter((kind) => kind === word).length;
    return count === 0 ? [] : [`${figure(count)} ${word}`];
  });
  const words = [...(behind === 0 ? [] : [`${figure(behind)} behind`]), ...held];
  return {
    text: counted(open.length, 'portfolio'),
    detail: words.length === 0 ? 'none behind or held' : words.join(', '),
  };
}

/** Of portfolios that were submitted today: what older ones filled today is in no record. */
function filled(rows: readonly BlotterRow[]): Said {
  const { usd, unknown, earlier } = filledToday(rows, nowMs.value, indexOf);
  const without = [
    ...(unknown === 0 ? [] : [`${counted(unknown, 'leg')} without a price`]),
    ...(earlier === 0 ? [] : [`${figure(earlier)} begun before today`]),
    ...(endedReadSince.value > dayStart(nowMs.value) ? ['the oldest of today'] : []),
  ];
  if (without.length === 0) return { text: dollars(usd), detail: OF_OPTIONS };
  return {
    text: usd === 0 ? NOT_KNOWN : `≥ ${dollars(usd)}`,
    detail: `without ${without.join(', ')}; ${OF_OPTIONS}`,
  };
}

function cost({ all, leftOut }: CostSummary): Said {
  const { count, mean } = all.arrival;
  const older = leftOut.older === 0 ? '' : `the latest ${figure(REPORTS)}, `;
  return {
    text: count === 0 ? NO_FIGURE : bpsText(mean),
    detail: count === 0 ? 'none has ended today' : `${older}${counted(count, 'leg')} ended`,
  };
}

function late({ slices: { sent, lateShare } }: SummaryRecord): Said {
  return {
    text: lateShare === null ? NO_FIGURE : percent(lateShare, 2),
    detail: `of ${figure(sent)} sent since the start`,
    tone: (lateShare ?? 0) > LATE_SHARE ? 'warn' : undefined,
  };
}

function venues({ venues: all }: SummaryRecord): Said {
  const down = all.filter(({ isUp }) => !isUp).map(({ exchange }) => exchange);
  const names = all.map(({ exchange }) => exchange).join(', ');
  if (all.length === 0) return { text: NO_FIGURE, detail: 'no venue' };
  return down.length === 0
    ? { text: `● ${all.length} up`, detail: names, tone: 'good' }
    : { text: `■ ${down.length} of ${all.length} down`, detail: down.join(', '), tone: 'bad' };
}

const MONEY = {
  paper: { text: 'paper', tone: undefined },
  test: { text: 'test network', tone: 'warn' },
  live: { text: 'LIVE', tone: 'bad' },
} as const;

function Money() {
  const now = access.value;
  if (now.kind !== 'open') return null;
  const { money, venues: names } = now.hello.traded;
  const { text, tone } = MONEY[money];
  const detail = money === 'paper' ? 'no real money' : names.join(', ');
  return (
    <Cell name="Money" tone={tone} title={detail}>
      {text}
      <small>{detail}</small>
    </Cell>
  );
}
