// The newest backup of the ledger, once it is too old. A ledger of which none was ever taken is backed up in another way.
import type { Happening } from '../../core/notify/happening.ts';
import { DAY_MS, type Instant, instant, isoText, later, MINUTE_MS } from '../../values/instant.ts';

export class OldBackup {
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
