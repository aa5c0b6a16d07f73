// One chart, drawn by uPlot in the colours of the theme. It takes the size of its place, and shows the same time and crosshair
// as the other charts of the portfolio. Drawing over a part enlarges it in all of them, a double click shows the whole again.

import { effect } from '@preact/signals';
import uPlot from 'uplot';
import { dateText, minuteText, timeText } from '../../model/formatting.ts';
import { crosshairMs, enlarged, type Window } from '../../model/portfolio/chart-view.ts';
import type { Column } from '../../model/portfolio/course-data.ts';

export interface ChartWish {
  readonly data: readonly [number[], ...Column[]];
  readonly window: Window;
  /** Taken over when the chart is made. */
  readonly series: (colours: Colours) => readonly uPlot.Series[];
  readonly bands?: (colours: Colours) => uPlot.Band[];
  /** Lowest and highest value that is shown, of the lowest and highest of the data in the window. */
  readonly range: (low: number | null, high: number | null) => readonly [number, number];
  /** Below the lines, and above them. */
  readonly below?: (plot: uPlot, colours: Colours) => void;
  readonly above?: (plot: uPlot, colours: Colours) => void;
  /** Of the values at its side. */
  readonly label: (value: number) => string;
  /** Whether it has the times below it. */
  readonly hasTimes: boolean;
}

const NAMES = [
  'back',
  'front',
  'soft',
  'line',
  'plan',
  'fill',
  'bad',
  'warn',
  'buy',
  'sell',
] as const;

export type Colours = Readonly<Record<(typeof NAMES)[number], string>>;

const DARK = matchMedia('(prefers-color-scheme: dark)');
const [AXIS_PX, TIMES_PX, NO_TIMES_PX, ABOVE_PX] = [78, 26, 8, 8];
/** Of a crosshair that is not shown. */
const AWAY_PX = -10;

/** As the canvas understands them: those of the style sheet depend on the theme. */
function coloursOf(place: HTMLElement): Colours {
  const of = (name: string): string => {
    place.style.color = `var(--${name})`;
    const { color } = getComputedStyle(place);
    place.style.color = '';
    return color;
  };
  return Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Colours;
}

export class Chart {
  readonly #place: HTMLElement;
  readonly #watch: ResizeObserver;
  readonly #unfollow: () => void;
  #wish: ChartWish;
  #plot: uPlot;
  #colours: Colours;
  /** New data moves the crosshair as well, which nobody pointed at. */
  #isQuiet = false;

