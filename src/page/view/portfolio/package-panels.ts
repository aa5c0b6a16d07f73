// The panels of all legs together: the delta of what is filled, and its profit or loss at the mid.
import type { PortfolioReport } from '../../../gateway/client/client.ts';
import { dollars, NOT_KNOWN, signed, significant } from '../../model/formatting.ts';
import type { Window } from '../../model/portfolio/chart-view.ts';
import { type Times, valueAt } from '../../model/portfolio/course-data.ts';
import {
  type CourseLine,
  deltaLine,
  type PackageLeg,
  profitLine,
  profitUnit,
} from '../../model/portfolio/package-course.ts';
import { type ChartWish, stepSeries } from './chart.ts';
import { amountText, type Panel } from './panel.ts';
import { drawNow } from './price-panel.ts';

export interface PackageView {
  readonly legs: readonly PackageLeg[];
  readonly coin: string;
  readonly delta: PortfolioReport['package']['delta'];
  readonly times: Times;
  readonly window: Window;
  /** Dollars for one of a coin, now; `undefined`: not known. */
  readonly indexOf: (coin: string) => number | undefined;
}

const NONE: CourseLine = { at: [], value: [] };
const ROOM = 0.12;

export function deltaPanel({ legs, coin, delta, times, window, indexOf }: PackageView): Panel {
  const isUnfilled = legs.every(({ course }) => course.fills.length === 0);
  const line = delta === null && !isUnfilled ? NONE : deltaLine(delta, times);
  const textAt = (instant: number): string =>
    bothText(valueAt(line.at, line.value, instant), coin, indexOf(coin));
  return {
    name: 'delta',
    title: 'Net delta',
    says: `Net delta of what is filled: ${textAt(times.now)}`,
    wish: lineWish(line, { times, window, unit: coin, hasTimes: false }),
    readings: (instant) => [{ key: 'mid-key', label: '', value: textAt(instant) }],
  };
}

export function profitPanel({ legs, times, window, indexOf }: PackageView): Panel {
  const unit = profitUnit(legs);
  const line = unit === undefined ? NONE : profitLine(legs, times, { unit, indexOf });
  const textAt = (instant: number): string =>
    unit === undefined
      ? `${NOT_KNOWN} of combos`
      : bothText(valueAt(line.at, line.value, instant), unit, indexOf(unit));
  return {
    name: 'profit',
    title: 'P&L at the mid, before fees',
    says: `Profit or loss of what is filled, at the mid and before fees: ${textAt(times.now)}`,
    wish: lineWish(line, { times, window, unit: unit ?? '', hasTimes: true }),
    readings: (instant) => [{ key: 'mid-key', label: '', value: textAt(instant) }],
  };
}

/** Coins with their dollars, such as `+0.04 BTC ≈ +4,000 USD`. */
export function bothText(value: number | null, unit: string, index: number | undefined): string {
  const own = amountText(value, unit);
  if (value === null || value === 0 || unit === 'USD' || index === undefined) return own;
  const usd = value * index;
  return `${own} ≈ ${usd > 0 ? '+' : ''}${dollars(usd)}`;
}

interface LineView {
  readonly times: Times;
  readonly window: Window;
  readonly unit: string;
  readonly hasTimes: boolean;
}

/** Zero is always in it. */
function lineWish(
  { at, value }: CourseLine,
  { times, window, unit, hasTimes }: LineView,
): ChartWish {
  return {
    data: at.length === 0 ? [[window.from], [null]] : [at, value],
    window,
    series: ({ front, plan }) => [stepSeries(front, 1.25, { fill: plan, fillTo: () => 0 })],
    range: (low, high) => {
      const [least, most] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
      const room = (most - least) * ROOM;
      return room === 0 ? [-1, 1] : [least - room, most + room];
    },
    above: (plot, colours) => drawNow(plot, times.now, colours),
    label: (one) => (unit === 'USD' ? signed(one, 0) : significant(one, 3)),
    hasTimes,
  };
}
