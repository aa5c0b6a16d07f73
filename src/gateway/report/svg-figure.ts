// Figures as static SVG text: axes, steps, bars and marks. Colours are classes, so that one style sheet serves light, dark and
// paper; all marks of a kind are one path, so that thousands of them stay small.
import type { ScaleLinear, ScaleTime } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';

export const WIDTH = 720;
const HEIGHT = 220;
const EDGE = { left: 66, right: 30, top: 10, bottom: 26 } as const;
export const ACROSS: [number, number] = [EDGE.left, WIDTH - EDGE.right];
export const UPWARDS: [number, number] = [HEIGHT - EDGE.bottom, EDGE.top];
/** Decimals of coordinates: a tenth of a pixel. */
const DIGITS = 1;

export interface Figure {
  readonly title: string;
  /** What it shows, in words. */
  readonly says: string;
  readonly svg: string;
  readonly legend: readonly (readonly [kind: string, label: string])[];
  readonly table?: {
    readonly heads: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
}

export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const at = (value: number): string => String(Number(value.toFixed(DIGITS)));

export const svgText = (
  { title, says }: Pick<Figure, 'title' | 'says'>,
  parts: readonly string[],
): string =>
  `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"><title>${escaped(title)}</title><desc>${escaped(says)}</desc>${parts.join('')}</svg>`;

type Numbers = ScaleLinear<number, number>;

export function upAxis(scale: Numbers, format: (value: number) => string): string {
  const ticks = scale.ticks(5).map((tick) => {
    const y = at(scale(tick));
    return `<path class="grid" d="M${ACROSS[0]},${y}H${ACROSS[1]}"/><text class="y" x="${ACROSS[0] - 6}" y="${y}" dy="4">${escaped(format(tick))}</text>`;
  });
  return ticks.join('');
}

const DAY_MS = 86_400_000;

/** In UTC; with the day where it is longer than one. */
export function timeAxis(scale: ScaleTime<number, number>): string {
  const [from, to] = scale.domain().map(Number);
  const isLong = (to ?? 0) - (from ?? 0) > DAY_MS;
  const [first, end] = isLong ? [5, 16] : [11, 19];
  const labelOf = (tick: Date): string => tick.toISOString().slice(first, end).replace('T', ' ');
  return scale
    .ticks(6)
    .map(
      (tick) => `<text class="x" x="${at(scale(tick))}" y="${HEIGHT - 8}">${labelOf(tick)}</text>`,
    )
    .join('');
}

/** Of values across, such as those of a logarithmic scale. */
export const valueAxis = (
  scale: ((value: number) => number) & { readonly ticks: (count: number) => number[] },
  format: (value: number) => string,
): string =>
  scale
    .ticks(5)
    .map(
      (tick) =>
        `<text class="x" x="${at(scale(tick))}" y="${HEIGHT - 8}">${escaped(format(tick))}</text>`,
    )
    .join('');

/** Text in the middle of a place. */
export const wordAt = (kind: string, x: number, y: number, word: string): string =>
  `<text class="${kind}" x="${at(x)}" y="${at(y)}">${escaped(word)}</text>`;

export const labelAxis = (labels: readonly string[], xOf: (index: number) => number): string =>
  labels
    .map(
      (label, index) =>
        `<text class="x" x="${at(xOf(index))}" y="${HEIGHT - 8}">${escaped(label)}</text>`,
    )
    .join('');

export type Point = readonly [x: number, y: number | undefined];

const drawn = () =>
  line<Point>()
    .digits(DIGITS)
    .defined(([, y]) => y !== undefined)
    .x(([x]) => x)
    .y(([, y]) => y ?? 0);

/** Broken where a point is unknown. */
export const lineOf = (kind: string, points: readonly Point[]): string =>
  `<path class="line ${kind}" d="${drawn()(points) ?? ''}"/>`;

/** A value holds until the next one. */
export const stepsOf = (kind: string, points: readonly Point[]): string =>
  `<path class="line ${kind}" d="${drawn().curve(curveStepAfter)(points) ?? ''}"/>`;

/** Between two values that hold until the next; broken where either is unknown. */
export const ribbonOf = (
  kind: string,
  points: readonly (readonly [x: number, low: number | undefined, high: number | undefined])[],
): string => {
  const between = area<(typeof points)[number]>()
    .digits(DIGITS)
    .curve(curveStepAfter)
    .defined(([, low, high]) => low !== undefined && high !== undefined)
    .x(([x]) => x)
    .y0(([, low]) => low ?? 0)
    .y1(([, , high]) => high ?? 0);
  return `<path class="ribbon ${kind}" d="${between(points) ?? ''}"/>`;
};

/** Level pieces, all of them one path. */
export function piecesOf(
  kind: string,
  pieces: readonly (readonly [from: number, to: number, y: number])[],
): string {
  if (pieces.length === 0) return '';
  const path = pieces.map(([from, to, y]) => `M${at(from)},${at(y)}H${at(to)}`);
  return `<path class="line ${kind}" d="${path.join('')}"/>`;
}

/** Errors of means: an upright between two heights with a short bar at each end. */
export function errorsOf(
  kind: string,
  errors: readonly (readonly [x: number, low: number, high: number])[],
): string {
  if (errors.length === 0) return '';
  const path = errors.flatMap(([x, low, high]) => [
    `M${at(x)},${at(low)}V${at(high)}`,
    ...[low, high].map((end) => `M${at(x - 4)},${at(end)}h8`),
  ]);
  return `<path class="line error ${kind}" d="${path.join('')}"/>`;
}

/** Times in which something was so, over the whole height. */
export function bandsOf(
  kind: string,
  bands: readonly (readonly [from: number, to: number])[],
): string {
  if (bands.length === 0) return '';
  const [bottom, top] = UPWARDS;
  const path = bands.map(([from, to]) => `M${at(from)},${bottom}H${at(to)}V${top}H${at(from)}Z`);
  return `<path class="band ${kind}" d="${path.join('')}"/>`;
}

/** `round` marks are dots, the others upright crosses: kinds differ by shape, not by colour alone. */
export function marksOf(kind: string, shape: 'round' | 'cross', points: readonly Point[]): string {
  const path = points.flatMap(([x, y]) => {
    if (y === undefined) return [];
    return shape === 'round'
      ? `M${at(x - 3)},${at(y)}a3,3 0 1,0 6,0a3,3 0 1,0 -6,0`
      : `M${at(x - 4)},${at(y)}h8M${at(x)},${at(y - 4)}v8`;
  });
  return path.length === 0 ? '' : `<path class="mark ${kind} ${shape}" d="${path.join('')}"/>`;
}

/** A bar between two heights. */
export const barOf = (
  kind: string,
  x: number,
  width: number,
  [from, to]: readonly [number, number],
): string =>
  `<path class="bar ${kind}" d="M${at(x)},${at(from)}H${at(x + width)}V${at(to)}H${at(x)}Z"/>`;

/** A level over the whole width. */
export const levelAt = (kind: string, y: number): string =>
  `<path class="line ${kind}" d="M${ACROSS[0]},${at(y)}H${ACROSS[1]}"/>`;

export const ruleAt = (y: number): string =>
  `<path class="rule" d="M${ACROSS[0]},${at(y)}H${ACROSS[1]}"/>`;
