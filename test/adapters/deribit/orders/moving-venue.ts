// The order queries of a venue whose orders move while they are requested: they are accepted, fill, close, and pass from the
// recent history to the old one. Time passes with each read, by a minute; reads can fail.
import type { RoundReads } from '../../../../src/adapters/deribit/orders/reconcile-rounds.ts';
import type { OrderRecord, TradeRecord } from '../../../../src/core/order/order-record.ts';
import type { Reply } from '../../../../src/ports/trading-desk.ts';
import { quantity } from '../../../../src/values/amounts.ts';
import { type InstrumentName, orderId, tradeId } from '../../../../src/values/ids.ts';
import { type Instant, later } from '../../../../src/values/instant.ts';
import { orderRecord, tradeRecord } from '../../../support/engine/venue-records.ts';
import { ACCOUNT, NOON } from '../../paper/paper-stage.ts';

/** What happens to an order; times are minutes, `Infinity` is never. */
export interface Life {
  readonly id: number;
  readonly label: string;
  readonly instrument: InstrumentName;
  readonly acceptedAt: number;
  readonly closedAt: number;
  /** When it passes into the old history. */
  readonly agedAt: number;
  readonly fills: readonly number[];
  /** Whether the look-up by label knows it until it has aged. */
  readonly isLookedUp: boolean;
  /** How long after it closed the recent history shows it. */
  readonly historyLag: number;
  readonly tradesAreListed: 'everywhere' | 'by order' | 'nowhere';
}

export interface MovingVenueOptions {
  readonly lives: readonly Life[];
  /** Whether time passes with each read. */
  readonly isMoving?: boolean;
  /** Passes before and after each read. */
  readonly pause?: () => Promise<unknown>;
  /** By the number of the read, from 1, and its name. */
  readonly isFailing?: (nth: number, read: string) => boolean;
}

export const DOWN = { kind: 'unknown', reason: 'the line is down' } as const;
const FILL = 10;
const ORDERS_PER_PAGE = 3;
const TRADES_PER_PAGE = 7;

const minute = (at: number, plusMs = 0): Instant => later(NOON, at * 60_000 + plusMs);

export class MovingVenue implements RoundReads {
  readonly #options: MovingVenueOptions;
  readonly #trades: readonly (TradeRecord & { readonly of: Life; readonly minute: number })[];
  now = 0;
  /** The names of the reads, in the order in which they were answered. */
  readonly reads: string[] = [];

  constructor(options: MovingVenueOptions) {
    this.#options = options;
    this.#trades = options.lives
      .flatMap((of) => of.fills.map((filledAt) => ({ of, minute: filledAt })))
      .sort((a, b) => a.minute - b.minute)
      .map(({ of, minute: filledAt }, n) => ({
        ...tradeRecord({ tradeId: tradeId(String(n)), tradeSeq: n, label: of.label }),
        orderId: orderId(String(of.id)),
        instrument: of.instrument,
        quantity: quantity(String(FILL)),
        at: minute(filledAt, n),
        of,
        minute: filledAt,
      }));
  }

  venueNow(): Instant {
    return minute(this.now);
  }

  ordersLabelled: RoundReads['ordersLabelled'] = ({ label, instrument }) =>
    this.#read('label', () =>
      this.#records(
        (one) =>
          one.label === label &&
          one.instrument === instrument &&
          one.isLookedUp &&
          this.now < one.agedAt,
      ),
    );

  openLabelled: RoundReads['openLabelled'] = ({ label, instrument }) =>
    this.#read('open by label', () =>
      this.#records(
        (one) => one.label === label && one.instrument === instrument && this.now < one.closedAt,
      ),
    );

  openOrders: RoundReads['openOrders'] = () =>
    this.#read('open', () => this.#records((one) => this.now < one.closedAt));

  orderHistory: RoundReads['orderHistory'] = ({ instrument, historical, continuation }) =>
    this.#read(historical ? 'old history' : 'recent history', () => {
      const isIn = ({ closedAt, agedAt, historyLag }: Life): boolean =>
        historical ? this.now >= agedAt : this.now >= closedAt + historyLag && this.now < agedAt;
      const isLater = (one: Life): boolean =>
        continuation === undefined || rank(one) > Number(continuation);
      const all = this.#options.lives
        .filter((one) => one.instrument === instrument && isIn(one) && isLater(one))
        .sort((a, b) => rank(a) - rank(b));
      const page = all.slice(0, ORDERS_PER_PAGE);
      const last = page.at(-1);
      const next = all.length > page.length && last ? String(rank(last)) : undefined;
      return { orders: page.map((one) => this.record(one)), continuation: next };
    });

  trades: RoundReads['trades'] = (query) =>
    this.#read(query.orderId === undefined ? 'trades' : 'trades by order', () => {
      const found = this.#trades.filter(({ of, minute: filledAt, orderId: id, at }) => {
        if (filledAt > this.now || (query.from !== undefined && at < query.from)) return false;
        return query.orderId === undefined
          ? of.tradesAreListed === 'everywhere'
          : id === query.orderId && of.tradesAreListed !== 'nowhere';
      });
      const trades = found
        .slice(0, query.orderId === undefined ? TRADES_PER_PAGE : found.length)
        .map(({ of: _, minute: __, ...trade }) => trade);
      return { trades, hasMore: found.length > trades.length };
    });

  /** The order as it is now. */
  record({ id, label, instrument, acceptedAt, closedAt, fills }: Life): OrderRecord {
    const filled = fills.filter((at) => at <= this.now).length * FILL;
    return orderRecord({
      orderId: orderId(String(id)),
      account: ACCOUNT,
      label,
      instrument,
      state: this.now < closedAt ? 'open' : 'cancelled',
      quantity: quantity('1000'),
      filledQuantity: quantity(String(filled)),
      createdAt: minute(acceptedAt),
    });
  }

  #records(isWanted: (life: Life) => boolean): readonly OrderRecord[] {
    return this.#options.lives
      .filter((one) => this.now >= one.acceptedAt && isWanted(one))
      .map((one) => this.record(one));
  }

  async #read<T>(name: string, answer: () => T): Promise<Reply<T>> {
    const { isMoving, pause, isFailing } = this.#options;
    await pause?.();
    this.reads.push(name);
    const reply: Reply<T> = isFailing?.(this.reads.length, name)
      ? DOWN
      : { kind: 'done', value: answer() };
    if (isMoving) this.now += 1;
    await pause?.();
    return reply;
  }
}

/** Newest first. */
const rank = ({ closedAt, id }: Life): number => -closedAt * 1_000 + id;
