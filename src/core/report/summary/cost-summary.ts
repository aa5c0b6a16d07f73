// Sums reports on costs up, one after the other: of each report only a few figures of its legs are kept, so that any number
// of long reports takes little memory.
import { DAY_MS, instant, isoText } from '../../../values/instant.ts';
import { round } from '../fill-costs.ts';
import type { LegCosts, PortfolioReport } from '../report-shapes.ts';
import {
  type CostAgainst,
  type CostSummary,
  GROUPINGS,
  type GroupCosts,
  type Grouping,
  type HourCosts,
  type LegFigures,
} from './cost-summary-shapes.ts';
import { distributionOf, trendOf } from './distribution.ts';

/** Portfolios that the caller did not have reported. */
export type NotReported = Pick<CostSummary['leftOut'], 'active' | 'mirrors' | 'older'>;

const WORST = 10;
const DAYS_A_WEEK = 7;
/** 1970-01-01 was a Thursday. */
const FIRST_MONDAY_DAY = 4;

export class CostSummaries {
  readonly #legs: LegFigures[] = [];
  #portfolios = 0;
  #withoutRecord = 0;

  add(report: PortfolioReport): void {
    const hasRecord = report.legs.some(({ benchmarks }) => benchmarks.arrival !== null);
    if (!hasRecord) {
      this.#withoutRecord += 1;
      return;
    }
    this.#portfolios += 1;
    for (const leg of report.legs) this.#legs.push(figuresOf(report, leg));
  }

  summary(left: NotReported): CostSummary {
    const legs = this.#legs;
    const leftOut = { ...left, withoutRecord: this.#withoutRecord };
    const weeks = groupsOf(legs, ({ start }) => mondayOf(start));
    const { slope, standardError } = trendOf(
      legs.flatMap(({ start, executionBps }) =>
        executionBps === null
          ? []
          : [[Date.parse(start) / (DAYS_A_WEEK * DAY_MS), executionBps] as const],
      ),
    );
    const isSeveral = weeks.length > 1;
    return {
      schema: 'twapd.tca-summary/1',
      portfolios: this.#portfolios,
      leftOut,
      all: groupOf('all', legs),
      groups: GROUPINGS.map((by) => ({ by, rows: groupsOf(legs, NAMES[by]) })),
      trend: {
        weeks,
        bpsPerWeek: isSeveral ? slope : null,
        standardError: isSeveral ? standardError : null,
      },
      hours: hoursOf(legs),
      against: (['participation', 'orderUsd'] as const).map((by) => againstOf(legs, by)),
      worst: legs
        .filter(({ usd }) => usd !== null)
        .sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0))
        .slice(0, WORST),
      notes: notesOf(leftOut, legs),
    };
  }
}

function figuresOf(report: PortfolioReport, leg: LegCosts): LegFigures {
  const { portfolio, strategy, account, start } = report;
  return {
    portfolio,
    leg: leg.leg,
    strategy,
    account,
    instrument: leg.instrument,
    side: leg.side,
    start,
    executionBps: leg.shortfall?.executionBps ?? null,
    shortfallBps: leg.shortfall?.bps ?? null,
    // Basis points of a premium mislead.
    arrivalBps: leg.kind === 'option' ? null : leg.slippage.arrivalBps,
    usd: leg.shortfall?.usd ?? null,
    participation: leg.participation,
    orderUsd: leg.shortfall?.orderUsd ?? null,
  };
}

const NAMES: Readonly<Record<Grouping, (leg: LegFigures) => string>> = {
  strategy: ({ strategy }) => strategy ?? '(none)',
  instrument: ({ instrument }) => instrument,
  account: ({ account }) => account,
  side: ({ side }) => side,
  hour: ({ start }) => start.slice(11, 13),
  day: ({ start }) => start.slice(0, 10),
};

function mondayOf(start: string): string {
  const day = Math.floor(Date.parse(start) / DAY_MS);
  const monday = day - ((((day - FIRST_MONDAY_DAY) % DAYS_A_WEEK) + DAYS_A_WEEK) % DAYS_A_WEEK);
  return isoText(instant(monday * DAY_MS)).slice(0, 10);
}

const weekdayOf = (start: string): number =>
  ((Math.floor(Date.parse(start) / DAY_MS) + DAYS_A_WEEK - FIRST_MONDAY_DAY) % DAYS_A_WEEK) + 1;

function hoursOf(legs: readonly LegFigures[]): readonly HourCosts[] {
  const measured = legs.filter(({ executionBps }) => executionBps !== null);
  return [...Map.groupBy(measured, ({ start }) => `${weekdayOf(start)} ${start.slice(11, 13)}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, of]) => {
      const [weekday = 0, hour = 0] = name.split(' ').map(Number);
      const { mean } = distributionOf(of.map(({ executionBps }) => executionBps ?? 0));
      return { weekday, hour, legs: of.length, mean: mean ?? 0 };
    });
}

/** On a logarithmic scale: sizes of orders differ by orders of magnitude. */
function againstOf(legs: readonly LegFigures[], by: CostAgainst['by']): CostAgainst {
  const points = legs.flatMap(({ [by]: of, executionBps: bps }) =>
    of === null || of <= 0 || bps === null ? [] : { of, bps },
  );
  const { slope, standardError } = trendOf(
    points.map(({ of, bps }) => [Math.log10(of), bps] as const),
  );
  return { by, points, bpsPerTenfold: slope, standardError };
}

/** In order of name. */
const groupsOf = (
  legs: readonly LegFigures[],
  nameOf: (leg: LegFigures) => string,
): readonly GroupCosts[] =>
  [...Map.groupBy(legs, nameOf)]
    .map(([name, of]) => groupOf(name, of))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

function groupOf(name: string, legs: readonly LegFigures[]): GroupCosts {
  const known = (of: 'executionBps' | 'shortfallBps' | 'arrivalBps' | 'usd'): readonly number[] =>
    legs.flatMap(({ [of]: value }) => (value === null ? [] : [value]));
  const dollars = known('usd');
  return {
    name,
    legs: legs.length,
    legsWithoutUsd: legs.length - dollars.length,
    usd: round(
      dollars.reduce((sum, one) => sum + one, 0),
      2,
    ),
    execution: distributionOf(known('executionBps')),
    shortfall: distributionOf(known('shortfallBps')),
    arrival: distributionOf(known('arrivalBps')),
  };
}

function notesOf(
  { active, withoutRecord, mirrors, older }: CostSummary['leftOut'],
  legs: readonly LegFigures[],
): readonly string[] {
  const unmeasured = legs.filter(({ executionBps }) => executionBps === null).length;
  const notes = [
    'positive is a cost; each leg of a portfolio counts once, whatever its size; hours, days and weeks are those of the start, in UTC',
    'errors are those of independent legs; legs that ran at the same time are not independent, so they are the least to assume',
  ];
  const counted: readonly (readonly [count: number, why: string])[] = [
    [active, 'that have not ended'],
    [withoutRecord, 'without a record of their market at the start'],
    [mirrors, 'that mirror others'],
    [older, 'older than those that are read at once: choose a shorter time'],
  ];
  for (const [count, why] of counted) {
    if (count > 0) notes.push(`left out: portfolios ${why}: ${count}`);
  }
  if (unmeasured > 0) {
    notes.push(`legs without basis points, such as options, count in USD alone: ${unmeasured}`);
  }
  return notes;
}
