// Cancels everything that a tripped group has open: first the orders this process knows of, at once and in
// parallel, then periodically whatever the venue still lists, for as long as the freeze lasts. Nothing here waits
// for the ledger, because a redundant cancel does no harm.
import type { MmpPlace } from '../../core/mmp/mmp-state.ts';
import { Delays } from '../../lifetime/delays.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import { Semaphore } from '../../lifetime/semaphore.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MmpOf } from '../../ports/mmp-records.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Venue } from '../../ports/venue.ts';
import type { AccountId, OrderId } from '../../values/ids.ts';
import { type FlaggedOrder, isOpenOrder, type MmpBook } from './mmp-book.ts';
import type { MmpGroups } from './mmp-groups.ts';
import { cancelFrozenQuotes } from './mmp-quotes.ts';

export interface MmpMassCancelOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly book: MmpBook;
  readonly groups: MmpGroups;
  readonly venueOf: (account: AccountId) => Venue | undefined;
  /** Whether orders or quotes of this group and index are blocked now. */
  readonly isFrozen: (of: MmpOf, place: MmpPlace) => boolean;
}

/** An order of a frozen group, whatever its size. */
type CancelledOrder = Pick<FlaggedOrder, 'account' | 'orderId' | 'index' | 'group'>;

/** The maximum number of cancels in flight at once, over all accounts. */
const CANCELS_MAX = 256;
const LOOK_REST_MS = 250;
const LOOK_REST_MAX_MS = 5_000;

export class MmpMassCancel {
  readonly #parts: MmpMassCancelOptions;
  readonly #cancels = new Semaphore(CANCELS_MAX);
  /** Orders whose cancel is in flight. */
  readonly #underWay = new Set<OrderId>();
  /** Accounts and kinds with a mass cancel in progress. */
  readonly #cancelling = new Set<string>();
  readonly #delays: Delays;
  readonly #work = new InFlight();
  #stopped = false;

  constructor(parts: MmpMassCancelOptions) {
    this.#parts = parts;
    this.#delays = new Delays(parts.clock);
  }

  /** Resolves when no cancel and no query is in flight. */
  drain(): Promise<void> {
    this.stop();
    return this.#work.idle();
  }

  stop(): void {
    this.#stopped = true;
    this.#delays.end();
  }

  /** `tripped` has just been frozen; the first cancels are sent before this returns. */
  trip(of: MmpOf, tripped: MmpPlace): void {
    const fromMs = this.#parts.clock.monotonicMs();
    void this.#guarded(
      of.kind === 'order'
        ? this.#tripOrders(of, tripped, fromMs)
        : this.#tripQuotes(of, tripped, fromMs),
    );
  }

  /** Cancels an open order of a frozen group, whichever process placed it. */
  cancelOrder(order: CancelledOrder): void {
    void this.#guarded(this.#cancel(order));
  }

  async #tripOrders(of: MmpOf, tripped: MmpPlace, fromMs: number): Promise<void> {
    const { book, observer, clock } = this.#parts;
    const known = book.ofAccount(of.account).filter((order) => this.#isFrozen(order));
    let sentMs = 0;
    await Promise.all(
      known.map((order) =>
        this.#cancel(order, () => {
          sentMs = clock.monotonicMs() - fromMs;
        }),
      ),
    );
    observer.observe({ event: 'mmp_swept', ...of, ...tripped, orders: known.length, sentMs });
    await this.cancelRemaining(of);
  }

  async #tripQuotes(of: MmpOf, tripped: MmpPlace, fromMs: number): Promise<void> {
    const { observer, clock } = this.#parts;
    const orders = await this.#cancelQuotes(of);
    observer.observe({
      event: 'mmp_swept',
      ...of,
      ...tripped,
      orders,
      sentMs: clock.monotonicMs() - fromMs,
    });
    await this.cancelRemaining(of);
  }

  /** Queries the venue until nothing frozen is open. */
  cancelRemaining(of: MmpOf): Promise<void> {
    return this.#work.track(this.#cancelUntilNone(of));
  }

  async #cancelUntilNone(of: MmpOf): Promise<void> {
    const key = `${of.kind} ${of.account}`;
    if (this.#cancelling.has(key)) return;
    this.#cancelling.add(key);
    try {
      let restMs = LOOK_REST_MS;
      while (!this.#stopped && !(await this.#isClean(of))) {
        await this.#delays.wait(restMs);
        restMs = Math.min(2 * restMs, LOOK_REST_MAX_MS);
      }
    } finally {
      this.#cancelling.delete(key);
    }
  }

  async #isClean(of: MmpOf): Promise<boolean> {
    try {
      const found =
        of.kind === 'order' ? await this.#cancelShown(of) : await this.#cancelQuotes(of);
      return found === 0;
    } catch (error) {
      this.#parts.observer.observe({ event: 'failed', where: 'mmp.sweep', error });
      return false;
    }
  }

  /** Cancels and returns the number of orders of frozen groups that the venue had open. */
  async #cancelShown({ account }: MmpOf): Promise<number> {
    const { venueOf, groups } = this.#parts;
    const venue = venueOf(account);
    if (venue === undefined) return 0;
    const open = await venue.openOrders({ account });
    if (open.kind !== 'done') {
      const why = open.kind === 'refused' ? `${open.code} ${open.message}` : open.reason;
      throw new Error(`open orders of ${account} cannot be read: ${why}`);
    }
    const cancels: Promise<void>[] = [];
    for (const { orderId, instrument, label, mmp, state } of open.value) {
      const terms = mmp && isOpenOrder({ state }) ? venue.market.instrument(instrument) : undefined;
      if (terms === undefined) continue;
      const order = { account, orderId, index: terms.indexName, group: await groups.of(label) };
      if (this.#isFrozen(order)) cancels.push(this.#cancel(order));
    }
    await Promise.all(cancels);
    return cancels.length;
  }

  async #cancelQuotes(of: MmpOf): Promise<number> {
    const venue = this.#parts.venueOf(of.account);
    const { rfqs } = venue ?? {};
    if (venue === undefined || rfqs === undefined) return 0;
    return await cancelFrozenQuotes({
      venue,
      rfqs,
      account: of.account,
      isFrozen: (place) => this.#parts.isFrozen(of, place),
    });
  }

  #isFrozen({ account, index, group }: CancelledOrder): boolean {
    return this.#parts.isFrozen({ account, kind: 'order' }, { index, group });
  }

  /** Sends one cancel per order at a time; if no reply comes, the next check retries. */
  async #cancel({ account, orderId }: CancelledOrder, sent?: () => void): Promise<void> {
    if (this.#underWay.has(orderId)) return;
    this.#underWay.add(orderId);
    const { venueOf, book } = this.#parts;
    try {
      const venue = venueOf(account);
      if (venue === undefined) return;
      const reply = await this.#cancels.run(() => {
        const answer = venue.cancel({ account, of: { orderId }, reason: 'mmp_trigger' });
        sent?.();
        return answer;
      });
      if (reply.kind === 'done') book.close(account, orderId);
    } finally {
      this.#underWay.delete(orderId);
    }
  }

  async #guarded(work: Promise<void>): Promise<void> {
    try {
      await this.#work.track(work);
    } catch (error) {
      this.#parts.observer.observe({ event: 'failed', where: 'mmp.sweep', error });
    }
  }
}
