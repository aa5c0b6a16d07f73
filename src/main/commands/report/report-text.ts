// The report on costs as text: figures by leg side by side where the terminal is wide enough, one leg after the other
// where it is not.
import { SHORTFALL_PARTS as PARTS } from '../../../core/report/package-sums.ts';
import type {
  LegCosts,
  MarkoutShown,
  PackageOption,
  PortfolioReport,
} from '../../../core/report/report-shapes.ts';
import { plain } from '../../../gateway/report/figure-scales.ts';
import { cut, padEnd, widthOf } from '../terminal/fitted-lines.ts';
import { paint, tellsMore } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';
import { notesText } from './report-notes.ts';

/** A label and its value; without a value it is a heading. */
type Figure = readonly [label: string, value?: string];

const LABEL_COLUMNS = 20;
const GAP = 2;
/** Slices that sent nothing; all of them are in the CSV. */
const UNSENT_MAX = 20;

export function reportText(report: PortfolioReport, columns: number): string {
  const blocks = [
    headText(report),
    legsText(report.legs, columns),
    ...report.legs.flatMap((leg) => markoutsText(leg)),
    packageText(report),
    unsentText(report),
    notesText(report.notes, columns),
  ];
  return blocks
    .filter((block) => block !== '')
    .map((block) => fitted(block, columns))
    .join('\n\n');
}

const fitted = (block: string, columns: number): string =>
  block
    .split('\n')
    .flatMap((line) => wrapped(line, columns))
    .map((line) => cut(line, columns))
    .join('\n');

/** A value that is too wide continues in the lines below, after a comma, in the column of values. */
function wrapped(line: string, columns: number): readonly string[] {
  if (widthOf(line) <= columns || !line.includes(', ')) return [line];
  const lines: string[] = [];
  let last = '';
  for (const [index, part] of line.split(', ').entries()) {
    const longer = index === 0 ? part : `${last}, ${part}`;
    if (index > 0 && widthOf(longer) > columns) {
      lines.push(`${last},`);
      last = `${' '.repeat(LABEL_COLUMNS + GAP)}${part}`;
    } else last = longer;
  }
  return [...lines, last];
}

const timeOf = (iso: string): string => iso.slice(0, 19).replace('T', ' ');

function headText(report: PortfolioReport): string {
  const { portfolio, status, reason, strategy, start, end, over, isProvisional } = report;
  const why = tellsMore(reason ?? undefined) ? ` (${reason})` : '';
  return figuresText([
    ['portfolio', paint.bold(portfolio)],
    ['status', status + why],
    ...(strategy === null ? [] : [['strategy', strategy] as const]),
    ['account', report.account],
    ['start (UTC)', timeOf(start)],
    ['end of schedule', timeOf(end)],
    ['over', over === null ? 'not yet' : timeOf(over)],
    ...(isProvisional ? [['figures', 'provisional'] as const] : []),
  ]);
}

const figuresText = (figures: readonly Figure[]): string =>
  figures.map(([label, value = '']) => lineOf(label, value)).join('\n');

const lineOf = (label: string, value: string): string =>
  `${paint.dim(padEnd(label, LABEL_COLUMNS))}  ${value}`.trimEnd();

function legsText(legs: readonly LegCosts[], columns: number): string {
  const all = legs.map(figuresOf);
  const widths = all.map((figures) => Math.max(...figures.map(([, value = '']) => widthOf(value))));
  const needed = widths.reduce((sum, width) => sum + width + GAP, LABEL_COLUMNS);
  if (legs.length < 2 || needed > columns) {
    return all.map((figures) => figures.map(legLine).join('\n')).join('\n\n');
  }
  // A leg of options has figures more than the others.
  const [longest = []] = all.toSorted((a, b) => b.length - a.length);
  return longest
    .map(([label, value], row) => {
      if (value === undefined) return paint.bold(label);
      const cells = all.map((figures, leg) => padEnd(figures[row]?.[1] ?? '', widths[leg] ?? 0));
      return `${paint.dim(padEnd(label, LABEL_COLUMNS))}  ${cells.join(' '.repeat(GAP))}`.trimEnd();
    })
    .join('\n');
}

