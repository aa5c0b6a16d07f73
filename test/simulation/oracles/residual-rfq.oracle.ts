// Checks the Block RFQs of portfolios at the exchange, and every request about one as it is sent: each durable
// intent is sent once, and nothing trades without a durable accept.
import type { VenueOrder, VenueTrade } from '../../../src/core/order/venue-report.ts';
import { isTerminal } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { openRfq } from '../../../src/core/portfolio/aggregate/residual-rfq-state.ts';
import { maySend } from '../../../src/core/risk/trading-switch.ts';
import { switchedBy } from '../../../src/engine/kill-switch/apply-trading-switches.ts';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import type { BlockRow, BlockTrade } from '../../../src/exchange/rfq/blocks/block-trade.ts';
import { isLive, type Rfq } from '../../../src/exchange/rfq/rfq.ts';
import { plus, price, text, toNumber } from '../../../src/values/amounts.ts';
import { orderId, type PortfolioId, parseRfqLabel } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { ReportBreach } from '../checks/breach.ts';
import { liveRfqs } from '../checks/check-rfq.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import { instrumentOf, type SimulatedMarket } from '../world/simulated-market.ts';
import type { Trouble } from '../world/trouble.ts';
import type { Requested } from '../world/venue-of-life.ts';
import type { AcceptIntended, PortfolioBook } from './portfolio-book.ts';
import type { SwitchesOracle } from './switches.oracle.ts';

export interface ResidualRfqOracleOptions {
  readonly books: ReadonlyMap<PortfolioId, PortfolioBook>;
  readonly market: SimulatedMarket;
  readonly switches: SwitchesOracle;
  readonly venueNow: () => Instant;
  /** How far back a quote can reach that a daemon may believe, skew and market steps included. */
  readonly reachMs: number;
  readonly skewMs: number;
  readonly trouble: Trouble;
  readonly reportBreach: ReportBreach;
}

const BPS = 10_000;
/** Slack for sums of floats, as a share. */
const SLACK = 1e-9;

export class ResidualRfqOracle {
  readonly #parts: ResidualRfqOracleOptions;
  readonly #byNumber = new Map<number, Rfq>();
  readonly #numbers = new Map<string, number>();

  constructor(parts: ResidualRfqOracleOptions) {
    this.#parts = parts;
  }

  /** True when it was about an RFQ of a portfolio. */
  heard(event: ExchangeEvent): boolean {
    if (event.kind === 'rfq_changed') return this.#changed(event.rfq);
    if (event.kind !== 'block_traded') return false;
    const rfq = this.#byNumber.get(event.trade.rfq);
    const book = rfq && this.#bookOf(rfq.label);
    if (book === undefined) return false;
    this.#traded(book, event.trade);
    return true;
  }

  /** True when it was about an RFQ of a portfolio. */
  requested(daemon: SimulatedDaemon, { method, request }: Requested): boolean {
    if (method === 'create_rfq') {
      const { label = '', legs, hedge } = request;
      const book = this.#bookOf(label);
      if (book === undefined) return parseRfqLabel(label) !== undefined;
      const sizes = [...legs, ...(hedge === undefined ? [] : [hedge])];
      this.#judgeAsked(daemon, book, { label, sizes: sizes.map(({ quantity }) => text(quantity)) });
      return true;
    }
    if (method !== 'accept') return false;
    const number = this.#numbers.get(request.rfqId);
    const rfq = number === undefined ? undefined : this.#byNumber.get(number);
    const book = rfq && this.#bookOf(rfq.label);
    if (rfq === undefined || book === undefined) return false;
    this.#judgeAccept(daemon, book, { rfq, at: toNumber(request.price) });
    return true;
  }

