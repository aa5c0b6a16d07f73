// The report on costs as one HTML file.
import type { LegCosts, PortfolioReport } from '../../core/report/report-shapes.ts';
import { type Fact, factsText, figureText, gridText, notesText, pageText } from './html-page.ts';
import { deltaFigure, legFigures } from './report-figures.ts';
import { escaped } from './svg-figure.ts';

/** Slices that sent nothing, at most; the tables of the report have all. */
const UNSENT_MAX = 200;

export function reportPage(report: PortfolioReport): string {
  const title = `Execution costs of portfolio ${report.portfolio}`;
  const delta = report.legs.length > 1 ? deltaFigure(report) : undefined;
  return pageText(title, [
    factsText(headFacts(report)),
    ...report.legs.map((leg) => legText(report, leg)),
    delta === undefined
      ? ''
      : `<h2>Package</h2>${factsText(packageFacts(report))}${figureText(delta)}`,
    unsentText(report),
    notesText(report.notes),
  ]);
}

const headFacts = (report: PortfolioReport): readonly Fact[] => [
  ['account', report.account],
  ['strategy', report.strategy],
  ['status', report.status],
  ['reason', report.reason === report.status ? null : report.reason],
  ['start', report.start],
  ['end of the schedule', report.end],
  ['over', report.over],
  ['figures', report.isProvisional ? 'provisional: markouts are not over' : 'final'],
];

const bps = (value: number | null): string | null =>
  value === null ? null : `${value.toFixed(2)} bp`;
const percent = (value: number | null): string | null =>
  value === null ? null : `${(value * 100).toFixed(2)} %`;

const legFacts = (leg: LegCosts): readonly Fact[] => [
  ['filled', `${leg.filled} of ${leg.asked} ${leg.unit}`],
  ['average price', leg.averagePrice],
  ['against arrival', bps(leg.slippage.arrivalBps)],
  ['against TWAP', bps(leg.slippage.twapBps)],
  ['against VWAP', bps(leg.slippage.vwapBps)],
  [
    'shortfall',
    leg.shortfall === null
      ? leg.shortfallMissing
      : `${leg.shortfall.total} ${leg.shortfall.currency}`,
  ],
  ['expected by the plan', bps(leg.expected?.bps ?? null)],
  ['effective spread', bps(leg.spread.effectiveBps)],
  ['quoted spread', bps(leg.spread.quotedBps)],
  ['improvement (+ is better)', bps(leg.improvement?.bps ?? null)],
  ['maker share', percent(leg.liquidity.makerShare)],
  ['fill rate of resting children', percent(leg.resting.fillRate)],
  ['participation', percent(leg.participation)],
  ['time with a recorded market', percent(leg.benchmarks.twapCoverage)],
  ...leg.option.map(
    (one): Fact => [
      `option against ${one.reference}`,
      `${one.usd.toFixed(2)} USD, ${one.bpsOfUnderlying.toFixed(2)} bp of the underlying, ${one.volPoints?.toFixed(3) ?? '–'} volatility points`,
    ],
  ),
];

const packageFacts = ({
  package: { usd, imbalance, hedges },
}: PortfolioReport): readonly Fact[] => [
  ['shortfall in USD', usd],
  ['largest imbalance', percent(imbalance?.greatest ?? null)],
  ...hedges.map(({ leg, costBps }): Fact => [`hedge, leg ${leg + 1}`, bps(costBps)]),
];

const legText = (report: PortfolioReport, leg: LegCosts): string =>
  `<h2>Leg ${leg.leg + 1}: ${leg.side} ${escaped(leg.instrument)}</h2>${factsText(legFacts(leg))}${legFigures(report, leg).map(figureText).join('')}`;

function unsentText({ slices }: PortfolioReport): string {
  const unsent = slices.filter(({ isSent }) => !isSent);
  if (unsent.length === 0) return '';
  const rows = unsent
    .slice(0, UNSENT_MAX)
    .map(({ leg, slice, due, reasons }) => [
      ...[String(leg + 1), String(slice + 1), due ?? '–', reasons.join(', ')],
    ]);
  const more = unsent.length > UNSENT_MAX ? `<p>${unsent.length - UNSENT_MAX} more.</p>` : '';
  return `<h2>Slices that sent nothing: ${unsent.length}</h2>${gridText({ heads: ['leg', 'slice', 'due', 'why'], rows })}${more}`;
}
