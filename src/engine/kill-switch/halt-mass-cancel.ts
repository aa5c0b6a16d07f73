// Runs the mass cancel of a halt: cancels every order of the affected accounts at once, then queries the venues
// until none is open. Cancels are not delayed or blocked by anything.
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import type { Delays } from '../../lifetime/delays.ts';
import type { RfqReads } from '../../ports/block-rfq.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import { type AccountId, accountId } from '../../values/ids.ts';

export interface HaltMassCancelOptions {
  readonly venues: VenueDirectory;
  readonly clock: Clock;
  readonly observer: Observer;
  /** Whether the halt is still in force; the mass cancel ends once it is lifted. */
  readonly isHalted: (account: AccountId) => boolean;
  readonly delays: Delays;
  /** Which accounts in the scope of the halt are meant. */
  readonly isMeant: (account: AccountId) => boolean;
}

interface Place {
  readonly account: AccountId;
  readonly venue: Venue;
}

interface Swept {
  readonly orders: number;
  readonly left: number;
}

/**
 * Orders in flight at the halt may still arrive, so the query is repeated after these delays, the last one
 * indefinitely.
 */
const LOOK_AGAIN_MS = [100, 200, 500, 1_000, 5_000] as const;

/** So many queries in, orders that are still open are reported. */
const REPORTED_AFTER = LOOK_AGAIN_MS.length;

/** More open RFQs than a taker may have. */
const OPEN_RFQS_MAX = 1_000;

export class HaltMassCancel {
  readonly #parts: HaltMassCancelOptions;
  /** Accounts of which it is not known whether quotes or pending accepts are left. */
  readonly #unproved = new Set<AccountId>();

  constructor(parts: HaltMassCancelOptions) {
    this.#parts = parts;
  }

  /**
   * Runs for a halt of the deployment or of an account, learned of at `fromMs`; portfolios and strategies cancel
   * their own orders. Resolves when the venues report no open orders, or when the halt is lifted. Orders that are still
   * open after several queries are reported meanwhile, once: a halt may last for hours.
   */
  async sweep({ scope, of }: SwitchSetting, fromMs: number): Promise<void> {
    const { clock, observer } = this.#parts;
    const places = this.#placesOf(scope, of);
    if (places.length === 0) return;
    let left = await this.#cancelAll(places);
    const sentMs = clock.monotonicMs() - fromMs;
    // What waited in a speed bump when it was cancelled may still fill, and need not be listed: nothing is proved before.
    await this.#parts.delays.wait(SPEED_BUMP_MS);
    let [orders, looks, proofs, isReported] = [left.orders, 0, 0, false];
    // Query once more after the first empty reply: orders sent just before the halt may appear a little later.
    while (proofs < 2 && places.some(({ account }) => this.#parts.isHalted(account))) {
      left = await this.#cancelOpen(places);
      orders += left.orders;
      if (left.left === 0 && proofs === 0) {
        const provedMs = clock.monotonicMs() - fromMs;
        observer.observe({ event: 'orders_swept', scope, orders, sentMs, provedMs, left: 0 });
      }
      proofs = left.left === 0 ? proofs + 1 : 0;
      if (left.left > 0 && looks >= REPORTED_AFTER && !isReported) {
        observer.observe({ event: 'orders_swept', scope, orders, sentMs, left: left.left });
        isReported = true;
      }
      if (proofs < 2) await this.#parts.delays.wait(delayMs(looks));
      looks += 1;
    }
    if (proofs === 0 && !isReported)
      observer.observe({ event: 'orders_swept', scope, orders, sentMs, left: left.left });
  }

  #placesOf(scope: SwitchSetting['scope'], of: string): readonly Place[] {
    const { venues, isMeant } = this.#parts;
    const accounts =
      scope === 'account'
        ? [accountId(of)]
        : scope === 'deployment'
          ? (venues.accounts?.() ?? [])
          : [];
    return accounts.filter(isMeant).flatMap((account) => {
      const venue = venues.forAccount(account);
      return venue === undefined ? [] : [{ account, venue }];
    });
  }

