// Strategies of a run that have cron schedules. The clock they go by is faster than that of the run and begins near a
// change of daylight-saving time, so that a run has hours of schedule in seconds. Every firing is judged by due instants
// of the judge's own: none at another instant, none early, none too late, none that a later one has replaced, and
// none left out while a daemon was there to fire it.

import type { Clock } from '../../../src/ports/clock.ts';
import { observing } from '../../../src/ports/observer.ts';
import { type Instant, instant, isoText, later } from '../../../src/values/instant.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { Asked } from '../own-books/asked.ts';
import type { Calm } from '../own-books/calm.ts';
import { dueMinutes } from '../own-books/own-cron.ts';
import type { SchedulePlan, SimulationPlan } from '../plan/plan.ts';
import { isMeant, strategyForm } from './strategy-form.ts';
import type { FiringPlan, FollowStrategies, StrategyOfLife } from './strategy-seam.ts';
import type { Trouble } from './trouble.ts';

/** From its due instant, or from a start, until a firing is submitted, in the time of the run. */
const FIRED_WITHIN_MS = 300;
/** Strategies fire for so long after healing. */
const AFTER_HEALING_MS = 3_000;
/** A due instant is on time for so long, whatever the grace. */
const ON_TIME_MS = 5_000;
/** The longest that a slow ledger or a process that stands still holds up a decision. */
const HELD_UP_MS = 4_000;
/** What was shown longer ago is not shown again. */
const SHOWN_AGAIN_MS = 3 * 3_600_000;

export interface ScheduleRunParts {
  readonly plan: SimulationPlan;
  readonly follow: FollowStrategies;
  readonly asked: Asked;
  readonly calm: Calm;
  readonly trouble: Trouble;
  readonly startAt: Instant;
  readonly clock: VirtualClock;
  readonly reportBreach: ReportBreach;
}

interface Scheduled {
  readonly firing: FiringPlan;
  /** On the clock of the schedules, in order. */
  readonly due: readonly number[];
  /** What is due after this is owed; absent before anybody has looked. */
  owedAfter: number | undefined;
}

interface Followed {
  readonly since: number;
  /** What its clock showed then, on the clock of the schedules. */
  readonly shown: number;
  readonly isOver: () => boolean;
}

export class ScheduleRun {
  readonly #parts: ScheduleRunParts;
  readonly #schedule: SchedulePlan;
  readonly #all: readonly Scheduled[];
  readonly #submitted = new Set<string>();
  /** When the portfolio of a firing became durable, by its note. */
  readonly #begun = new Map<string, number>();
  readonly #lives: Followed[] = [];
  /** In the time of the run. */
  readonly #closesAt: number;
  /** Until then a submit was under way or was answered that it cannot be done yet. */
  #busyUntil = 0;
  #underWay = 0;

  /** Absent where the plan has no schedules. */
  static of(parts: ScheduleRunParts): ScheduleRun | undefined {
    return parts.plan.schedule && new ScheduleRun(parts, parts.plan.schedule);
  }

