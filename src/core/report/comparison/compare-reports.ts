// Compares reports on costs slice by slice. Two runs over the same hours share most of what moves their costs, so the mean
// of the differences of paired slices is far more exact than the difference of two means.
import { must } from '../../../values/assert.ts';
import { round } from '../fill-costs.ts';
import type { LegCosts, PortfolioReport, SliceShown } from '../report-shapes.ts';
import { sampleFigures } from '../sample-figures.ts';
import type {
  ComparedLeg,
  ComparedReport,
  Comparison,
  PairedFigures,
  PairedLeg,
  PairedMeasure,
  WholeLeg,
} from './comparison-shapes.ts';
import { pairSlices, type SlicePair } from './pair-slices.ts';

export interface NamedReport {
  /** The portfolio or file that it was read from. */
  readonly source: string;
  readonly report: PortfolioReport;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** As many as have a letter. */
export const REPORTS_MAX = LETTERS.length;
const BPS = 10_000;

/** `given` are 2 to REPORTS_MAX reports; the first is what the others are compared with. */
export function compareReports(given: readonly NamedReport[]): Comparison {
  const [first, ...others] = given.map(({ report }, index) => ({
    name: nameOf(index),
    report,
    makers: makersOf(report),
  }));
  const reference = must(first, 'a comparison has reports');
  const legs = reference.report.legs.map((leg): ComparedLeg => {
    const matching = others.filter(({ report }) => report.legs[leg.leg]?.side === leg.side);
    return {
      leg: leg.leg,
      side: leg.side,
      whole: [reference, ...matching].map(({ name, report }) =>
        wholeOf(name, report, must(report.legs[leg.leg], 'the leg is in the report')),
      ),
      paired: matching.map((other) => pairedOf([reference, other], leg)),
    };
  });
  return {
    schema: 'twapd.compare/1',
    reports: given.map(headOf),
    legs,
    notes: notesOf(given, legs),
  };
}

const nameOf = (index: number): string => must(LETTERS[index], 'every report has a letter');

const headOf = ({ source, report }: NamedReport, index: number): ComparedReport => {
  const { portfolio, account, strategy, status, start, end, isProvisional } = report;
  const head = { portfolio, account, strategy, status, start, end, isProvisional };
  return { name: nameOf(index), source, ...head };
};

const wholeOf = (report: string, { slices }: PortfolioReport, leg: LegCosts): WholeLeg => ({
  report,
  instrument: leg.instrument,
  filled: leg.filled,
  asked: leg.asked,
  averagePrice: leg.averagePrice,
  arrivalBps: leg.slippage.arrivalBps,
  twapBps: leg.slippage.twapBps,
  vwapBps: leg.slippage.vwapBps,
  executionBps: leg.shortfall?.executionBps ?? null,
  shortfallBps: leg.shortfall?.bps ?? null,
  shortfallUsd: leg.shortfall?.usd ?? null,
  makerShare: leg.liquidity.makerShare,
  slices: slices.filter((slice) => slice.leg === leg.leg).length,
});

interface Compared {
  readonly name: string;
  readonly report: PortfolioReport;
  readonly makers: ReadonlyMap<string, number>;
}

const keyOf = ({ leg, slice }: Pick<SliceShown, 'leg' | 'slice'>): string => `${leg}/${slice}`;

/** Quantity filled as maker, by slice. */
function makersOf({ fills }: PortfolioReport): ReadonlyMap<string, number> {
  const makers = new Map<string, number>();
  for (const fill of fills) {
    if (fill.liquidity !== 'maker') continue;
    makers.set(keyOf(fill), (makers.get(keyOf(fill)) ?? 0) + Number(fill.quantity));
  }
  return makers;
}

function pairedOf([first, other]: readonly [Compared, Compared], leg: LegCosts): PairedLeg {
  const { pairs, ...how } = pairSlices([first.report, other.report], leg.leg);
  const figures = (measure: PairedMeasure, of: Measure) => measured(measure, pairs, [of, of]);
  const makerShare =
    ({ makers }: Compared): Measure =>
    (slice) =>
      Number(slice.filled) === 0 ? null : (makers.get(keyOf(slice)) ?? 0) / Number(slice.filled);
  return {
    report: other.name,
    ...how,
    pairs: pairs.length,
    figures: [
      figures('cost', ({ costBps }) => costBps),
      priceFigures(pairs, leg),
      figures('lateness', ({ lateMs }) => lateMs),
      figures('filled', ({ planned, filled }) =>
        Number(planned) === 0 ? null : Number(filled) / Number(planned),
      ),
      measured('maker', pairs, [makerShare(first), makerShare(other)]),
    ],
  };
}

type Measure = (slice: SliceShown) => number | null;

function measured(
  measure: PairedMeasure,
  pairs: readonly SlicePair[],
  [ofFirst, ofOther]: readonly [Measure, Measure],
): PairedFigures {
  const both = pairs.flatMap(({ first, other }) => {
    const [before, after] = [ofFirst(first), ofOther(other)];
    return before === null || after === null ? [] : [{ before, after }];
  });
  const differences = sampleFigures(both.map(({ before, after }) => after - before));
  return {
    measure,
    pairs: both.length,
    first: rounded(sampleFigures(both.map(({ before }) => before)).mean),
    mean: rounded(sampleFigures(both.map(({ after }) => after)).mean),
    difference: rounded(differences.mean),
    standardError: rounded(differences.standardError),
  };
}

/** Average prices of paired slices against each other; those of options only have the measure cost. */
function priceFigures(pairs: readonly SlicePair[], { side, kind }: LegCosts): PairedFigures {
  const sign = side === 'buy' ? 1 : -1;
  const ratios = pairs.flatMap(({ first, other }) => {
    if (kind === 'option' || first.average === null || other.average === null) return [];
    const before = Number(first.average);
    return before > 0 ? [sign * (Number(other.average) / before - 1) * BPS] : [];
  });
  const { count, mean, standardError } = sampleFigures(ratios);
  return {
    measure: 'price',
    pairs: count,
    first: null,
    mean: null,
    difference: rounded(mean),
    standardError: rounded(standardError),
  };
}

const rounded = (value: number | null): number | null => (value === null ? null : round(value, 6));

function notesOf(given: readonly NamedReport[], legs: readonly ComparedLeg[]): readonly string[] {
  const notes = [
    'positive is a cost, and a positive difference is dearer than A; cost is the average price of a slice against the mid when it was decided',
    'the error is that of the mean difference of paired slices as if these were independent; slices of one run depend on each other, so it is the least that can be assumed',
  ];
  for (const [index, { source, report }] of given.entries()) {
    const name = nameOf(index);
    if (report.isProvisional) notes.push(`${name} is provisional`);
    const left = given[0]?.report.legs.filter(({ leg, side }) => report.legs[leg]?.side !== side);
    for (const { leg } of left ?? []) {
      notes.push(`${name} (${source}) has no leg ${leg + 1} on the same side: left out`);
    }
  }
  for (const { leg, whole, paired } of legs) {
    const [first] = whole;
    if (given[0]?.report.legs[leg]?.kind === 'option') {
      notes.push(
        `leg ${leg + 1} is of options: arrival, TWAP, VWAP, execution and shortfall are in basis points of the premium, the cost of slices is in those of the underlying`,
      );
    }
    for (const { report, instrument } of whole) {
      if (instrument === first?.instrument) continue;
      notes.push(`leg ${leg + 1} of ${report} is ${instrument}, that of A ${first?.instrument}`);
    }
    for (const { report, pairs, unpaired, unpairedFirst } of paired) {
      if (unpaired + unpairedFirst === 0) continue;
      notes.push(
        `leg ${leg + 1}: ${pairs} slices of A and ${report} pair, ${unpairedFirst} of A and ${unpaired} of ${report} have no partner`,
      );
    }
  }
  return notes;
}
