// What the report on a portfolio opens with: three numbers, and in a sentence what they mean. Positive is a cost.
import type { LegCosts, PortfolioReport } from '../../core/report/report-shapes.ts';
import { atPlaces, counted, grouped, placesOf } from '../../values/text/written-figures.ts';
import { money } from './figure-scales.ts';

/** Legs that are named, at most. */
const LEGS_NAMED = 3;
const UNKNOWN = '–';

export interface HeadNumber {
  readonly name: string;
  readonly figure: string;
  readonly says: readonly string[];
}

/** A price at the decimals of the instrument's tick. */
export const priceText = ({ tickSize }: LegCosts, price: string | null): string | null =>
  price === null ? null : atPlaces(price, placesOf(tickSize));

export const sizeText = ({ filled, asked, unit }: LegCosts): string =>
  `${grouped(filled)} of ${grouped(asked)} ${unit}`;

/** Those that the schedule sizes; a hedge follows them. */
export const scheduledLegs = (legs: readonly LegCosts[]): readonly LegCosts[] => {
  const scheduled = legs.filter(({ hedge }) => !hedge);
  return scheduled.length === 0 ? legs : scheduled;
};

export function headNumbers(report: PortfolioReport): readonly HeadNumber[] {
  const { legs } = report;
  const [only] = legs;
  const each = (of: (leg: LegCosts) => string): readonly string[] => [
    ...legs.slice(0, LEGS_NAMED).map((leg) => `${leg.instrument} ${of(leg)}`),
    ...(legs.length > LEGS_NAMED ? [`${counted(legs.length - LEGS_NAMED, 'more leg')} below`] : []),
  ];
  const usd = report.package.slippage.arrivalUsd;
  const cost = usd === null ? UNKNOWN : `${signed(money(usd))} USD`;
  const share = filledShare(legs);
  const filled = share === undefined ? UNKNOWN : `${share} %`;
  const average = (leg: LegCosts): string => priceText(leg, leg.averagePrice) ?? UNKNOWN;
  if (only === undefined || legs.length > 1) {
    return [
      { name: 'Filled', figure: filled, says: each(sizeText) },
      { name: 'Average price', figure: counted(legs.length, 'leg'), says: each(average) },
      { name: 'Cost against arrival', figure: cost, says: each(bpsText) },
    ];
  }
  const arrival = priceText(only, only.benchmarks.arrival);
  return [
    { name: 'Filled', figure: filled, says: [sizeText(only)] },
    { name: 'Average price', figure: average(only), says: [`arrival ${arrival ?? UNKNOWN}`] },
    { name: 'Cost against arrival', figure: bpsText(only), says: [cost] },
  ];
}

/** Such as `Bought 6,000 of 6,000 USD of BTC-PERPETUAL at 99,990.5, 1.20 bp (0.75 USD) worse than the mid at the start.` */
export function verdictOf(report: PortfolioReport): string {
  const { legs, status, reason, over, slices } = report;
  const [only] = legs;
  const what =
    only !== undefined && legs.length === 1 ? legVerdict(report, only) : packageVerdict(report);
  const unsent = slices.filter(({ isSent }) => !isSent).length;
  const ended = reason === null || reason === status ? status : `${status} (${reason})`;
  return [
    over === null ? `So far: ${what}` : what,
    ...(over === null || status === 'filled' ? [] : [`It ended as ${ended}.`]),
    ...(unsent === 0 ? [] : [`${unsent} of ${counted(slices.length, 'slice')} sent nothing.`]),
  ].join(' ');
}

function legVerdict(report: PortfolioReport, leg: LegCosts): string {
  const done = leg.side === 'buy' ? 'bought' : 'sold';
  const opening = report.over === null ? done : `${done.charAt(0).toUpperCase()}${done.slice(1)}`;
  const average = priceText(leg, leg.averagePrice);
  if (average === null)
    return `nothing ${done} of ${grouped(leg.asked)} ${leg.unit} of ${leg.instrument}.`;
  const { arrivalBps } = leg.slippage;
  const against = costWords(arrivalBps, report.package.slippage.arrivalUsd, leg);
  return `${opening} ${sizeText(leg)} of ${leg.instrument} at ${average}, ${against}.`;
}

function costWords(bps: number | null, usd: number | null, { kind }: LegCosts): string {
  if (bps === null) return 'its cost is not known, as no mid was recorded at the start';
  const of = kind === 'option' ? ' of the premium' : '';
  const size = atPlaces(Math.abs(bps).toFixed(2), 2);
  if (size === '0.00') return 'the mid at the start';
  const dollars = usd === null ? '' : ` (${money(Math.abs(usd))} USD)`;
  return `${size} bp${of}${dollars} ${bps > 0 ? 'worse' : 'better'} than the mid at the start`;
}

function packageVerdict({ legs, package: { slippage } }: PortfolioReport): string {
  const share = filledShare(legs);
  const opening = `${counted(legs.length, 'leg')}, ${share === undefined ? 'of unknown size' : `${share} % filled`}`;
  const usd = slippage.arrivalUsd;
  if (usd === null)
    return `${opening}; their cost is not known, as a mid or rate of the start is missing.`;
  const size = money(Math.abs(usd));
  if (size === '0.00') return `${opening}, at their mids at the start.`;
  return `${opening}, ${size} USD ${usd > 0 ? 'worse' : 'better'} than at their mids at the start.`;
}

/** Mean of the legs in percent, rounded down: a hundred is all. */
function filledShare(legs: readonly LegCosts[]): string | undefined {
  const shares = scheduledLegs(legs).map(({ filled, asked }) => Number(filled) / Number(asked));
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Number.isFinite(mean) ? String(Math.floor(mean * 1_000 + 1e-9) / 10) : undefined;
}

function bpsText({ slippage: { arrivalBps }, kind }: LegCosts): string {
  if (arrivalBps === null) return UNKNOWN;
  const of = kind === 'option' ? ' of the premium' : '';
  return `${signed(atPlaces(arrivalBps.toFixed(2), 2))} bp${of}`;
}

const signed = (figure: string): string =>
  figure.startsWith('-') || !/[1-9]/.test(figure) ? figure : `+${figure}`;
