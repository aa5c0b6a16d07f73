// Mutants of the schedules of strategies: daylight-saving changes, time zones, and what was missed while no process ran.
import { type Mutant, one } from './mutant.ts';

const SCHEDULE = 'src/main/strategy';

/** What keeps strategies to their schedules. */
export const SCHEDULES: readonly Mutant[] = [
  one(
    'repeated-time-fires-twice',
    'a local time shown twice fires twice, a skipped one never',
    [
      `${SCHEDULE}/strategy-schedule.ts`,
      'return [firstInstantFrom(wall, zone)];',
      'return instantsShowing(wall, zone);',
    ],
    200,
  ),
  one(
    'hours-counted-once',
    'an hourly schedule goes by local time across clock changes',
    [
      `${SCHEDULE}/strategy-schedule.ts`,
      'if (followsHours) return instantsShowing(wall, zone);',
      'if (followsHours && wall < 0) return instantsShowing(wall, zone);',
    ],
    500,
  ),
  one(
    'schedules-in-utc',
    'a schedule goes by UTC, whatever its zone',
    [
      `${SCHEDULE}/strategy-schedule.ts`,
      'function nextCron({ cron, zone, holidays }: CronSchedule, after: Instant): Instant | undefined {',
      "function nextCron({ cron, holidays }: CronSchedule, after: Instant): Instant | undefined {\n  const zone = 'UTC';",
    ],
    50,
  ),
  one(
    'grace-without-end',
    'a due instant fires however long ago it was missed',
    [
      `${SCHEDULE}/strategy-runner.ts`,
      'const tooOld = later(now, -Math.max(missedWithinMs, ON_TIME_MS) - 1);',
      'const tooOld = later(now, -Math.max(missedWithinMs, ON_TIME_MS) - 86_400_000);',
    ],
    500,
  ),
  one(
    'missed-and-let-go',
    'an instant missed while no daemon was up never fires',
    [
      `${SCHEDULE}/strategy-runner.ts`,
      'const tooOld = later(now, -Math.max(missedWithinMs, ON_TIME_MS) - 1);',
      'const tooOld = later(now, -ON_TIME_MS - 1);\n  if (first <= tooOld) return { missed: first, next: nextDue(schedule, now) };',
    ],
    500,
  ),
  one(
    'first-missed-fires',
    'of several missed instants the first one fires',
    [`${SCHEDULE}/strategy-runner.ts`, 'fire = next;', 'fire ??= next;'],
    500,
  ),
  one(
    'cursor-forgotten-at-start',
    'a restarted daemon owes nothing of its downtime',
    [`${SCHEDULE}/strategy-runner.ts`, 'if (mark !== undefined) return instant(Number(mark));', ''],
    500,
  ),
  one(
    'firing-under-a-new-key',
    'a strategy that is retried is submitted under another key',
    [
      `${SCHEDULE}/strategy-runner.ts`,
      'const key = firingKey(strategy.name, due.fire);',
      'const key = firingKey(strategy.name, now);',
    ],
    500,
  ),
].map((mutant) => ({ ...mutant, profile: 'schedules' }));