  constructor(place: HTMLElement, wish: ChartWish) {
    this.#place = place;
    this.#wish = wish;
    this.#colours = coloursOf(place);
    this.#plot = this.#draw();
    this.#watch = new ResizeObserver(() => {
      const { width, height } = this.#plot;
      const { clientWidth, clientHeight } = place;
      if (clientWidth === width && clientHeight === height) return;
      this.#plot.setSize({ width: clientWidth, height: clientHeight });
    });
    this.#watch.observe(place);
    this.#unfollow = effect(() => this.#point(crosshairMs.value));
    DARK.addEventListener('change', this.#redraw);
  }

  show(wish: ChartWish): void {
    if (wish === this.#wish) return;
    this.#wish = wish;
    this.#isQuiet = true;
    this.#plot.batch(() => {
      this.#plot.setData(wish.data as unknown as uPlot.AlignedData, false);
      this.#showWindow();
    });
    this.#isQuiet = false;
    this.#point(crosshairMs.peek());
  }

  end(): void {
    this.#watch.disconnect();
    this.#unfollow();
    DARK.removeEventListener('change', this.#redraw);
    this.#plot.destroy();
  }

  readonly #redraw = (): void => {
    this.#plot.destroy();
    this.#colours = coloursOf(this.#place);
    this.#plot = this.#draw();
  };

  #showWindow(): void {
    const { from, to } = this.#wish.window;
    this.#plot.setScale('x', { min: from, max: to });
  }

  /** Where another chart, or the keyboard, points. */
  #point(ms: number | undefined): void {
    const at = ms === undefined ? AWAY_PX : this.#plot.valToPos(ms, 'x');
    const left = at < 0 ? AWAY_PX : at;
    if (Math.abs((this.#plot.cursor.left ?? AWAY_PX) - left) < 1) return;
    this.#plot.setCursor({ left, top: left < 0 ? AWAY_PX : 0 }, false);
  }

  #readOff(plot: uPlot): void {
    if (this.#isQuiet) return;
    const { left = AWAY_PX } = plot.cursor;
    crosshairMs.value = left < 0 ? undefined : plot.posToVal(left, 'x');
  }

  #draw(): uPlot {
    const { data } = this.#wish;
    const colours = this.#colours;
    const plot = new uPlot(
      {
        width: this.#place.clientWidth,
        height: this.#place.clientHeight,
        ms: 1,
        tzDate: (ms) => uPlot.tzDate(new Date(ms), 'Etc/UTC'),
        legend: { show: false },
        cursor: {
          y: false,
          points: { show: false },
          drag: { setScale: false },
        },
        padding: [ABOVE_PX, 0, 0, 0],
        axes: this.#axes(),
        series: [{}, ...this.#wish.series(colours)],
        bands: this.#wish.bands?.(colours) ?? [],
        scales: {
          x: { time: true },
          y: { range: (_plot, low, high) => [...this.#wish.range(low, high)] as [number, number] },
        },
        hooks: {
          drawAxes: [(own) => this.#paint(own, this.#wish.below)],
          draw: [(own) => this.#paint(own, this.#wish.above)],
          setCursor: [(own) => this.#readOff(own)],
          setSelect: [(own) => enlarge(own)],
        },
      },
      data as unknown as uPlot.AlignedData,
      this.#place,
    );
    plot.over.addEventListener('dblclick', () => {
      enlarged.value = undefined;
    });
    this.#plot = plot;
    this.#showWindow();
    return plot;
  }

  #axes(): uPlot.Axis[] {
    const { soft: stroke, line } = this.#colours;
    const [grid, ticks] = [{ stroke: line, width: 1 }, { show: false }];
    const font = `11px ${getComputedStyle(this.#place).fontFamily}`;
    const axis: uPlot.Axis = { stroke, grid, ticks, font, gap: 4 };
    return [
      this.#wish.hasTimes
        ? { ...axis, size: TIMES_PX, values: (_plot, splits) => timesText(splits) }
        : { ...axis, size: NO_TIMES_PX, values: (_plot, splits) => splits.map(() => '') },
      {
        ...axis,
        side: 1,
        size: AXIS_PX,
        space: 20,
        values: (_plot, splits) => splits.map((value) => this.#wish.label(value)),
      },
    ];
  }

  /** Inside its area only. */
  #paint(plot: uPlot, paint: ChartWish['above']): void {
    if (paint === undefined) return;
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    paint(plot, this.#colours);
    ctx.restore();
  }
}

function enlarge(plot: uPlot): void {
  const { left, width } = plot.select;
  if (width === 0) return;
  enlarged.value = { from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') };
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

/** UTC; with the day where it changes, and with seconds where minutes do not tell the marks apart. */
function timesText(instants: readonly number[]): string[] {
  const areClose = (instants[1] ?? 0) - (instants[0] ?? 0) < 60_000;
  return instants.map((ms, index) => {
    const day = dateText(ms);
    const before = instants[index - 1];
    const isNew = before !== undefined && dateText(before) !== day;
    return isNew ? day.slice(5) : areClose ? timeText(ms) : minuteText(ms);
  });
}

/** Each value holds until the next. */
export function stepSeries(stroke: string, width: number, more: uPlot.Series = {}): uPlot.Series {
  const paths = uPlot.paths.stepped?.({ align: 1 });
  return { stroke, width, points: { show: false }, ...(paths && { paths }), ...more };
}

/** Pixels of the canvas for one of the page. */
export const scaleOf = (): number => uPlot.pxRatio;

export interface Line {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

export function drawLine(ctx: CanvasRenderingContext2D, { from, to }: Line): void {
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}
