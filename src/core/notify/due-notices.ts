// Which of the waiting notices of a channel are sent now, as one message: what is urgent at once, the rest together after
// a while, outside quiet hours; a channel that has said enough in a minute waits.
import { type Instant, instant, later, MINUTE_MS } from '../../values/instant.ts';
import { wallTimeAt } from '../../values/wall-time.ts';
import { isBlackout } from '../terms/blackout-windows.ts';
import type { DailyWindow } from '../terms/execution.ts';
import type { Happening, HappeningKind } from './happening.ts';

/** A happening that a channel has not reported yet. */
export interface WaitingNotice {
  /** Of the happening; in the order in which they were recorded. */
  readonly number: number;
  readonly happening: Happening;
}

export interface ChannelRules {
  /** Reported; anything else is left out. */
  readonly happenings: readonly HappeningKind[];
  /** Reported at once, also in quiet hours. */
  readonly urgent: readonly HappeningKind[];
  /** For how long anything else is collected into one message. */
  readonly digestMs: number;
  readonly perMinuteMax: number;
  readonly quietHours: readonly QuietHours[];
}

/** A window of each day in a zone. */
export interface QuietHours {
  readonly window: DailyWindow;
  readonly zone: string;
}

export interface DueQuery {
  readonly rules: ChannelRules;
  readonly now: Instant;
  /** When the last messages were sent. */
  readonly sentAt: readonly Instant[];
}

export function dueNotices(
  waiting: readonly WaitingNotice[],
  { rules, now, sentAt }: DueQuery,
): readonly WaitingNotice[] {
  const lately = sentAt.filter((at) => at > later(now, -MINUTE_MS));
  if (lately.length >= rules.perMinuteMax) return [];
  const isUrgent = ({ happening }: WaitingNotice): boolean => rules.urgent.includes(happening.kind);
  const urgent = waiting.filter(isUrgent);
  const isQuiet = rules.quietHours.some(({ window, zone }) =>
    isBlackout([window], instant(wallTimeAt(now, zone))),
  );
  if (isQuiet) return urgent;
  if (urgent.length > 0) return waiting;
  const isRipe = waiting.some(({ happening }) => later(happening.at, rules.digestMs) <= now);
  return isRipe ? waiting : [];
}
