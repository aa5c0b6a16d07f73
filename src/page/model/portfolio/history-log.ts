// The history of a portfolio as a log, newest first: what happened in one second stands below its time, and days are named where
// they change.
import { dateText, timeText } from '../formatting.ts';
import { amendmentRow, type HistoryEvent, historyText } from './sentences.ts';

export interface LogLine {
  readonly version: number;
  readonly text: string;
  readonly tone: 'bad' | 'strong' | 'plain';
}

export interface LogEntry {
  /** Of the first line. */
  readonly version: number;
  /** Empty: that of the entry before. */
  readonly day: string;
  readonly time: string;
  readonly lines: readonly LogLine[];
}

const BAD = [
  'PORTFOLIO_SLICE_MISSED',
  'PORTFOLIO_ORDER_REJECTED',
  'PORTFOLIO_HEDGE_OPEN',
  'PORTFOLIO_FAILED',
];
/** Done by people, or the end. */
const STRONG = [
  'PORTFOLIO_SUBMITTED',
  'PORTFOLIO_PAUSED',
  'PORTFOLIO_RESUMED',
  'PORTFOLIO_AMENDED',
  'PORTFOLIO_FILLED',
  'PORTFOLIO_CANCELLING',
  'PORTFOLIO_CANCELLED',
];

/** `historyEvents`: in order. */
export function logOf(historyEvents: readonly HistoryEvent[]): readonly LogEntry[] {
  const entries: (LogEntry & { readonly lines: LogLine[] })[] = [];
  let [day, time] = ['', ''];
  for (const one of historyEvents.toReversed()) {
    const at = Number(one.timestamp);
    const [ownDay, ownTime] = [dateText(at), timeText(at)];
    const line = lineOf(one);
    if (ownDay === day && ownTime === time) {
      entries.at(-1)?.lines.push(line);
      continue;
    }
    entries.push({
      version: one.version,
      day: ownDay === day ? '' : ownDay,
      time: ownTime,
      lines: [line],
    });
    [day, time] = [ownDay, ownTime];
  }
  return entries;
}

function lineOf(one: HistoryEvent): LogLine {
  const { version, messageType } = one;
  if (BAD.includes(messageType)) return { version, text: historyText(one), tone: 'bad' };
  const tone = STRONG.includes(messageType) ? 'strong' : 'plain';
  if (messageType !== 'PORTFOLIO_AMENDED') return { version, text: historyText(one), tone };
  const { by, changes } = amendmentRow(one);
  return { version, text: `Amended by ${by}: ${changes.join('; ')}.`, tone };
}
