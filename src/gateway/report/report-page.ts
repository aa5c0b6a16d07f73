// The report on costs as one HTML file: three numbers, what they mean and one picture, and everything else behind them.
import type {
  LegCosts,
  PackageOption,
  PortfolioReport,
  Quantiles,
} from '../../core/report/report-shapes.ts';
import { grouped } from '../../values/text/written-figures.ts';
import { clockText, money, plain } from './figure-scales.ts';
import {
  type Fact,
  factsText,
  figureText,
  gridText,
  numbersText,
  pageText,
  partsText,
  partText,
} from './html-page.ts';
import { packageFigures } from './package-figures.ts';
import { PRICES_TITLE } from './price-figure.ts';
import { legFigures } from './report-figures.ts';
import { headNumbers, priceText, scheduledLegs, sizeText, verdictOf } from './report-opening.ts';
import { escaped, type Figure } from './svg-figure.ts';

/** Slices that sent nothing, at most; the tables of the report have all. */
const UNSENT_MAX = 200;

export function reportPage(report: PortfolioReport): string {
  const title = `Execution costs of portfolio ${report.portfolio}`;
  const [main] = scheduledLegs(report.legs);
  const picture = main === undefined ? undefined : pictureOf(legFigures(report, main));
  return pageText(title, [
    numbersText(headNumbers(report)),
    `<p class="verdict">${escaped(verdictOf(report))}</p>`,
    picture === undefined ? '<p>Nothing was recorded or filled that can be drawn.</p>' : '',
    picture === undefined ? '' : figureText(namedPicture(report, picture, main)),
    partsText([
      partText('Portfolio', factsText(headFacts(report))),
      ...report.legs.map((leg) => legText(report, leg, picture)),
      report.legs.length > 1 ? packageText(report) : '',
      unsentText(report),
      partText('How to read it', listText(report.notes)),
    ]),
  ]);
}

/** Of several legs it says which it shows. */
const namedPicture = (
  { legs }: PortfolioReport,
  picture: Figure,
  shown: LegCosts | undefined,
): Figure =>
  shown === undefined || legs.length < 2
    ? picture
    : { ...picture, says: `${shown.instrument}: ${picture.says}` };

/** Prices where they are known, otherwise what was filled. */
const pictureOf = (figures: readonly Figure[]): Figure | undefined =>
  figures.find(({ title }) => title === PRICES_TITLE) ?? figures[0];

const headFacts = (report: PortfolioReport): readonly Fact[] => [
  ['account', report.account],
  ['strategy', report.strategy],
  ['status', report.status],
  ['reason', report.reason === report.status ? null : report.reason],
  ['start (UTC)', clockText(report.start)],
  ['end of the schedule', clockText(report.end)],
  ['over', report.over === null ? null : clockText(report.over)],
  ['figures', report.isProvisional ? 'provisional: markouts are not over' : 'final'],
];

const bps = (value: number | null): string | null =>
  value === null ? null : `${value.toFixed(2)} bp`;
const percent = (value: number | null): string | null =>
  value === null ? null : `${(value * 100).toFixed(2)} %`;

const usdText = (value: number | null): string | null => (value === null ? null : money(value));

const fundingText = (funding: LegCosts['funding']): string | null =>
  funding === null
    ? null
    : `${grouped(plain(funding.paid))} ${funding.currency}, ${percent(funding.coverage)} of the time recorded`;

const msText = (quantiles: Quantiles | null): string | null =>
  quantiles === null
    ? null
    : `${quantiles.p50} ms median, ${quantiles.p99} ms at the 99th percentile, ${quantiles.max} ms at most`;

const optionText = (one: PackageOption): string =>
  `${money(one.usd)} USD, ${one.bpsOfUnderlying.toFixed(2)} bp of the underlying, ${one.volPoints?.toFixed(3) ?? '–'} volatility points of ${one.vegaUsd === null ? '–' : money(one.vegaUsd)} USD vega`;

/** Basis points of a premium are said to be such. */
const legFacts = (leg: LegCosts): readonly Fact[] => {
  const { slippage, spread, liquidity, resting, schedule, lateness, benchmarks } = leg;
  const of = (value: number | null): string | null => {
    const text = bps(value);
    return text === null || leg.kind !== 'option' ? text : `${text} of the premium`;
  };
  return [
    ['filled', sizeText(leg)],
    ['average price', priceText(leg, leg.averagePrice)],
    ['against the mid at the submit', of(slippage.decisionBps)],
    ['against arrival', of(slippage.arrivalBps)],
    ['against TWAP', of(slippage.twapBps)],
    ['against VWAP', of(slippage.vwapBps)],
    [
      'shortfall',
      leg.shortfall === null
        ? leg.shortfallMissing
        : `${grouped(leg.shortfall.total)} ${leg.shortfall.currency}`,
    ],
    ['shortfall in USD', usdText(leg.shortfall?.usd ?? null)],
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
    [
      'fees',
      liquidity.fees.map(({ amount, currency }) => `${grouped(amount)} ${currency}`).join(', '),
    ],
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
    ...benchmarks.holes.map(
      ({ from, to }): Fact => ['nothing recorded', `${clockText(from)} to ${clockText(to)} UTC`],
    ),
    ...leg.option.map(
      (one): Fact => [
        `option against ${one.reference}`,
        `${grouped(plain(one.premium))} ${leg.shortfall?.currency ?? ''} of premium, ${optionText(one)}`,
      ],
    ),
  ];
};

const packageFacts = ({
  package: { usd, slippage, participation, option, imbalance, hedges },
}: PortfolioReport): readonly Fact[] => [
  ['shortfall in USD', usdText(usd)],
  ['against the mids at the submit, in USD', usdText(slippage.decisionUsd)],
  ['against arrival, in USD', usdText(slippage.arrivalUsd)],
  ['against TWAP, in USD', usdText(slippage.twapUsd)],
  ['against VWAP, in USD', usdText(slippage.vwapUsd)],
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
  partText(
    'Package',
    `${factsText(packageFacts(report))}${packageFigures(report).map(figureText).join('')}`,
  );

/** Its facts, and the figures that are not shown above. */
const legText = (report: PortfolioReport, leg: LegCosts, picture: Figure | undefined): string => {
  const figures = legFigures(report, leg).filter(({ svg }) => svg !== picture?.svg);
  const content = `${factsText(legFacts(leg))}${figures.map(figureText).join('')}`;
  return partText(`Leg ${leg.leg + 1}: ${leg.side} ${leg.instrument}`, content);
};

const listText = (lines: readonly string[]): string =>
  `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`;

function unsentText({ slices }: PortfolioReport): string {
  const unsent = slices.filter(({ isSent }) => !isSent);
  if (unsent.length === 0) return '';
  const rows = unsent
    .slice(0, UNSENT_MAX)
    .map(({ leg, slice, due, reasons }) => [
      String(leg + 1),
      String(slice + 1),
      due === null ? '–' : clockText(due),
      reasons.join(', '),
    ]);
  const more = unsent.length > UNSENT_MAX ? `<p>${unsent.length - UNSENT_MAX} more.</p>` : '';
  const grid = gridText({ heads: ['leg', 'slice', 'due (UTC)', 'why'], rows });
  return partText(`Slices that sent nothing: ${unsent.length}`, `${grid}${more}`, 'screen');
}