  async #cancelAll(places: readonly Place[]): Promise<Swept> {
    const counts = await Promise.all(places.map((place) => this.#cancelled(place)));
    // Only a query can show that none is left.
    return { orders: counts.reduce((sum, count) => sum + count, 0), left: 1 };
  }

  async #cancelled({ account, venue }: Place): Promise<number> {
    const { rfqs } = venue;
    const [orders, quotes, accepts] = await Promise.all([
      ordersCancelled({ account, venue }),
      rfqs?.cancelQuotes({ account }) ?? NOTHING_LEFT,
      rfqs === undefined ? NOTHING_LEFT : cancelPendingAccepts(rfqs, account),
    ]);
    this.#noteFailed(`orders of ${account}`, orders);
    this.#noteFailed(`quotes of ${account}`, quotes);
    this.#noteFailed(`accepts of ${account} that wait for quotes`, accepts);
    if (mayHaveLeft(quotes) || mayHaveLeft(accepts)) this.#unproved.add(account);
    else this.#unproved.delete(account);
    return orders.kind === 'done' ? orders.value : 0;
  }

  #noteFailed(what: string, reply: Reply<number>): void {
    if (reply.kind === 'done') return;
    const why = reply.kind === 'refused' ? reply.message : reply.reason;
    const error = new Error(`${what} could not be cancelled: ${why}`);
    this.#parts.observer.observe({ event: 'failed', where: 'halt', error });
  }

  /** Cancels what is still open; a missing reply counts as one order left. */
  async #cancelOpen(places: readonly Place[]): Promise<Swept> {
    const swept = await Promise.all(
      places.map(async (place): Promise<Swept> => {
        const { account, venue } = place;
        const open = await venue.openOrders({ account });
        const isProved = !this.#unproved.has(account);
        const left = open.kind === 'done' ? open.value.length : 1;
        if (left === 0 && isProved) return { orders: 0, left };
        return { orders: await this.#cancelled(place), left: Math.max(1, left) };
      }),
    );
    return {
      orders: swept.reduce((sum, one) => sum + one.orders, 0),
      left: swept.reduce((sum, one) => sum + one.left, 0),
    };
  }
}

const delayMs = (looks: number): number =>
  LOOK_AGAIN_MS[Math.min(looks, LOOK_AGAIN_MS.length - 1)] ?? 0;

/** A venue that does not support cancel reasons must not keep the orders because of one. */
async function ordersCancelled({ account, venue }: Place): Promise<Reply<number>> {
  const reply = await venue.cancelAll({ account, reason: 'risk_mitigation' });
  return reply.kind === 'refused' ? venue.cancelAll({ account }) : reply;
}

const NOTHING_LEFT: Reply<number> = { kind: 'done', value: 0 };

/** A request that is refused for good, such as where the account has no Block RFQs, leaves nothing. */
const mayHaveLeft = (reply: Reply<number>): boolean =>
  reply.kind === 'unknown' || (reply.kind === 'refused' && reply.class === 'later');

/**
 * Cancels the accepts of Block RFQs that wait for quotes, each of which would trade without further confirmation, and
 * returns their number.
 */
export async function cancelPendingAccepts(
  rfqs: RfqReads,
  account: AccountId,
): Promise<Reply<number>> {
  const query = { account, role: 'taker', status: 'open', count: OPEN_RFQS_MAX } as const;
  const found = await rfqs.rfqs(query);
  if (found.kind !== 'done') return found;
  const waiting = found.value.rfqs.filter(({ triggers }) =>
    triggers.some(({ state }) => state === 'untriggered'),
  );
  const asked = waiting.map(({ id: rfqId }) => rfqs.cancelTrigger({ account, rfqId }));
  for (const reply of await Promise.all(asked)) if (reply.kind === 'unknown') return reply;
  return { kind: 'done', value: waiting.length };
}

/**
 * How long a venue may hold an order back before it matches: Deribit's speed bump, the longest of the venues known here. An
 * order that is cancelled meanwhile may still fill at the end of it.
 */
const SPEED_BUMP_MS = 10;