const legLine = ([label, value]: Figure): string =>
  value === undefined ? paint.bold(label) : lineOf(label, value);

const UNKNOWN = '–';
const bps = (value: number | null): string => (value === null ? UNKNOWN : `${value.toFixed(2)} bp`);
const percent = (value: number | null): string =>
  value === null ? UNKNOWN : `${(value * 100).toFixed(2)} %`;
const or = (value: string | number | null): string => (value === null ? UNKNOWN : String(value));

/** The same figures in the same order for every leg. */
function figuresOf(leg: LegCosts): readonly Figure[] {
  const { benchmarks, slippage, spread, liquidity, resting, schedule, lateness } = leg;
  const { decidedMs, answeredMs } = lateness;
  return [
    [`leg ${leg.leg + 1}`, `${leg.side} ${leg.instrument}${leg.hedge ? ' hedge' : ''}`],
    ['filled', `${leg.filled} of ${leg.asked} ${leg.unit}`],
    ['average', or(leg.averagePrice)],
    ['benchmarks'],
    ['  at submit', `${or(benchmarks.decision)} ${bps(slippage.decisionBps)}`],
    ['  arrival', `${or(benchmarks.arrival)} ${bps(slippage.arrivalBps)}`],
    ['  TWAP', `${or(benchmarks.twap)} ${bps(slippage.twapBps)}`],
    ['  VWAP', `${or(benchmarks.vwap)} ${bps(slippage.vwapBps)}`],
    ['  covered', percent(benchmarks.twapCoverage)],
    ['  participation', percent(leg.participation)],
    ['shortfall'],
    ...shortfallFigures(leg),
    ['  expected', bps(leg.expected?.bps ?? null)],
    ['spread'],
    ['  effective', bps(spread.effectiveBps)],
    ['  quoted', bps(spread.quotedBps)],
    ['  effective/quoted', or(spread.ratio)],
    ['  realised, 1 m', bps(spread.realisedBps)],
    ['  improvement (+)', bps(leg.improvement?.bps ?? null)],
    ['liquidity'],
    ['  maker', percent(liquidity.makerShare)],
    ['  taker', percent(liquidity.takerShare)],
    [
      '  fees',
      liquidity.fees.map(({ amount, currency }) => `${amount} ${currency}`).join(', ') || '0',
    ],
    ['  funding paid', fundingText(leg.funding)],
    ['resting children'],
    ['  fill rate', `${percent(resting.fillRate)} of ${resting.children}`],
    ['  adverse, 10 s', `${bps(resting.adverseBps)}, ${percent(resting.adverseShare)} of fills`],
    ['  unfilled', bps(resting.unfilledBps)],
    ['schedule'],
    ['  farthest', percent(schedule?.greatest ?? null)],
    ['  mean', percent(schedule?.mean ?? null)],
    [
      '  late p50/p99/max',
      decidedMs === null ? UNKNOWN : `${decidedMs.p50}/${decidedMs.p99}/${decidedMs.max} ms`,
    ],
    ['  answered p99', answeredMs === null ? UNKNOWN : `${answeredMs.p99} ms`],
    ...optionFigures(leg),
  ];
}

const fundingText = (funding: LegCosts['funding']): string =>
  funding === null ? UNKNOWN : `${plain(funding.paid)} ${funding.currency}`;

function shortfallFigures({ shortfall, shortfallMissing }: LegCosts): readonly Figure[] {
  return [
    ...PARTS.map((part): Figure => [`  ${part}`, or(shortfall?.[part] ?? null)]),
    [
      '  total',
      shortfall === null
        ? `${UNKNOWN} ${shortfallMissing}`
        : `${shortfall.total} ${shortfall.currency}`,
    ],
    ['  total in bp', bps(shortfall?.bps ?? null)],
    ['  execution in bp', bps(shortfall?.executionBps ?? null)],
    ['  total in USD', or(shortfall?.usd ?? null)],
  ];
}

