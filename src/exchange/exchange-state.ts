// The complete state of the exchange, which the operations (place, edit, cancel, quote, settle) work on. Only
// they change it, and only within one command.
import { stepsIn } from '../values/amounts.ts';
import { must } from '../values/assert.ts';
import type { AccountId, InstrumentName } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument } from '../values/instrument.ts';
import type { Account } from './model/account.ts';
import { Bot } from './model/bot.ts';
import { ComboRegistry } from './model/combo-registry.ts';
import type { Exposure } from './model/exposure.ts';
import { type ListedLeg, Listing } from './model/instruments/listing.ts';
import type { LinkGroup } from './model/links/link-group.ts';
import type { LiveOrder } from './model/live-order.ts';
import { IdSequence } from './model/order-ids.ts';
import { OrderMemory, type OrderRetention } from './model/order-memory.ts';
import { Outbox } from './model/outbox.ts';
import { SettlementLog } from './model/settlement-log.ts';
import type { ShownBook } from './model/shown-book.ts';
import { SpeedBumps } from './model/speed-bumps.ts';
import { TradeLog, type TradeRetention } from './model/trade-log.ts';
import type { TriggerBook } from './model/triggers/trigger-book.ts';
import { RfqBook } from './rfq/rfq-book.ts';

interface ExchangeSettings extends OrderRetention, TradeRetention {
  readonly marketOrdersOnOptions: boolean;
  readonly triggerAlreadyMet: 'refuse' | 'fire';
  /** Per account. */
  readonly triggersMax: number;
  /** Per account; spot is counted separately. */
  readonly dormantLinksMax: number;
  readonly clampInverseOptions: boolean;
  readonly advancedIntervalMs: number;
  /** Active at once. */
  readonly combosMax: number;
  /** 0: no book has a speed bump. */
  readonly speedBumpMs: number;
  readonly speedBumpEditCode: number;
}

export class ExchangeState {
  readonly settings: ExchangeSettings;
  readonly listings = new Map<InstrumentName, Listing>();
  readonly accounts = new Map<AccountId, Account>();
  readonly bots = new Map<AccountId, Bot>();
  /** Books shown from recordings. */
  readonly shown = new Map<InstrumentName, ShownBook>();
  readonly orders: OrderMemory;
  readonly trades: TradeLog;
  readonly settlements: SettlementLog;
  readonly orderIds = new IdSequence();
  readonly tradeIds = new IdSequence();
  readonly outbox = new Outbox();
  readonly triggers = new Map<Listing, TriggerBook>();
  /** Keyed by the `ref` of their orders. */
  readonly links = new Map<string, LinkGroup>();
  readonly pending = new Pending();
  readonly bumps = new SpeedBumps();
  readonly rfqs = new RfqBook();
  readonly combos = new ComboRegistry();
  /** Open orders priced by the exchange. */
  readonly advanced = new Map<Listing, Set<LiveOrder>>();
  now = 0 as Instant;
  lastRank = 0;
  /** End of the last pause at a settlement. */
  pausedUntil = 0 as Instant;
  /** True from a settlement until the first command at or after `pausedUntil`. */
  isPaused = false;

  constructor(settings: ExchangeSettings) {
    this.settings = settings;
    this.orders = new OrderMemory(settings);
    this.trades = new TradeLog(settings);
    this.settlements = new SettlementLog(settings);
  }

  list(instrument: Instrument): Listing {
    const known = this.listings.get(instrument.name);
    if (known !== undefined) return known;
    const listing = new Listing(instrument, this.#legsOf(instrument));
    if (this.isPaused) listing.state = 'settlement';
    this.listings.set(instrument.name, listing);
    return listing;
  }

  /** The legs of a combo are listed before it. */
  #legsOf({ legs = [], amountStep }: Instrument): readonly ListedLeg[] {
    return legs.map(({ instrument, ratio }) => {
      const listing = must(
        this.listings.get(instrument),
        () => `${instrument} is a leg and listed`,
      );
      const lots = ratio * stepsIn(amountStep, listing.grid.lot);
      return { listing, ratio, lots };
    });
  }

  open(account: Account): void {
    this.accounts.set(account.id, account);
  }

  bot(id: AccountId): Bot {
    const known = this.bots.get(id);
    if (known !== undefined) return known;
    const bot = new Bot(id);
    this.bots.set(id, bot);
    return bot;
  }

  ownerOf(order: LiveOrder): Account {
    return must(this.accounts.get(order.account), 'an order belongs to an account');
  }

  exposureOf(order: LiveOrder): Exposure {
    return this.ownerOf(order).exposure(order.listing);
  }

  /** A rank behind everything that rests now. */
  nextRank(): number {
    this.lastRank += 1;
    return this.lastRank;
  }
}

/**
 * Work that a matching step set off and that is done once the step is complete: orders whose trigger was met,
 * and linked orders that traded or closed.
 */
class Pending {
  readonly #fired: LiveOrder[] = [];
  #met: LiveOrder[] = [];
  readonly #linked = new Set<LiveOrder>();

  met(orders: readonly LiveOrder[]): void {
    if (orders.length > 0) this.#met.push(...orders);
  }

  linked(order: LiveOrder): void {
    this.#linked.add(order);
  }

  nextLinked(): LiveOrder | undefined {
    for (const order of this.#linked) {
      this.#linked.delete(order);
      return order;
    }
    return undefined;
  }

  /** Orders met in one step are triggered in the order in which they were placed, after those met earlier. */
  nextFired(): LiveOrder | undefined {
    if (this.#met.length > 0) {
      this.#fired.push(...this.#met.sort((a, b) => a.rank - b.rank));
      this.#met = [];
    }
    return this.#fired.shift();
  }
}
