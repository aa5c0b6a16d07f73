// The notifications of a daemon: records what it observes, and, while it is the one of its deployment that does so, reads
// the ledger and sends. Works by itself, apart from what trades.

import type { Happening } from '../../core/notify/happening.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import { PeriodicTask } from '../../lifetime/periodic-task.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NoticeOutbox } from '../../ports/notify/notice-outbox.ts';
import type { FollowStates, Observer } from '../../ports/observer.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import {
  DAY_MS,
  HOUR_MS,
  type Instant,
  instant,
  isoText,
  later,
  MINUTE_MS,
} from '../../values/instant.ts';
import { AbsentVenues } from './absent-venues.ts';
import type { LedgerHappeningsReader } from './ledger-happenings-reader.ts';
import type { NoticeCourier } from './notice-courier.ts';
import type { ObservedHappenings } from './observed-happenings.ts';
import { UnknownOutcomes } from './unknown-outcomes.ts';

export interface NotificationsOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly outbox: NoticeOutbox;
  /** Name of this daemon among those of the deployment. */
  readonly member: string;
  readonly observed: ObservedHappenings;
  readonly reader: LedgerHappeningsReader;
  readonly courier: NoticeCourier;
  readonly venues: Pick<VenueDirectory, 'all'>;
  readonly follow: FollowStates;
  readonly unknownAfterMs: number;
  readonly venueAwayMs: number;
  /** When the newest backup of the ledger was taken; `undefined` if none was. */
  readonly newestBackup: () => Promise<Instant | undefined>;
  readonly backupOldMs: number;
}

const POLL_EVERY_MS = 1_000;
/** Longer than any channel takes to send, so that nothing is sent twice when another daemon takes over. */
const LEAD_MS = 20_000;
const KEPT_MS = 7 * DAY_MS;

export class Notifications implements Lifetime {
  readonly #parts: NotificationsOptions;
  readonly #unknown: UnknownOutcomes;
  readonly #absent: AbsentVenues;
  readonly #backup: OldBackup;
  readonly #polls: PeriodicTask;
  readonly #unfollow: () => void;
  #forgetAt: Instant;

  constructor(parts: NotificationsOptions) {
    this.#parts = parts;
    this.#unknown = new UnknownOutcomes(parts.unknownAfterMs);
    this.#absent = new AbsentVenues(parts.venueAwayMs);
    this.#backup = new OldBackup(parts.backupOldMs);
    this.#unfollow = parts.follow(this.#unknown.changed);
    this.#forgetAt = later(parts.clock.now(), HOUR_MS);
    this.#polls = new PeriodicTask({
      clock: parts.clock,
      observer: parts.observer,
      everyMs: POLL_EVERY_MS,
      where: 'notify',
      what: () => this.poll(),
    });
  }

  start(): Promise<void> {
    return this.#polls.start();
  }

  /** Records what is known and lets another daemon take over. */
  async drain(): Promise<void> {
    this.stop();
    await this.#polls.drain();
    const { observed, outbox, observer, member, courier } = this.#parts;
    await courier.idle();
    try {
      await observed.record(outbox);
      await outbox.leave(member);
    } catch (error) {
      observer.observe({ event: 'failed', where: 'notify', error });
    }
  }

  stop(): void {
    this.#unfollow();
    this.#polls.stop();
  }

  async poll(): Promise<void> {
    const { clock, observed, outbox, member, reader, courier, venues, newestBackup } = this.#parts;
    const now = clock.now();
    for (const one of this.#absent.check(venues.all(), now)) observed.note(one);
    for (const one of this.#unknown.check(now)) observed.note(one);
    for (const one of await this.#backup.check(newestBackup, now)) observed.note(one);
    await observed.record(outbox);
    if (!(await outbox.lead(member, LEAD_MS))) return;
    await reader.read();
    courier.send();
    if (now < this.#forgetAt) return;
    this.#forgetAt = later(now, HOUR_MS);
    await outbox.forget(later(now, -KEPT_MS));
  }
}

/** The newest backup of the ledger, once it is too old. A ledger of which none was ever taken is backed up in another way. */
class OldBackup {
  readonly #afterMs: number;
  #checkAt: Instant = instant(0);

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /**
   * What there is to report; reads the instant of the newest backup once a minute, or more often if it may not be older.
   * The same backup is reported again after a day.
   */
  async check(
    newest: () => Promise<Instant | undefined>,
    now: Instant,
  ): Promise<readonly Omit<Happening, 'at'>[]> {
    if (now < this.#checkAt) return [];
    const takenAt = await newest();
    this.#checkAt = later(now, Math.min(MINUTE_MS, this.#afterMs));
    if (takenAt === undefined || now < later(takenAt, this.#afterMs)) return [];
    const key = `backup_old/${isoText(takenAt)}`;
    const title = `the newest backup of the ledger is of ${isoText(takenAt)}`;
    const detail = 'what was committed since would be lost with the database';
    return [{ kind: 'backup_old', key, title, detail, againAfterMs: DAY_MS }];
  }
}
