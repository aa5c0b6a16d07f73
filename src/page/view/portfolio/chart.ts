// One chart, drawn by uPlot in the colours of the theme. It follows the width of its place; a part of the time is looked at
// by drawing over it, and a double click shows the whole again.

import uPlot from 'uplot';
import { dateText, minuteText, timeText } from '../../model/formatting.ts';
import type { Column, Resting } from '../../model/portfolio/course-data.ts';

export interface ChartWish {
  readonly kind: 'schedule' | 'price';
  readonly data: readonly [number[], ...Column[]];
  /** A line marks it. */
  readonly now: number;
  readonly lines: readonly Resting[];
}

const HEIGHT_PX = { schedule: 220, price: 200 } as const;
const DARK = matchMedia('(prefers-color-scheme: dark)');

type Colours = Readonly<Record<'soft' | 'line' | 'plan' | 'fill' | 'bad' | 'warn', string>>;

/** As the canvas understands them: those of the style sheet depend on the theme. */
function coloursOf(place: HTMLElement): Colours {
  const of = (name: string): string => {
    place.style.color = `var(--${name})`;
    const { color } = getComputedStyle(place);
    place.style.color = '';
    return color;
  };
  return {
    soft: of('soft'),
    line: of('line'),
    plan: of('plan'),
    fill: of('fill'),
    bad: of('bad'),
    warn: of('warn'),
  };
}

export class Chart {
  readonly #place: HTMLElement;
  readonly #watch: ResizeObserver;
  #wish: ChartWish;
  #plot: uPlot;
  #isZoomed = false;
  #colours: Colours;

  constructor(place: HTMLElement, wish: ChartWish) {
    this.#place = place;
    this.#wish = wish;
    this.#colours = coloursOf(place);
    this.#plot = this.#draw();
    this.#watch = new ResizeObserver(() => {
      const { clientWidth: width } = place;
      if (width !== this.#plot.width) this.#plot.setSize({ width, height: HEIGHT_PX[wish.kind] });
    });
    this.#watch.observe(place);
    DARK.addEventListener('change', this.#redraw);
  }

  show(wish: ChartWish): void {
    if (wish === this.#wish) return;
    this.#wish = wish;
    this.#plot.setData(wish.data as unknown as uPlot.AlignedData, !this.#isZoomed);
    if (this.#isZoomed) this.#plot.redraw();
  }

  end(): void {
    this.#watch.disconnect();
    DARK.removeEventListener('change', this.#redraw);
    this.#plot.destroy();
  }

  readonly #redraw = (): void => {
    this.#plot.destroy();
    this.#colours = coloursOf(this.#place);
    this.#plot = this.#draw();
  };

  #draw(): uPlot {
    const { kind, data } = this.#wish;
    const { soft, line: thin, plan } = this.#colours;
    const axis: uPlot.Axis = {
      stroke: soft,
      grid: { stroke: thin, width: 1 },
      ticks: { stroke: thin, width: 1 },
    };
    const plot = new uPlot(
      {
        width: this.#place.clientWidth,
        height: HEIGHT_PX[kind],
        ms: 1,
        tzDate: (ms) => uPlot.tzDate(new Date(ms), 'Etc/UTC'),
        legend: { show: false },
        cursor: { y: false, points: { show: false } },
        axes: [
          { ...axis, values: (_plot, splits) => timesText(splits) },
          { ...axis, size: 72 },
        ],
        series: [
          {},
          ...(kind === 'schedule' ? scheduleSeries(this.#colours) : priceSeries(this.#colours)),
        ],
        ...(kind === 'schedule' && { bands: [{ series: [1, 2], fill: plan }] }),
        scales: {
          x: { time: true },
          y: { range: (_plot, low, high) => this.#range(low, high) },
        },
        hooks: {
          draw: [(own) => this.#marks(own)],
          setSelect: [(own) => this.#zoom(own.select.width > 0)],
        },
      },
      data as unknown as uPlot.AlignedData,
      this.#place,
    );
    plot.over.addEventListener('dblclick', () => this.#zoom(false));
    return plot;
  }

  #zoom(isZoomed: boolean): void {
    this.#isZoomed = isZoomed;
  }

  /** Prices of resting orders have no points of their own. */
  #range(low: number | null, high: number | null): [number, number] {
    const { kind, lines } = this.#wish;
    const prices = lines.map(({ price }) => price);
    const least = Math.min(...[low, ...prices].filter((one) => one !== null));
    const most = Math.max(...[high, ...prices].filter((one) => one !== null));
    if (!Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
    const room = (most - least) * 0.08 || Math.max(Math.abs(most) * 0.001, 0.5);
    return [kind === 'schedule' ? 0 : least - room, most + room];
  }

  #marks(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const { now, lines } = this.#wish;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineWidth = 1;
    ctx.strokeStyle = this.#colours.soft;
    ctx.setLineDash([3, 4]);
    line(ctx, [plot.valToPos(now, 'x', true), bbox.top], [0, bbox.height]);
    ctx.setLineDash([]);
    for (const { from, to, price, isOpen } of lines) {
      const [left, right] = [plot.valToPos(from, 'x', true), plot.valToPos(to, 'x', true)];
      ctx.strokeStyle = this.#colours.warn;
      ctx.lineWidth = isOpen ? 4 : 2;
      // One that rested for a moment is still to be seen.
      line(ctx, [left, plot.valToPos(price, 'y', true)], [Math.max(right - left, 3), 0]);
    }
    ctx.restore();
  }
}

/** UTC; with the day where it changes, and with seconds where minutes do not tell the marks apart. */
function timesText(instants: readonly number[]): string[] {
  const areClose = (instants[1] ?? 0) - (instants[0] ?? 0) < 60_000;
  return instants.map((ms, index) => {
    const day = dateText(ms);
    const before = instants[index - 1];
    const isNew = before !== undefined && dateText(before) !== day;
    return `${areClose ? timeText(ms) : minuteText(ms)}${isNew ? `\n${day}` : ''}`;
  });
}

function line(
  ctx: CanvasRenderingContext2D,
  [x, y]: readonly [number, number],
  [width, height]: readonly [number, number],
): void {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x + width, y + height);
  ctx.stroke();
}

const stepped = (): uPlot.Series.PathBuilder | undefined => uPlot.paths.stepped?.({ align: 1 });

function stepSeries(stroke: string, width: number): uPlot.Series {
  const paths = stepped();
  return { stroke, width, points: { show: false }, ...(paths && { paths }) };
}

const scheduleSeries = ({ soft, fill }: Colours): uPlot.Series[] => [
  stepSeries(soft, 1),
  stepSeries(soft, 1),
  stepSeries(fill, 2.5),
];

const priceSeries = ({ soft, fill, bad }: Colours): uPlot.Series[] => [
  { ...stepSeries(soft, 1), spanGaps: true },
  { ...stepSeries(soft, 1), spanGaps: true },
  pointSeries(fill, 7),
  pointSeries(bad, 7),
];

const pointSeries = (stroke: string, size: number): uPlot.Series => ({
  stroke,
  paths: () => null,
  points: { show: true, size, fill: stroke, stroke },
});
