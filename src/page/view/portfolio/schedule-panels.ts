// The panels below the price: the schedule with its envelope against the fills of all legs, and the slices as a strip.
import type uPlot from 'uplot';
import type { PortfolioReport } from '../../../gateway/client/client.ts';
import { figure, NO_FIGURE, percent, significant, timeText } from '../../model/formatting.ts';
import type { Window } from '../../model/portfolio/chart-view.ts';
import {
  type LegCourse,
  type SliceBar,
  scheduleData,
  sliceBars,
  type Times,
  valueAt,
} from '../../model/portfolio/course-data.ts';
import { type ChartWish, type Colours, drawLine, scaleOf, stepSeries } from './chart.ts';
import type { Panel, Reading } from './panel.ts';
import { drawNow } from './price-panel.ts';

export interface LegView {
  readonly leg: LegCourse;
  readonly others: readonly LegCourse[];
  readonly times: Times;
  readonly window: Window;
  readonly slices: PortfolioReport['slices'];
  readonly unit: string;
}

const ROOM = 1.06;

export function schedulePanel({ leg, others, times, window, unit }: LegView): Panel {
  const { at, upper, lower, filled, others: columns } = scheduleData(leg, times, others);
  const isShare = others.length > 0;
  const textOf = (value: number | null): string => {
    if (value === null) return NO_FIGURE;
    return isShare ? percent(value) : `${significant(value, 12)} ${unit}`;
  };
  return {
    name: 'schedule',
    title: isShare ? 'Filled, share of each leg' : 'Filled',
    says: `Schedule and fills of ${leg.instrument}: ${leg.filled} of ${leg.quantity} filled`,
    wish: {
      data: [at, upper, lower, filled, ...columns],
      window,
      series: ({ soft, fill, warn }) => [
        stepSeries(soft, 0.5),
        stepSeries(soft, 0.5),
        stepSeries(fill, 2.5),
        ...columns.map(() => stepSeries(warn, 1.25)),
      ],
      bands: ({ plan }) => [{ series: [1, 2], fill: plan }],
      range: (_low, high) => [0, (high ?? 0) * ROOM || 1],
      above: (plot, colours) => drawNow(plot, times.now, colours),
      label: (value) => (isShare ? percent(value, 0) : significant(value, 6)),
      hasTimes: false,
    },
    readings: (instant) => [
      { key: 'fill-key', label: 'filled', value: textOf(valueAt(at, filled, instant)) },
      { key: 'plan-key', label: 'due', value: textOf(valueAt(at, upper, instant)) },
      ...others.map(
        (one, index): Reading => ({
          key: 'other-key',
          label: one.instrument,
          value: textOf(valueAt(at, columns[index] ?? [], instant)),
        }),
      ),
    ],
  };
}

export function slicesPanel({ leg, slices, times, window, unit }: LegView): Panel {
  const bars = sliceBars(leg, slices, times);
  const ran = bars.filter(({ state }) => state !== 'next');
  const unsent = ran.filter(({ state }) => state === 'not sent').length;
  return {
    name: 'slices',
    title: 'Slices',
    says: `Slices of ${leg.instrument}: ${figure(ran.length)} ran, ${figure(unsent)} of them sent nothing; ${figure(bars.length - ran.length)} to come`,
    wish: slicesWish(bars, times, window),
    readings: (instant) => {
      const bar = bars.findLast(({ from }) => from <= instant);
      return bar === undefined ? [] : sliceReadings(bar, unit);
    },
  };
}

function sliceReadings(bar: SliceBar, unit: string): readonly Reading[] {
  const { slice, from, planned, filled, state } = bar;
  const name = slice === undefined ? 'to come' : `${figure(slice + 1)}, ${state}`;
  return [
    { key: 'slice-key', label: 'slice', value: `${name}, due ${timeText(from)}` },
    {
      label: 'filled',
      value: `${significant(filled, 12)} of ${significant(planned, 12)} ${unit}`,
    },
  ];
}

function slicesWish(bars: readonly SliceBar[], { now }: Times, window: Window): ChartWish {
  const shown = bars.filter(({ from, to }) => to >= window.from && from <= window.to);
  const most = Math.max(0, ...shown.map(({ planned, filled }) => Math.max(planned, filled)));
  const at = bars.length === 0 ? [window.from] : bars.map(({ from }) => from);
  return {
    data: [at, at.map((_one, index) => bars[index]?.planned ?? null)],
    window,
    series: () => [{ points: { show: false }, paths: () => null }],
    range: () => [0, most * ROOM || 1],
    above: (plot, colours) => {
      for (const bar of shown) drawSlice(plot, bar, colours);
      drawNow(plot, now, colours);
    },
    label: () => '',
    hasTimes: false,
  };
}

/** What is planned as an outline, what is filled solid, ✕ where nothing was sent. */
function drawSlice(
  plot: uPlot,
  { from, to, planned, filled, state }: SliceBar,
  colours: Colours,
): void {
  const { ctx } = plot;
  const px = scaleOf();
  const left = plot.valToPos(from, 'x', true);
  const width = Math.max(plot.valToPos(to, 'x', true) - left - 2 * px, px);
  const bottom = plot.valToPos(0, 'y', true);
  const [top, done] = [planned, filled].map((one) => plot.valToPos(one, 'y', true)) as [
    number,
    number,
  ];
  ctx.fillStyle = colours.fill;
  ctx.fillRect(left, done, width, bottom - done);
  ctx.lineWidth = px;
  ctx.strokeStyle = state === 'not sent' ? colours.bad : colours.soft;
  ctx.setLineDash(state === 'next' ? [2 * px, 3 * px] : []);
  if (width > 3 * px) ctx.strokeRect(left, top, width, bottom - top);
  ctx.setLineDash([]);
  if (state !== 'not sent') return;
  const half = Math.min(5 * px, width / 2);
  const [x, y] = [left + width / 2, (top + bottom) / 2];
  ctx.lineWidth = 2 * px;
  drawLine(ctx, { from: [x - half, y - half], to: [x + half, y + half] });
  drawLine(ctx, { from: [x - half, y + half], to: [x + half, y - half] });
}
