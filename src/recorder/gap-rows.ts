// Times in which something was not recorded, or not in full: rows of `gaps.csv`, next to the recordings.
import type { RecordedKind } from './recorded-kinds.ts';

export const GAPS_FILE = 'gaps.csv';
export const GAPS_HEADER = 'exchange,symbol,type,from,to,reason,detail';

export type GapReason =
  /** The day had begun before the first start. */
  | 'not_started'
  /** Ended in order, and started again. */
  | 'stopped'
  /** Ended without a last commit, and started again. */
  | 'killed'
  /** The venue was unreachable, or its stream was interrupted. */
  | 'disconnected'
  /** The venue did not answer the queries of an instrument. */
  | 'unanswered'
  /** An instrument was not queried for longer than a reader takes for silence. */
  | 'slow'
  /** The venue counted trades that it did not publish to us. */
  | 'missed_trades'
  /** More arrived than could be written. */
  | 'overrun'
  /** The clock was set back. */
  | 'clock';

export interface Gap {
  /** Default: every instrument and kind. */
  readonly of?: { readonly symbol: string; readonly kinds: readonly RecordedKind[] } | undefined;
  /** Microseconds since the epoch. */
  readonly fromUs: number;
  readonly reason: GapReason;
  readonly detail: string;
}

/** One line for each kind; `*` means every one. */
export function gapLines(exchange: string, gap: Gap, toUs: number): readonly string[] {
  const { of, fromUs, reason, detail } = gap;
  const symbol = of?.symbol ?? '*';
  return (of?.kinds ?? ['*']).map((kind) =>
    [exchange, symbol, kind, fromUs, toUs, reason, plain(detail)].join(','),
  );
}

/** Messages of venues and systems as one field. */
const plain = (detail: string): string =>
  detail
    .replace(/[^\x20-\x7e]/g, ' ')
    .replaceAll(',', ';')
    .replaceAll('"', "'");
