// The report on costs as one HTML file.
import type {
  LegCosts,
  PackageOption,
  PortfolioReport,
  Quantiles,
} from '../../core/report/report-shapes.ts';
import { plain } from './figure-scales.ts';
import { type Fact, factsText, figureText, gridText, notesText, pageText } from './html-page.ts';
import { packageFigures } from './package-figures.ts';
import { legFigures } from './report-figures.ts';
import { escaped } from './svg-figure.ts';

/** Slices that sent nothing, at most; the tables of the report have all. */
const UNSENT_MAX = 200;

export function reportPage(report: PortfolioReport): string {
  const title = `Execution costs of portfolio ${report.portfolio}`;
  return pageText(title, [
    factsText(headFacts(report)),
    ...report.legs.map((leg) => legText(report, leg)),
    report.legs.length > 1 ? packageText(report) : '',
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

const fundingText = (funding: LegCosts['funding']): string | null =>
  funding === null
    ? null
    : `${plain(funding.paid)} ${funding.currency}, ${percent(funding.coverage)} of the time recorded`;

const msText = (quantiles: Quantiles | null): string | null =>
  quantiles === null
    ? null
    : `${quantiles.p50} ms median, ${quantiles.p99} ms at the 99th percentile, ${quantiles.max} ms at most`;

const optionText = (one: PackageOption): string =>
  `${one.usd.toFixed(2)} USD, ${one.bpsOfUnderlying.toFixed(2)} bp of the underlying, ${one.volPoints?.toFixed(3) ?? '–'} volatility points of ${one.vegaUsd?.toFixed(2) ?? '–'} USD vega`;

/** Basis points of a premium are said to be such. */
const legFacts = (leg: LegCosts): readonly Fact[] => {
  const { slippage, spread, liquidity, resting, schedule, lateness, benchmarks } = leg;
  const of = (value: number | null): string | null => {
    const text = bps(value);
    return text === null || leg.kind !== 'option' ? text : `${text} of the premium`;
  };
  return [
    ['filled', `${leg.filled} of ${leg.asked} ${leg.unit}`],
    ['average price', leg.averagePrice],
    ['against the mid at the submit', of(slippage.decisionBps)],
    ['against arrival', of(slippage.arrivalBps)],
    ['against TWAP', of(slippage.twapBps)],
    ['against VWAP', of(slippage.vwapBps)],
    [
      'shortfall',
      leg.shortfall === null
        ? leg.shortfallMissing
        : `${leg.shortfall.total} ${leg.shortfall.currency}`,
    ],
    ['shortfall in USD', leg.shortfall?.usd ?? null],
    ...(leg.kind === 'option'
      ? [['shortfall of the underlying', bps(leg.shortfall?.underlyingBps ?? null)] as const]
      : []),
    ['spread and schedule', bps(leg.shortfall?.executionBps ?? null)],
    ['expected by the plan', of(leg.expected?.bps ?? null)],
    ['effective spread', of(spread.effectiveBps)],
    ['quoted spread', of(spread.quotedBps)],
    ['realised spread, 1 minute', of(spread.realisedBps)],
    ['improvement (+ is better)', of(leg.improvement?.bps ?? null)],
    ['maker share', percent(liquidity.makerShare)],
    ['taker share', percent(liquidity.takerShare)],
    ...(leg.kind === 'perpetual' ? [['funding paid', fundingText(leg.funding)] as const] : []),
    ['fees', liquidity.fees.map(({ amount, currency }) => `${amount} ${currency}`).join(', ')],
    [
      'resting children',
      `${resting.children}, of which ${percent(resting.fillRate) ?? '–'} filled`,
    ],
    ['mid against maker fills, 10 s later', of(resting.adverseBps)],
    ['maker fills that the market ran through', percent(resting.adverseShare)],
    ['mid against what was closed unfilled', of(resting.unfilledBps)],
    ['participation', percent(leg.participation)],
    ['mean distance from the schedule', percent(schedule?.mean ?? null)],
    ['due to decided', msText(lateness.decidedMs)],
    ['due to answered', msText(lateness.answeredMs)],
    ['time with a recorded market', percent(benchmarks.twapCoverage)],
    ...benchmarks.holes.map(({ from, to }): Fact => ['nothing recorded', `${from} to ${to}`]),
    ...leg.option.map(
      (one): Fact => [
        `option against ${one.reference}`,
        `${plain(one.premium)} ${leg.shortfall?.currency ?? ''} of premium, ${optionText(one)}`,
      ],
    ),
  ];
};

const packageFacts = ({
  package: { usd, slippage, participation, option, imbalance, hedges },
}: PortfolioReport): readonly Fact[] => [
  ['shortfall in USD', usd],
  ['against the mids at the submit, in USD', slippage.decisionUsd],
  ['against arrival, in USD', slippage.arrivalUsd],
  ['against TWAP, in USD', slippage.twapUsd],
  ['against VWAP, in USD', slippage.vwapUsd],
  ['greatest participation of a leg', percent(participation)],
  ...option.map((one): Fact => [`options against ${one.reference}`, optionText(one)]),
  ['largest imbalance', percent(imbalance?.greatest ?? null)],
  ['mean imbalance', percent(imbalance?.mean ?? null)],
  ...hedges.map(
    ({ leg, costBps, lagMs, covered, open, beyond }): Fact => [
      `hedge, leg ${leg + 1}`,
      `${bps(costBps) ?? '–'} against its mid when the delta arose, ${lagMs === null ? '–' : `${lagMs.p50} ms later (median)`}; ${covered} coins covered, ${open} open${beyond === 0 ? '' : `, at most ${beyond} hedged too much`}`,
    ],
  ),
];

const packageText = (report: PortfolioReport): string =>
  `<h2>Package</h2>${factsText(packageFacts(report))}${packageFigures(report).map(figureText).join('')}`;

const legText = (report: PortfolioReport, leg: LegCosts): string =>
  `<h2>Leg ${leg.leg + 1}: ${leg.side} ${escaped(leg.instrument)}</h2>${factsText(legFacts(leg))}${legFigures(report, leg).map(figureText).join('')}`;

function unsentText({ slices }: PortfolioReport): string {
  const unsent = slices.filter(({ isSent }) => !isSent);
  if (unsent.length === 0) return '';
  const rows = unsent
    .slice(0, UNSENT_MAX)
    .map(({ leg, slice, due, reasons }) => [
      String(leg + 1),
      String(slice + 1),
      due ?? '–',
      reasons.join(', '),
    ]);
  const more = unsent.length > UNSENT_MAX ? `<p>${unsent.length - UNSENT_MAX} more.</p>` : '';
  return `<h2>Slices that sent nothing: ${unsent.length}</h2>${gridText({ heads: ['leg', 'slice', 'due', 'why'], rows })}${more}`;
}
