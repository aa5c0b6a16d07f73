// Spans of the past cut into the pieces in which they are read.
import { HOUR_MS, type Instant, instant, MINUTE_MS } from '../../../values/instant.ts';
import { hourOf, type MsSpan } from './market-past.ts';

export type Direction = 'asc' | 'desc';

export function* hoursOf({ from, until }: MsSpan, order: Direction): Generator<number> {
  const [first, last] = [hourOf(from), hourOf(until - 1)];
  if (order === 'asc') for (let hour = first; hour <= last; hour += 1) yield hour;
  else for (let hour = last; hour >= first; hour -= 1) yield hour;
}

/** The span hour by hour. */
export function* hoursIn(span: MsSpan, order: Direction): Generator<MsSpan> {
  for (const hour of hoursOf(span, order)) {
    yield {
      from: Math.max(span.from, hour * HOUR_MS),
      until: Math.min(span.until, (hour + 1) * HOUR_MS),
    };
  }
}

/** The span in windows that grow: many instruments have many trades in a minute, or none in an hour. */
export function* windowsOf({ from, until }: MsSpan, order: Direction): Generator<MsSpan> {
  let [low, high] = [from, until];
  for (let width = MINUTE_MS; low < high; width = Math.min(HOUR_MS, 2 * width)) {
    const window =
      order === 'asc'
        ? { from: low, until: Math.min(high, low + width) }
        : { from: Math.max(low, high - width), until: high };
    if (order === 'asc') low = window.until;
    else high = window.from;
    yield window;
  }
}

/** Whole multiples of `everyMs` within the span; of more than `most`, the last. */
export function* pointsOf(
  { from, until }: MsSpan,
  everyMs: number,
  most: number,
): Generator<Instant> {
  const last = Math.floor((until - 1) / everyMs);
  const first = Math.max(Math.ceil(from / everyMs), last - most + 1);
  for (let point = first; point <= last; point += 1) yield instant(point * everyMs);
}
