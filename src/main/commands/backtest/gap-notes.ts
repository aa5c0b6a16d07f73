// What a backtest says about the gaps that its recording itself knows of.
import type { RecordedGap } from '../../../adapters/recorded-market/gaps-file.ts';
import { type Instant, instant, isoText } from '../../../values/instant.ts';

export interface ReplayedSpan {
  readonly exchange: string;
  readonly symbols: ReadonlySet<string>;
  readonly startAt: Instant;
  readonly to: Instant;
}

const SHOWN_MAX = 10;

/** One note for each gap in the replayed span, the longest first. */
export function gapNotes(recorded: readonly RecordedGap[], span: ReplayedSpan): readonly string[] {
  const gaps = recorded.filter((gap) => isIn(gap, span));
  const longest = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const notes = longest.slice(0, SHOWN_MAX).map(noteOf);
  const more = gaps.length - notes.length;
  return more > 0 ? [...notes, `${more} shorter gaps of the recording: see its gaps.csv`] : notes;
}

const isIn = (gap: RecordedGap, { exchange, symbols, startAt, to }: ReplayedSpan): boolean =>
  gap.exchange === exchange &&
  (gap.symbol === '*' || symbols.has(gap.symbol)) &&
  gap.to > startAt &&
  gap.from < to;

function noteOf({ symbol, type, from, to, reason, detail }: RecordedGap): string {
  const what = symbol === '*' ? 'everything' : `${symbol} ${type}`;
  const seconds = ((to - from) / 1_000).toFixed(1);
  const at = isoText(instant(Math.floor(from)));
  return `the recording of ${what} has a gap of ${seconds} s from ${at}: ${reason}, ${detail}`;
}