  private constructor(parts: ScheduleRunParts, schedule: SchedulePlan) {
    this.#parts = parts;
    this.#schedule = schedule;
    const { startAt, plan, clock } = parts;
    const { zone, beginsAt, graceSec, crons } = schedule;
    this.#closesAt = startAt + plan.stormMs + AFTER_HEALING_MS;
    const until = this.#fast(this.#closesAt);
    this.#all = crons.map((cron, index) => {
      const name = `schedule-${index}`;
      const when = { cron, zone };
      const firing = { name, when, missedWithinMs: graceSec * 1_000, form: strategyForm(name) };
      const due = dueMinutes(when, beginsAt - SHOWN_AGAIN_MS, until);
      return { firing, due, owedAfter: undefined };
    });
    for (const one of this.#all) {
      for (const at of one.due) {
        const from = this.#slow(at);
        clock.at(instant(from + this.#withinMs), () => this.#judgeFired(one, at, from));
      }
    }
  }

  /** The life has started: it follows the schedules from now on. */
  begin(life: StrategyOfLife, onFailed: (where: string, error: unknown) => void): void {
    const since = this.#parts.clock.now();
    if (since >= this.#closesAt) return;
    const clock = this.#fastClock(life.clock);
    const { observer } = life;
    const lookedUp = new Map<string, number>();
    this.#lives.push({ since, shown: clock.now(), isOver: life.isOver });
    this.#parts.clock.at(later(since, this.#withinMs), () => this.#judgeMissed(since));
    this.#parts.follow(
      {
        ...life,
        clock,
        operations: this.#operations(life, clock),
        ledger: this.#ledger(life, lookedUp),
        observer: observing(
          {
            strategy_failed: ({ strategy, why }) => this.#judgeSkipped(strategy, why, lookedUp),
            failed: ({ where, error }) => {
              if (!isMeant(error)) onFailed(where, error);
            },
          },
          observer,
        ),
      },
      this.#all.map(({ firing }) => firing),
    );
  }

  /** The portfolio with this note is durable. */
  begun(note: string): void {
    this.#begun.set(note, this.#parts.clock.now());
  }

  get isDone(): boolean {
    return this.#parts.clock.now() >= this.#closesAt + this.#withinMs;
  }

  get #withinMs(): number {
    return FIRED_WITHIN_MS + this.#parts.plan.margins.skewMs;
  }

  /** What the clock of the schedules shows. */
  #fast(at: number): Instant {
    const { beginsAt, speed } = this.#schedule;
    return instant(Math.round(beginsAt + (at - this.#parts.startAt) * speed));
  }

  #slow(fast: number): number {
    const { beginsAt, speed } = this.#schedule;
    return this.#parts.startAt + Math.ceil((fast - beginsAt) / speed);
  }

  #fastClock(clock: Clock): Clock {
    return {
      now: () => this.#fast(clock.now()),
      monotonicMs: () => clock.monotonicMs(),
      at: (dueAt, then) => {
        const at = this.#slow(dueAt);
        return at >= this.#closesAt ? () => undefined : clock.at(instant(at), then);
      },
    };
  }

  /** What a strategy has owed since the first look at it is in the mark that is written then. */
  #ledger({ ledger }: StrategyOfLife, lookedUp: Map<string, number>): StrategyOfLife['ledger'] {
    return {
      findByKey: (key) => {
        const [name, at] = key.split(':').slice(-2);
        lookedUp.set(`${name}@${at}`, this.#parts.clock.now());
        return ledger.findByKey(key);
      },
      getMetadata: (name) => ledger.getMetadata(name),
      setMetadata: async (name, value) => {
        await ledger.setMetadata(name, value);
        for (const one of this.#all) {
          if (name.endsWith(`:${one.firing.name}`)) one.owedAfter ??= Number(value);
        }
      },
    };
  }

  #operations({ operations }: StrategyOfLife, clock: Clock): StrategyOfLife['operations'] {
    return {
      page: (query) => operations.page(query),
      submit: async (form, by, key) => {
        const note = this.#judgeSubmitted(form.customizedNote, key ?? '', clock.now());
        const noted = { ...form, customizedNote: note };
        this.#parts.asked.submit(noted);
        this.#underWay += 1;
        try {
          const outcome = await operations.submit(noted, by, key);
          this.#submitted.add(note);
          return outcome;
        } finally {
          this.#underWay -= 1;
          this.#busyUntil = this.#parts.clock.now();
        }
      },
    };
  }

  /** Called at the moment of the submit, with the submitter's clock. Returns the note of its portfolio. */
  #judgeSubmitted(name: string, key: string, now: number): string {
    const { trouble } = this.#parts;
    const at = Number(key.split(':').at(-1));
    const one = this.#all.find(({ firing }) => firing.name === name);
    trouble.note('schedule fired');
    if (one === undefined) return name;
    const reportBreach = (what: string): void => this.#reportBreach(one, at, what);
    const slackMs = this.#slackMs;
    const { missedWithinMs } = one.firing;
    if (!one.due.includes(at)) reportBreach('fires, and is not due then');
    else if (at > now + slackMs) reportBreach(`fires ${at - now} ms early`);
    else if (at < now - Math.max(missedWithinMs, ON_TIME_MS) - slackMs) {
      reportBreach(`fires ${now - at} ms late, with a grace of ${missedWithinMs} ms`);
    }
    const newer = one.due.find((other) => other > at && other <= now - slackMs);
    if (newer !== undefined) reportBreach(`fires after ${isoText(instant(newer))} was due`);
    if (at < now - ON_TIME_MS) trouble.note('missed schedule fired');
    return `${name}@${at}`;
  }

  /** Between the look at the clock and the submit, on the clock of the schedules. */
  get #slackMs(): number {
    const { plan } = this.#parts;
    const isHeldUp = plan.faults.some(
      ({ kind }) => kind.startsWith('ledger_') || kind === 'process_stops',
    );
    const isStepped = plan.acts.some(({ kind }) => kind === 'step_clock');
    const heldUpMs = isHeldUp || plan.strategies !== undefined ? HELD_UP_MS : 0;
    return (heldUpMs + (isStepped ? plan.margins.skewMs : 0)) * this.#schedule.speed;
  }

  /** After a start: of what was due meanwhile the latest fires, where its grace allows it. */
  #judgeMissed(from: number): void {
    const skewMs = this.#parts.plan.margins.skewMs * this.#schedule.speed;
    const now = this.#fast(from);
    for (const one of this.#all) {
      const at = one.due.findLast((due) => due <= now);
      const until = now + FIRED_WITHIN_MS * this.#schedule.speed + 2 * skewMs;
      const isReplaced = one.due.some((due) => due > now && due <= until);
      const { missedWithinMs } = one.firing;
      if (at === undefined || isReplaced || until - at > missedWithinMs) continue;
      this.#judgeFired(one, at, from);
    }
  }

  #judgeFired(one: Scheduled, at: number, from: number): void {
    const { calm, clock, trouble } = this.#parts;
    const { firing, owedAfter } = one;
    if (clock.now() >= this.#closesAt || owedAfter === undefined || at <= owedAfter) return;
    const isFollowed = this.#lives.some(({ since, isOver }) => since <= from && !isOver());
    // A daemon whose clock is ahead has come to it earlier.
    const earliest = from - this.#parts.plan.margins.skewMs;
    const isUntroubled = calm.isUntroubledSince(earliest);
    const isFree = this.#underWay === 0 && this.#busyUntil < from && isUntroubled;
    const isFired = this.#submitted.has(`${firing.name}@${at}`);
    const isOwed = isFollowed && isFree && !this.#isGivenUp(one, at);
    if (isFired || isOwed) trouble.note('schedule judged');
    if (!isFired && isOwed) this.#reportBreach(one, at, 'does not fire');
  }

  /** What is reported as skipped has no portfolio, as far as the ledger could show it when it was last looked up. */
  #judgeSkipped(name: string, why: string, lookedUp: ReadonlyMap<string, number>): void {
    const [, when] = /^was due at (\S+) and was skipped/.exec(why) ?? [];
    const one = this.#all.find(({ firing }) => firing.name === name);
    const at = one?.due.find((due) => isoText(instant(due)) === when);
    if (one === undefined || at === undefined) return;
    this.#parts.trouble.note('schedule skipped');
    const note = `${name}@${at}`;
    const begunAt = this.#begun.get(note);
    if (begunAt !== undefined && begunAt < (lookedUp.get(note) ?? Number.POSITIVE_INFINITY)) {
      this.#reportBreach(one, at, 'is reported as skipped and has its portfolio');
    }
  }

  /**
   * A life that begins when the grace is over by its own clock gives the instant up for all daemons, even where another
   * one's clock has not reached it: on the fast clock they are further apart than an instant counts as on time.
   */
  #isGivenUp({ firing }: Scheduled, at: number): boolean {
    const graceMs = Math.max(firing.missedWithinMs, ON_TIME_MS);
    const until = this.#slow(at) + this.#parts.plan.margins.skewMs;
    return this.#lives.some(({ since, shown }) => since <= until && shown - at > graceMs);
  }

  #reportBreach({ firing }: Scheduled, at: number, what: string): void {
    const { cron, zone } = this.#cronOf(firing);
    const when = isoText(instant(at));
    this.#parts.reportBreach('strategies', `${firing.name} (${cron}, ${zone}) at ${when} ${what}`);
  }

  #cronOf({ when }: FiringPlan): { readonly cron: string; readonly zone: string } {
    return typeof when === 'number' ? { cron: 'once', zone: 'UTC' } : when;
  }
}