  #bookOf(label: string): PortfolioBook | undefined {
    const address = parseRfqLabel(label);
    return address && this.#parts.books.get(address.portfolio);
  }

  #changed(rfq: Rfq): boolean {
    const { reportBreach, trouble } = this.#parts;
    const { label, number, takerId } = rfq;
    if (parseRfqLabel(label) === undefined) return false;
    const book = this.#bookOf(label);
    if (book === undefined || !book.rfqIntents.has(label)) {
      reportBreach('I3', `the exchange has ${label}, which nobody intended`);
      return true;
    }
    const isNew = !this.#byNumber.has(number);
    if (isNew && book.rfqs.has(label)) reportBreach('I2', `${label} is at the exchange twice`);
    if (isNew)
      for (const other of liveRfqs(book)) reportBreach('I2', `${label} joins ${other.label}`);
    if (isNew) trouble.note('end rfq created');
    if (!isLive(rfq)) trouble.note(`end rfq ${rfq.status}`);
    this.#byNumber.set(number, rfq);
    this.#numbers.set(takerId, number);
    book.rfqs.set(label, rfq);
    return true;
  }

  /** What is traded is a child for each leg, which the accept made durable before it left. */
  #traded(book: PortfolioBook, trade: BlockTrade): void {
    const { reportBreach, trouble } = this.#parts;
    trouble.note('end rfq traded');
    const labels = openRfq(book.state)?.accept?.labels;
    if (labels === undefined) {
      return reportBreach('I2', `${trade.id} was traded for ${book.id}, which has no accept open`);
    }
    for (const label of labels) {
      const intent = book.intents.get(label);
      const leg = intent && book.state.spec.legs[intent.leg];
      const row = trade.rows.find(({ instrument }) => instrument === leg?.instrument);
      if (row === undefined || intent === undefined) {
        reportBreach('I5', `${trade.id} has nothing for ${label}`);
        continue;
      }
      if (row.side !== intent.side)
        reportBreach('I5', `${trade.id} has ${label} on the other side`);
      const told = tradeOf(trade, row, label);
      const before = book.orders.get(label);
      const filled = before && plus(before.order.filledQuantity, row.quantity);
      const order: VenueOrder = {
        orderId: told.orderId,
        label,
        instrument: row.instrument,
        side: row.side,
        state: 'filled',
        quantity: filled ?? row.quantity,
        filledQuantity: filled ?? row.quantity,
        createdAt: trade.at,
        updatedAt: trade.at,
      };
      const versions = [{ at: trade.at, order }];
      const trades = [...(before?.trades ?? []), told];
      const timeInForce = 'fill_or_kill';
      book.note(intent.leg, { account: trade.taker, timeInForce, order, versions, trades });
    }
    for (let leg = 0; leg < book.state.legs.length; leg += 1) book.judgeExposure(leg, reportBreach);
  }

  #judgeAsked(
    daemon: SimulatedDaemon,
    book: PortfolioBook,
    { label, sizes }: { readonly label: string; readonly sizes: readonly string[] },
  ): void {
    const { reportBreach } = this.#parts;
    const intent = book.rfqIntents.get(label);
    if (intent === undefined)
      return reportBreach('I3', `${label} sent before its intent is durable`);
    this.#judgeFence(daemon, book, { ...intent, what: label });
    const meant = intent.legs.map(({ quantity }) => quantity);
    if (meant.length !== sizes.length || !meant.every((one) => sizes.includes(one))) {
      reportBreach('I3', `${label} sent with other sizes than intended`);
    }
  }

  #judgeAccept(
    daemon: SimulatedDaemon,
    book: PortfolioBook,
    { rfq, at }: { readonly rfq: Rfq; readonly at: number },
  ): void {
    const { reportBreach } = this.#parts;
    const intent = book.acceptIntents.get(rfq.label);
    const what = `accept of ${rfq.label}`;
    if (intent === undefined)
      return reportBreach('I3', `${what} sent before its intent is durable`);
    this.#judgeFence(daemon, book, { ...intent, what: `${what} ${intent.accept}` });
    const own = daemon.engine.turns.peek(book.id);
    if (own !== undefined && openRfq(own)?.cancel !== undefined) {
      reportBreach('I6', `${what} sent while its daemon takes it back`);
    }
    if (Math.abs(at - toNumber(price(intent.price))) > SLACK)
      reportBreach('I3', `${what} at ${at}`);
    const most = this.#worst(book, rfq, intent);
    if (most !== undefined && at > most + Math.abs(most) * SLACK) {
      reportBreach('I10', `${what} at ${at}, its limit is ${most}`);
    }
  }

  /** Once only, in time, and not against what its daemon knows of pauses, cancels and switches. */
  #judgeFence(
    daemon: SimulatedDaemon,
    book: PortfolioBook,
    { what, validUntil }: { readonly what: string; readonly validUntil: number },
  ): void {
    const { reportBreach, switches } = this.#parts;
    if (book.sent.has(what)) reportBreach('I2', `${what} sent twice`);
    book.sent.add(what);
    const leftMs = validUntil - daemon.now();
    if (leftMs < daemon.settings.validForMs / 2) {
      reportBreach('I2', `${what} sent ${leftMs} ms before its deadline`);
    }
    const own = daemon.engine.turns.peek(book.id);
    if (own !== undefined && (own.status === 'cancelling' || isTerminal(own.status))) {
      reportBreach('I6', `${what} sent while its daemon takes the portfolio back`);
    }
    if (own?.paused !== undefined) reportBreach('I6', `${what} sent while its portfolio is paused`);
    const under = switchedBy(book.state);
    const known = daemon.switches?.strictestFor(under)?.state ?? 'active';
    const durable = switches.strictestKnownTo(daemon, under);
    const mayGo = [known, durable].every((state) => maySend(state, { reduceOnly: false }));
    if (!mayGo) reportBreach('I11', `${what} sent while trading is ${known} and ${durable}`);
  }

  /** The worst price for which any mark could speak that was shown while a quote could be believed. */
  #worst(book: PortfolioBook, rfq: Rfq, { at }: AcceptIntended): number | undefined {
    const { market, venueNow, reachMs, skewMs } = this.#parts;
    const { limitBps } = book.state.spec.execution.rfq ?? {};
    if (limitBps === undefined) return undefined;
    const to = later(venueNow(), skewMs);
    let most = 0;
    for (const { instrument, side, ratio } of rfq.legs) {
      const { tickSize } = instrumentOf(instrument);
      const each = toNumber(ratio) * toNumber(tickSize);
      const values = market
        .shown(instrument)
        .filter((touch) => touch.at >= at - reachMs && touch.at <= to)
        .map(
          ({ mark }) => (side === 'buy' ? 1 : -1) * mark * each + (mark * each * limitBps) / BPS,
        );
      most += Math.max(...values);
    }
    return most;
  }
}

const tradeOf = (trade: BlockTrade, row: BlockRow, label: string): VenueTrade => ({
  tradeId: row.tradeId,
  orderId: orderId(trade.id),
  label,
  instrument: row.instrument,
  side: row.side,
  price: row.price,
  quantity: row.quantity,
  fee: row.takerFee,
  feeCurrency: row.feeCurrency,
  liquidity: 'taker',
  at: trade.at,
});
