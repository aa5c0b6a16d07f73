// Which long tasks come first. `test/long/last-runs.json` says when each passed last; `npm run test:long -- --record` writes it, and
// it is committed, so that a fresh clone knows it too. What has not passed within a week comes before the rest, each in the order of
// their days. A fresh clone cannot write the file for the next one: at which task of the two lists a run begins is chosen by
// the commit, so that runs of different commits do not all begin with the same one.
import type { Task } from './tasks.ts';

export interface LastRun {
  /** Of the last pass, as in 2026-11-29. */
  readonly day: string;
  readonly seconds: number;
}

/** By the names of tasks; one that is not among them is not known to have passed. */
export type LastRuns = Readonly<Record<string, LastRun>>;

const FRESH_DAYS = 7;
const DAY_MS = 86_400_000;

export interface Turn {
  readonly lastRuns: LastRuns;
  /** As in 2026-11-29. */
  readonly today: string;
  readonly commit: number;
}

export function inTurn(tasks: readonly Task[], turn: Turn): readonly Task[] {
  const { lastRuns, today, commit } = turn;
  const dayOf = ({ name }: Task): string => lastRuns[name]?.day ?? '';
  const freshFrom = Date.parse(today) - FRESH_DAYS * DAY_MS;
  // A date that is none, like that of a task that never ran, is not fresh.
  const isFresh = (task: Task): boolean => Date.parse(dayOf(task)) > freshFrom;
  const byDay = tasks.toSorted((a, b) => (dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : 0));
  return [
    ...rotated(
      byDay.filter((task) => !isFresh(task)),
      commit,
    ),
    ...rotated(byDay.filter(isFresh), commit),
  ];
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const from = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
}
