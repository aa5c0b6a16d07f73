// The paper exchange behind the venue port, in process: the methods that slices need.
import { answerOfCode, venueOrder, venueTrade } from '../../core/order/venue-report-mapping.ts';
import type { VenueFeatures } from '../../core/portfolio/admission/admit-context.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { AccountEvent } from '../../exchange/exchange-event.ts';
import type { MarketSource } from '../../exchange/market/market-source.ts';
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { TradingDesk } from '../../ports/trading-desk.ts';
import type {
  Balance,
  CancelRequest,
  EditRequest,
  LabelAnswer,
  OpenOrdersAnswer,
  OrderAnswer,
  OrderRequest,
  Position,
  TradesAnswer,
  Unknown,
  Venue,
  VenueNotice,
} from '../../ports/venue.ts';
import { isZero, text } from '../../values/amounts.ts';
import { FanOut } from '../../values/fan-out.ts';
import type { AccountId, ChildLabel, InstrumentName, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import { orderAnswer, venuePosition } from './order-answer.ts';
import { PaperDesk } from './paper-desk.ts';
import type { PaperExchange } from './paper-exchange.ts';
import type { RequestLine } from './request-line.ts';
import { PaperRfqDesk } from './rfq/paper-rfq-desk.ts';
import { cancelCommand, editCommand, placeCommand } from './venue-commands.ts';

export interface PaperVenueParts {
  readonly name: VenueName;
  readonly exchange: Exchange;
  readonly market: MarketSource;
  readonly paper: PaperExchange;
  readonly line: RequestLine;
  /** Receives errors that listeners throw. */
  readonly onFault: (error: unknown) => void;
  readonly quietWindows?: VenueFeatures['quietWindows'];
}

/** Net positions on cross margin, like the venue it models. */
const FEATURES: VenueFeatures = {
  hidden: false,
  tradeModes: ['cross', 'cash'],
  positionSides: ['net'],
};

interface Query {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly label: ChildLabel;
}

export class PaperVenue implements Venue {
  readonly name: VenueName;
  readonly features: VenueFeatures;
  readonly desk: TradingDesk;
  readonly rfqs: RfqDesk;
  readonly #exchange: Exchange;
  readonly #market: MarketSource;
  readonly #paper: PaperExchange;
  readonly #line: RequestLine;
  readonly #notices: FanOut<VenueNotice>;

  constructor(parts: PaperVenueParts) {
    this.name = parts.name;
    this.features = { ...FEATURES, quietWindows: parts.quietWindows };
    this.#exchange = parts.exchange;
    this.#market = parts.market;
    this.#paper = parts.paper;
    this.#line = parts.line;
    this.#notices = new FanOut(parts.onFault);
    parts.line.hear(({ events }) => {
      if (this.#notices.isHeard) this.#notices.send(noticesOf(events));
    });
    this.desk = new PaperDesk(parts);
    this.rfqs = new PaperRfqDesk(parts);
  }

  instruments(): readonly Instrument[] {
    return this.#market.instruments(this.#line.now());
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#market.instrument(name, this.#line.now());
  }

  quote(name: InstrumentName): Quote | undefined {
    return this.#paper.quote(name);
  }

  /**
   * Sets which of `accounts` are makers of Block RFQs, and their aliases. Quotes of those that are no longer
   * makers are withdrawn.
   */
  seatMakers(accounts: readonly AccountId[], aliases: ReadonlyMap<AccountId, string>): void {
    const { rfqs } = this.#exchange;
    const changed = accounts.filter((account) => rfqs.aliasOf(account) !== aliases.get(account));
    if (changed.length === 0) return;
    const makers = changed.flatMap((account) => {
      const alias = aliases.get(account);
      return alias === undefined ? [] : [{ account, alias }];
    });
    const unseated = changed.filter((account) => rfqs.aliasOf(account) !== undefined);
    this.#line.act((now) => this.#paper.seat({ kind: 'seat_rfq_makers', now, makers, unseated }));
  }

  watch(name: InstrumentName): () => void {
    const release = this.#line.act((now) => this.#paper.watch(name, now));
    return release ?? (() => undefined);
  }

  venueNow(): Instant {
    return this.#line.now();
  }

  place(order: OrderRequest): Promise<OrderAnswer> {
    return this.#line.ask((now) => orderAnswer(this.#paper.request(placeCommand(order, now))));
  }

  editByLabel(edit: EditRequest): Promise<OrderAnswer> {
    return this.#line.ask((now) => orderAnswer(this.#paper.request(editCommand(edit, now))));
  }

  cancel(request: CancelRequest): Promise<OrderAnswer> {
    return this.#line.ask((now) => {
      this.#paper.settle(now);
      const command = cancelCommand(request, this.#labelled(request), now);
      return 'code' in command
        ? answerOfCode(command.code, command.message)
        : orderAnswer(this.#paper.request(command));
    });
  }

  ordersByLabel(query: Query): Promise<LabelAnswer> {
    return this.#line.ask((now): LabelAnswer => {
      this.#paper.settle(now);
      const orders = this.#labelled(query);
      if (orders.length === 0) return { kind: 'absent' };
      const trades = orders.flatMap((order) =>
        this.#exchange.tradesByOrder(query.account, order.orderId),
      );
      return { kind: 'found', orders: orders.map(venueOrder), trades: trades.map(venueTrade) };
    });
  }

  openOrders(account: AccountId, prefix: string): Promise<OpenOrdersAnswer> {
    return this.#line.ask((now): OpenOrdersAnswer => {
      this.#paper.settle(now);
      const orders = this.#exchange.openOrders({ account, labelPrefix: prefix });
      return { kind: 'orders', orders: orders.map(venueOrder) };
    });
  }

  tradesSince(account: AccountId, from: Instant): Promise<TradesAnswer> {
    return this.#line.ask((now): TradesAnswer => {
      this.#paper.settle(now);
      const trades = this.#exchange.tradesSince(account, from);
      return { kind: 'trades', trades: trades.map(venueTrade) };
    });
  }

  /** Open positions only. Rejects if the venue was closed. */
  positions(account: AccountId): Promise<readonly Position[]> {
    return this.#read((now) => {
      this.#paper.settle(now);
      const positions = this.#exchange.positions(account);
      return positions.filter(({ quantity }) => !isZero(quantity)).map(venuePosition);
    });
  }

  /** Rejects if the venue was closed. */
  balances(account: AccountId): Promise<readonly Balance[]> {
    return this.#read((now) => {
      this.#paper.settle(now);
      return this.#exchange
        .balances(account)
        .map(({ currency, amount }) => ({ currency, amount: text(amount) }));
    });
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    return this.#notices.add(listener);
  }

  close(): Promise<void> {
    this.#line.close();
    return Promise.resolve();
  }

  /** Orders in any state with the label on the instrument, oldest first. */
  #labelled({ account, instrument, label }: Query | CancelRequest) {
    return this.#exchange
      .ordersByLabel(account, label)
      .filter((order) => order.instrument === instrument);
  }

  async #read<T>(query: (now: Instant) => readonly T[]): Promise<readonly T[]> {
    const found = await this.#line.ask(query);
    if (Array.isArray(found)) return found;
    throw new Error(`no answer from ${this.name}: ${(found as Unknown).reason}`);
  }
}

/** Maps account events to notices of the venue port. Positions and balances are queried, not published. */
function noticesOf(events: readonly AccountEvent[]): readonly VenueNotice[] {
  const notices: VenueNotice[] = [];
  for (const event of events) {
    if (event.kind === 'order_changed') {
      const { order } = event;
      notices.push({ kind: 'order', account: order.account, order: venueOrder(order) });
    } else if (event.kind === 'trade') {
      const { trade } = event;
      notices.push({ kind: 'trade', account: trade.account, trade: venueTrade(trade) });
    }
  }
  return notices;
}