function optionFigures({ option, kind, shortfall }: LegCosts): readonly Figure[] {
  if (kind !== 'option') return [];
  const against = (reference: 'mid' | 'mark'): Figure => {
    const one = option.find((each) => each.reference === reference);
    if (one === undefined) return [`  against ${reference}`, UNKNOWN];
    return [`  against ${reference}`, optionText(one)];
  };
  const premium = option.find(({ reference }) => reference === 'mid')?.premium;
  return [
    ['option'],
    ['  shortfall', `${bps(shortfall?.underlyingBps ?? null)} of the underlying`],
    ['  premium over mid', premium === undefined ? UNKNOWN : plain(premium)],
    against('mid'),
    against('mark'),
  ];
}

function optionText({ usd, bpsOfUnderlying, volPoints, vegaUsd }: PackageOption): string {
  const vol = volPoints === null ? UNKNOWN : volPoints.toFixed(3);
  return `${usd.toFixed(2)} USD, ${bpsOfUnderlying.toFixed(2)} bp, ${vol} vol of ${vegaUsd?.toFixed(0) ?? UNKNOWN} USD`;
}

/** To the cent: the exact sums are in the JSON. */
const usdText = (value: string | undefined): string =>
  value === undefined ? UNKNOWN : Number(value).toFixed(2);

function markoutsText(leg: LegCosts): readonly string[] {
  if (leg.markouts.length === 0) return [];
  const cell = (value: number | null): string => (value === null ? UNKNOWN : value.toFixed(2));
  const right = ['bp', '± error', 'maker', 'taker', 'fills'].map((head) => ({
    head,
    align: 'right' as const,
  }));
  const rows = leg.markouts.map((one: MarkoutShown) => [
    one.horizon,
    cell(one.bps),
    cell(one.standardError),
    cell(one.makerBps),
    cell(one.takerBps),
    String(one.fills),
  ]);
  return [
    `${paint.bold(`markouts of leg ${leg.leg + 1}`)}\n${tableText([{ head: 'after' }, ...right], rows)}`,
  ];
}

function packageText({ legs, package: together }: PortfolioReport): string {
  if (legs.length < 2) return '';
  const { usd, shortfall, slippage, participation, option, imbalance, delta, hedges } = together;
  const figures: Figure[] = [
    ['shortfall in USD', or(usd)],
    ...PARTS.map((part): Figure => [`  ${part}`, usdText(shortfall?.[part])]),
    ['slippage in USD'],
    ['  at submit', or(slippage.decisionUsd)],
    ['  arrival', or(slippage.arrivalUsd)],
    ['  TWAP', or(slippage.twapUsd)],
    ['  VWAP', or(slippage.vwapUsd)],
    ['participation', `${percent(participation)} at most`],
    ...option.map((one): Figure => [`options to ${one.reference}`, optionText(one)]),
    [
      'imbalance',
      imbalance === null
        ? UNKNOWN
        : `${percent(imbalance.greatest)}, mean ${percent(imbalance.mean)}`,
    ],
    [
      'delta in coins',
      delta === null ? UNKNOWN : `${delta.greatest} at most, ${delta.final} at the end`,
    ],
    ...hedges.map(
      ({ leg, costBps, lagMs, open, beyond }): Figure => [
        `hedge, leg ${leg + 1}`,
        `${bps(costBps)}, lag ${lagMs === null ? UNKNOWN : `${lagMs.p50} ms`}, open ${open}${beyond === 0 ? '' : `, ${beyond} too much`}`,
      ],
    ),
  ];
  return `${paint.bold('package')}\n${figuresText(figures)}`;
}

function unsentText({ slices }: PortfolioReport): string {
  const unsent = slices.filter(({ isSent }) => !isSent);
  if (unsent.length === 0) return '';
  const columns = [
    { head: 'leg', align: 'right' },
    { head: 'slice', align: 'right' },
    { head: 'due' },
    { head: 'why' },
  ] as const;
  const rows = unsent
    .slice(0, UNSENT_MAX)
    .map(({ leg, slice, due, reasons }) => [
      String(leg + 1),
      String(slice + 1),
      due === null ? UNKNOWN : due.slice(11, 19),
      reasons.join(', '),
    ]);
  const more =
    unsent.length > UNSENT_MAX ? `\n${unsent.length - UNSENT_MAX} more: --csv slices` : '';
  return `${paint.bold(`slices that sent nothing: ${unsent.length}`)}\n${tableText(columns, rows)}${more}`;
}
