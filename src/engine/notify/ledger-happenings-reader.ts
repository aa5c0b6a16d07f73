// Reads from the ledger what people are notified of: events out of the turn log, and settings of trading switches, each
// from where the last daemon that read them stopped. What a daemon decided just before it died is found this way too.
import type { Happening } from '../../core/notify/happening.ts';
import {
  NOTABLE_EVENTS,
  portfolioHappening,
  switchHappening,
} from '../../core/notify/ledger-happenings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NoticeOutbox } from '../../ports/notify/notice-outbox.ts';
import type { TurnEvents } from '../../ports/notify/turn-events.ts';
import type { SwitchRecords } from '../../ports/switch-records.ts';
import type { TurnLog } from '../../ports/turn-log.ts';
import { addressed, type NoticeRoute } from './notice-routes.ts';

export interface LedgerHappeningsOptions {
  readonly clock: Clock;
  readonly outbox: NoticeOutbox;
  readonly log: TurnLog;
  readonly events: TurnEvents;
  readonly switches: SwitchRecords;
  readonly routes: readonly NoticeRoute[];
}

const TURNS = 'turns';
const SWITCHES = 'switches';
const GROUPS_A_PAGE = 200;

export class LedgerHappeningsReader {
  readonly #parts: LedgerHappeningsOptions;

  constructor(parts: LedgerHappeningsOptions) {
    this.#parts = parts;
  }

  /** Records what is new; on the first call of a deployment nothing: what is past is not reported. */
  async read(): Promise<void> {
    await this.#readSwitches();
    await this.#readTurns();
  }

  async #readTurns(): Promise<void> {
    const { outbox, log, events } = this.#parts;
    const cursor = await outbox.cursor(TURNS);
    if (cursor === undefined) return await this.#begin();
    let position = BigInt(cursor);
    for (;;) {
      const groups = await log.groupsFrom(position, GROUPS_A_PAGE);
      if (groups === undefined) return await this.#begin(position);
      const fresh = groups.slice(1);
      const last = fresh.at(-1);
      if (last === undefined) return;
      const turns = fresh.flatMap((group) => group.turns);
      const found = await events.among(turns, NOTABLE_EVENTS);
      const happenings = found.flatMap((one) => portfolioHappening(one) ?? []);
      await this.#add(happenings, TURNS, String(last.position));
      position = last.position;
      if (groups.length < GROUPS_A_PAGE) return;
    }
  }

  /** The log is read from now on. */
  async #begin(lost?: bigint): Promise<void> {
    const { clock, log } = this.#parts;
    const newest = String(await log.newestPosition());
    const gap: Happening = {
      kind: 'unread',
      key: `unread/${lost}`,
      at: clock.now(),
      title: 'what happened to portfolios for a while was not looked at',
      detail: `the turn log no longer goes back to ${lost}; twapd list shows what has ended`,
    };
    await this.#add(lost === undefined ? [] : [gap], TURNS, newest);
  }

  async #readSwitches(): Promise<void> {
    const { outbox, switches } = this.#parts;
    const cursor = await outbox.cursor(SWITCHES);
    const settings = await switches.after(Number(cursor ?? 0));
    const number = settings.at(-1)?.number ?? Number(cursor ?? 0);
    if (cursor === undefined) await this.#add([], SWITCHES, String(number));
    else if (settings.length > 0) {
      await this.#add(settings.map(switchHappening), SWITCHES, String(number));
    }
  }

  async #add(happenings: readonly Happening[], source: string, position: string): Promise<void> {
    const { outbox, routes } = this.#parts;
    await outbox.add({
      happenings: happenings.map((one) => addressed(one, routes)),
      cursor: { source, position },
    });
  }
}
