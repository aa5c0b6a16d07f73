// Observes a run from outside the engine: every durable turn, every request as it is sent, and
// every event of the exchange. Reports a broken invariant at once; trusts no daemon.

import type { VenueTrade } from '../../../src/core/order/venue-report.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import {
  type CurrentSlice,
  isTerminal,
} from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { committedOf } from '../../../src/core/portfolio/aggregate/positions.ts';
import { maySend } from '../../../src/core/risk/trading-switch.ts';
import type { EscalationManner, Execution } from '../../../src/core/terms/execution.ts';
import { switchedBy } from '../../../src/engine/kill-switch/apply-trading-switches.ts';
import type { PortfolioNews } from '../../../src/ports/event-bus.ts';
import type { Turn } from '../../../src/ports/ledger.ts';
import {
  equals,
  isLess,
  isMore,
  price,
  type Quantity,
  quantity,
  text,
  toNumber,
} from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type InstrumentName, type PortfolioId, parseChildLabel } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { SIMULATED_SETTINGS } from '../checks/bounds.ts';
import type { Decider } from '../checks/check-event.ts';
import { checkPriceCase } from '../checks/check-price.ts';
import type { Asked } from '../own-books/asked.ts';
import { checkTape, checkWaiting } from '../own-books/check-waiting.ts';
import { DueOracle, type DueOracleOptions } from '../own-books/due.oracle.ts';
import type { OwnBook } from '../own-books/own-book.ts';
import { TapeRecord } from '../own-books/tape-record.ts';
import { blindMs, limitsShares } from '../plan/plan-kinds.ts';
import { OWN_PREFIX } from '../world/lagging-venue.ts';
import type { ShownTouch } from '../world/shown-touch.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import type { SimulatedMarket } from '../world/simulated-market.ts';
import type { Requested, SentChild, SentEdit } from '../world/venue-of-life.ts';
import { checkArrival } from './arrival.oracle.ts';
import type { TrueOrder } from './exchange.oracle.ts';
import { PortfolioBook } from './portfolio-book.ts';
import { ProgressOracle } from './progress.oracle.ts';
import { StartOracle } from './start.oracle.ts';
import { SubmitOracle } from './submit.oracle.ts';
import type { SwitchesOracle } from './switches.oracle.ts';

type ChildRequest = Extract<Requested, { method: 'place' | 'edit' | 'cancel' }>;

/** Requests that one portfolio may send within one second of true time. */
const REQUESTS_PER_SECOND_MAX = 60;
/** No wake is called further ahead of its instant than this. */
const AHEAD_MS_MAX = 300;

const ENDS = new Set(['PORTFOLIO_CANCELLING', 'PORTFOLIO_CANCELLED', 'PORTFOLIO_FILLED']);

export interface RefereeParts extends DueOracleOptions {
  /** What was ever traded in an instrument, by the exchange's count. */
  readonly traded: (name: InstrumentName) => Quantity;
  readonly venueNow: () => Instant;
  readonly startAt: Instant;
  /** A line may stay broken for so long after the last fault. */
  readonly lineMs: number;
  /** Where nothing but the queue is in trouble: how late a slice may be seen to. */
  readonly lateMaxMs: number | undefined;
  readonly switches: SwitchesOracle;
  readonly asked: Asked;
}

export class Referee {
  readonly books = new Map<PortfolioId, PortfolioBook>();
  /** Labels that look like ours and were put there by the run itself. */
  readonly strays = new Set<string>();
  readonly news: PortfolioNews[] = [];
  readonly starts: StartOracle;
  readonly progress: ProgressOracle;
  readonly due: DueOracle;
  readonly submits: SubmitOracle;
  readonly #parts: RefereeParts;
  readonly #tape: TapeRecord;
  readonly #sentLately = new Map<PortfolioId, number[]>();

  constructor(parts: RefereeParts) {
    this.#parts = parts;
    this.#tape = new TapeRecord({
      ...parts,
      names: limitsShares(parts.plan)
        ? parts.market.instruments(parts.startAt).map(({ name }) => name)
        : [],
      slackMs: this.#knownWithinMs + blindMs(parts.plan),
    });
    this.submits = new SubmitOracle(parts.reportBreach);
    this.starts = new StartOracle(this.books, parts.reportBreach);
    this.progress = new ProgressOracle({
      ...parts,
      margins: parts.plan.margins,
      books: this.books,
    });
    this.due = new DueOracle(parts);
  }

  /** To be called after every event, whatever it was. */
  judge(): void {
    this.#tape.note();
    this.progress.judge();
    this.due.judge();
  }

  /** The turns are durable, whether the daemon that decided them hears of it or not. */
  written(daemon: Decider, turns: readonly Turn[]): void {
    const { reportBreach } = this.#parts;
    for (const turn of turns) {
      const { portfolio, fromVersion, events } = turn;
      const [first, ...rest] = events;
      let book = this.books.get(portfolio);
      if (book === undefined && first !== undefined) {
        book = new PortfolioBook(portfolio, first, { ...this.#parts, tape: this.#tape });
        this.books.set(portfolio, book);
        this.submits.begun(book);
        for (const event of rest) this.#take(book, event, daemon);
        this.#written(book, turn);
        continue;
      }
      if (book === undefined) continue;
      if (book.state.version !== fromVersion) {
        reportBreach(
          'I15',
          `a turn on version ${fromVersion} was written at ${book.state.version}`,
        );
      }
      for (const event of events) this.#take(book, event, daemon);
      this.#written(book, turn);
      for (let leg = 0; leg < book.state.legs.length; leg += 1)
        book.judgeExposure(leg, reportBreach);
    }
  }

  #take(book: PortfolioBook, event: PortfolioEvent, daemon: Decider): void {
    const shown = (name: InstrumentName, at: number) => this.#shownBefore(name, at, book);
    checkArrival(book.state, event, { shown, reportBreach: this.#parts.reportBreach });
    if (book.own !== undefined) this.#judgeHeld(book, book.own, event);
    book.take(event, { daemon, reportBreach: this.#parts.reportBreach });
  }

  /** A slice that waits has a reason, and what its limits count from is recorded. */
  #judgeHeld(book: PortfolioBook, own: OwnBook, event: PortfolioEvent): void {
    if (event.kind !== 'slice_waiting' && event.kind !== 'slice_started') return;
    const { leg, at } = event;
    const shown = this.#inForceAt(own.leg(leg).terms.instrument.name, at);
    if (event.kind === 'slice_waiting') {
      return checkWaiting(own, { event, isSweep: this.#isEndAction(book, event), shown });
    }
    const since = at - this.#knownWithinMs;
    // Of a market that has been silent for longer, the volume is not known as of now.
    const freshFrom = at - SIMULATED_SETTINGS.quoteAgeMaxMs + this.#parts.plan.margins.skewMs;
    const isShown = shown[0] !== undefined && shown[0].at <= since && shown[0].at >= freshFrom;
    checkTape(own, { event, isQuoted: isShown && this.#parts.calm.isSince(since) });
  }

  /** How old what a decision is based on can be, by the clock that it names its instant by. */
  get #knownWithinMs(): number {
    const { plan, lineMs } = this.#parts;
    const { armMs, quoteAgeMaxMs } = { ...SIMULATED_SETTINGS, ...plan.settings };
    // While a line is broken its daemon has the quotes of before.
    // A wake that comes ahead of its instant has a slice decided sooner.
    const aheadMs =
      armMs > 0 && plan.faults.some(({ kind }) => kind === 'queue_early') ? AHEAD_MS_MAX : 0;
    return plan.margins.skewMs + armMs + aheadMs + (lineMs > 0 ? quoteAgeMaxMs : 0);
  }

  /** Every quote that something decided at `at` may have been based on. */
  #inForceAt(name: InstrumentName, at: number): readonly ShownTouch[] {
    const { market, plan } = this.#parts;
    const shown = market.shown(name);
    const first = shown.findLastIndex((touch) => touch.at <= at - this.#knownWithinMs);
    const after = shown.findIndex((touch) => touch.at > at + plan.margins.skewMs);
    return shown.slice(Math.max(0, first), after < 0 ? undefined : after);
  }

  #written(book: PortfolioBook, turn: Turn): void {
    this.progress.written(book, turn);
    if (book.own !== undefined) this.due.follow(book.own);
  }

  /** A daemon hands a request to its venue. */
  requested(daemon: SimulatedDaemon, requested: ChildRequest): void {
    const { reportBreach } = this.#parts;
    const { label } = requested.request;
    const address = parseChildLabel(label);
    const book = address && this.books.get(address.portfolio);
    if (book === undefined) {
      if (requested.method !== 'cancel')
        reportBreach('I3', `${label} sent and no portfolio is durable`);
      return;
    }
    this.#count(book.id);
    if (requested.method === 'cancel') return;
    this.#judgeFence(daemon, book, requested.request);
    this.#judgeSwitches(daemon, book, requested.request);
    if (requested.method === 'place') this.#judgePlace(daemon, book, requested.request);
    else this.#judgeEdit(book, requested.request);
  }

  /** The exchange has a new or changed order. */
  changed(
    known: TrueOrder,
    { isNew, labelled }: { readonly isNew: boolean; readonly labelled: readonly TrueOrder[] },
  ): void {
    const { label } = known.order;
    if (!label.startsWith(OWN_PREFIX) || this.strays.has(label)) return;
    const { reportBreach } = this.#parts;
    const address = parseChildLabel(label);
    const book = address && this.books.get(address.portfolio);
    if (address === undefined || book === undefined || !book.intents.has(label)) {
      return reportBreach('I3', `the exchange has ${label}, which nobody intended`);
    }
    book.note(address.leg, known);
    if (isNew && labelled.length > 1) reportBreach('I2', `${label} is at the exchange twice`);
    if (isNew) this.#judgeAlone(book, known);
    else this.#judgeEditOrder(book, known);
    book.judgeExposure(address.leg, reportBreach);
  }

  /** I12: a leg with a limit never trades worse, except in a requested sweep. */
  traded(trade: VenueTrade): void {
    const address = parseChildLabel(trade.label);
    const book = address && this.books.get(address.portfolio);
    if (address === undefined || book === undefined) return;
    const spec = must(book.state.spec.legs[address.leg], () => `no leg ${address.leg}`);
    if (this.#isSweep(book, address)) return;
    // Orders resting when a limit is amended may still trade at the previous limit.
    const isWorse = (book.limits[address.leg] ?? []).every((pricing) => {
      if (pricing.type !== 'limit' || pricing.unit !== 'currency') return false;
      const { price: limit } = pricing;
      return spec.side === 'buy' ? isMore(trade.price, limit) : isLess(trade.price, limit);
    });
    if (isWorse) this.#parts.reportBreach('I12', `${trade.label} traded at ${text(trade.price)}`);
  }

  /** I8: nothing is published before the ledger has it, and nothing twice. */
  told(news: PortfolioNews): void {
    const { reportBreach } = this.#parts;
    const book = this.books.get(news.portfolio);
    if (book === undefined || book.state.version < news.version) {
      reportBreach('I8', `${news.messageType} of ${news.portfolio} told ahead of the ledger`);
    }
    if (ENDS.has(news.messageType)) this.news.push(news);
  }

  #judgeFence(daemon: SimulatedDaemon, book: PortfolioBook, request: SentChild | SentEdit): void {
    const { reportBreach } = this.#parts;
    const { label, validUntil } = request;
    const leftMs = validUntil - daemon.now();
    if (leftMs < daemon.settings.validForMs / 2) {
      reportBreach('I2', `${label} sent ${leftMs} ms before its deadline`);
    }
    const known = daemon.engine.turns.peek(book.id);
    if (known === undefined) return;
    // What was executed before is hedged; that it is no more than that is judged when it is intended.
    const leg = parseChildLabel(label)?.leg;
    if (leg !== undefined && known.spec.legs[leg]?.hedge && !isTerminal(known.status)) return;
    if (known.status === 'cancelling' || isTerminal(known.status)) {
      reportBreach('I6', `${label} sent while its daemon takes the portfolio back`);
    }
    if (known.paused !== undefined)
      reportBreach('I6', `${label} sent while its portfolio is paused`);
  }

  /** I11: nothing is sent against a switch that this daemon knows of, or has had time to learn of. */
  #judgeSwitches(
    daemon: SimulatedDaemon,
    book: PortfolioBook,
    request: SentChild | SentEdit,
  ): void {
    const { reportBreach, switches } = this.#parts;
    const under = switchedBy(book.state);
    const known = daemon.switches?.strictestFor(under)?.state ?? 'active';
    const durable = switches.strictestKnownTo(daemon, under);
    const states = [known, durable];
    if (!states.every((state) => maySend(state, request))) {
      reportBreach('I11', `${request.label} sent while trading is ${states.join(' and ')}`);
    }
  }

  #judgePlace(daemon: SimulatedDaemon, book: PortfolioBook, request: SentChild): void {
    const { reportBreach, venueNow } = this.#parts;
    const { label } = request;
    const intent = book.intents.get(label);
    if (intent === undefined)
      return reportBreach('I3', `${label} sent before its intent is durable`);
    if (book.sent.has(label)) reportBreach('I2', `${label} sent twice`);
    book.sent.add(label);
    const isAsIntended =
      equals(request.quantity, quantity(intent.quantity)) &&
      equals(request.price, price(intent.price)) &&
      request.side === intent.side &&
      request.validUntil === intent.validUntil;
    if (!isAsIntended) reportBreach('I3', `${label} sent with other terms than intended`);
    const execution = book.executions.get(label) ?? book.state.spec.execution;
    this.#checkPriceCase(book, { ...intent, execution }, toNumber(request.price));
    this.#judgeShare(book, intent.leg, label);
    const current = currentOf(book, intent);
    const isSameClock = book.clocksOf.get(label) === daemon.clockName;
    if (current !== undefined && isSameClock && daemon.now() < current.dueAt) {
      reportBreach('I9', `${label} sent ${current.dueAt - daemon.now()} ms before it is due`);
    }
    const due = book.own?.dueOf(intent.leg, intent.slice);
    if (due === undefined) return;
    if (venueNow() < due.low - daemon.settings.skewMs)
      reportBreach('I9', `${label} sent before it is due`);
    if (daemon.settings.validForMs <= 0) reportBreach('I2', `${label} has no deadline`);
  }

  #judgeEdit(book: PortfolioBook, request: SentEdit): void {
    const { reportBreach } = this.#parts;
    const { label } = request;
    const edit = book.edits.get(label);
    const intent = book.intents.get(label);
    const known = edit !== undefined && equals(request.price, price(edit.price));
    if (!known || intent === undefined)
      return reportBreach('I3', `edit of ${label} is not durable`);
    const key = `${label} ${edit.number}`;
    if (book.sent.has(key)) reportBreach('I2', `edit ${key} sent twice`);
    book.sent.add(key);
    const sent = book.sentEdits.get(label) ?? [];
    book.sentEdits.set(label, [...sent, request.price]);
    if (isMore(request.quantity, quantity(intent.quantity))) {
      reportBreach('I1', `edit of ${label} raises its total`);
    }
    const execution = book.executions.get(key) ?? book.state.spec.execution;
    this.#checkPriceCase(book, { ...intent, at: edit.at, execution }, toNumber(request.price));
  }

  #checkPriceCase(
    book: PortfolioBook,
    intent: {
      readonly label: string;
      readonly leg: number;
      readonly slice: number;
      readonly at: number;
      /** The options in force when it was decided. */
      readonly execution: Execution;
    },
    at: number,
  ): void {
    const leg = must(book.state.spec.legs[intent.leg], () => `no leg ${intent.leg}`);
    const instrument = must(book.state.instruments.get(leg.instrument), 'no instrument');
    const verdict = checkPriceCase({
      leg,
      instrument,
      price: at,
      at: intent.at,
      legIndex: intent.leg,
      worst: book.own?.form.legs[intent.leg]?.priceOptions.worst,
      isSweep: this.#isSweep(book, intent),
      execution: intent.execution,
      manner: styleAt(book, intent),
      arrival: currentOf(book, intent)?.arrival,
      shown: this.#shownBefore(leg.instrument, intent.at, book),
    });
    if (verdict !== undefined) this.#parts.reportBreach('I10', `${intent.label}: ${verdict}`);
  }

  /** What the market showed while a quote decided on at `at` could be fresh enough. */
  #shownBefore(
    name: Parameters<SimulatedMarket['shown']>[0],
    at: number,
    book: PortfolioBook,
  ): readonly ShownTouch[] {
    const { market, plan, venueNow } = this.#parts;
    const reachMs = plan.margins.skewMs;
    const from = later(at as Instant, -(book.quoteAgeMaxMs + reachMs + plan.marketStepMs));
    // A turn may be decided some time after the command it answers; its quotes are of that moment.
    const to = venueNow() + reachMs;
    return market.shown(name).filter((touch) => touch.at >= from && touch.at <= to);
  }

  /** A part of BALANCE that overran is priced through the opposite side too, but under all its guards. */
  #isEndAction(book: PortfolioBook, of: { readonly leg: number; readonly slice: number }): boolean {
    const { timeOverAt, spec } = book.state;
    if (spec.balance === undefined || isCover(book, of)) return this.#isSweep(book, of);
    return timeOverAt !== undefined;
  }

  #isSweep(
    book: PortfolioBook,
    { leg, slice }: { readonly leg: number; readonly slice: number },
  ): boolean {
    if (isCover(book, { leg, slice })) return true;
    const { timeOverAt, legs, spec, part } = book.state;
    if (spec.balance !== undefined) {
      const isLimit = spec.legs[leg]?.pricing.type === 'limit';
      return timeOverAt !== undefined || (!isLimit && part !== undefined && part.stage !== 'work');
    }
    if (timeOverAt === undefined || spec.execution.endAction === 'extend') return false;
    const current = legs[leg]?.current;
    if (current?.slice === slice) return current.dueAt >= timeOverAt;
    return slice >= (book.own?.leg(leg).slices ?? 0);
  }

  /** I10: a leg's part of what trades in its instrument, by the exchange's own count. */
  #judgeShare(book: PortfolioBook, leg: number, label: string): void {
    const { participationMax } = book.executions.get(label) ?? book.state.spec.execution;
    const { instrument, hedge } = must(book.state.spec.legs[leg], () => `no leg ${leg}`);
    const from = book.countsFrom[leg];
    if (participationMax === undefined || hedge || from === undefined) return;
    const traded = toNumber(this.#parts.traded(instrument)) - from;
    const most = traded * participationMax;
    const committed = toNumber(committedOf(book.state, leg));
    if (committed > most + 1e-9) {
      this.#parts.reportBreach(
        'I10',
        `${label} makes ${committed} of at most ${most} by participation`,
      );
    }
  }

  /** A slice has at most one order at a time. */
  #judgeAlone(book: PortfolioBook, known: TrueOrder): void {
    const own = parseChildLabel(known.order.label);
    for (const other of book.orders.values()) {
      if (other === known || other.order.state !== 'open' || own === undefined) continue;
      const address = parseChildLabel(other.order.label);
      if (address?.leg === own.leg && address.slice === own.slice) {
        this.#parts.reportBreach(
          'I2',
          `${known.order.label} joins ${other.order.label}, which is open`,
        );
      }
    }
  }

  /** An edit that takes effect after a newer one was sent had been treated as resolved too early. */
  #judgeEditOrder(book: PortfolioBook, { order, versions }: TrueOrder): void {
    const before = versions.at(-2)?.order.price;
    const { price: now, label } = order;
    if (now === undefined || before === undefined || equals(now, before)) return;
    const sent = book.sentEdits.get(label) ?? [];
    const latest = sent.at(-1);
    if (latest !== undefined && !equals(latest, now) && sent.some((one) => equals(one, now))) {
      this.#parts.reportBreach('I2', `an edit of ${label} to ${text(now)} came after a newer one`);
    }
  }

  #count(portfolio: PortfolioId): void {
    const now = this.#parts.venueNow();
    const lately = (this.#sentLately.get(portfolio) ?? []).filter((at) => at > now - 1_000);
    lately.push(now);
    this.#sentLately.set(portfolio, lately);
    if (lately.length > REQUESTS_PER_SECOND_MAX) {
      this.#parts.reportBreach('I17', `${portfolio} sent ${lately.length} requests in a second`);
    }
  }
}

interface Placed {
  readonly leg: number;
  readonly slice: number;
  readonly at: number;
}

function currentOf(book: PortfolioBook, { leg, slice }: Placed): CurrentSlice | undefined {
  const current = book.state.legs[leg]?.current;
  return current?.slice === slice ? current : undefined;
}

/** A hedge of what was filled before a pause or a cancel goes through the market, whatever its leg follows. */
const isCover = (
  { own }: PortfolioBook,
  { leg, slice }: { readonly leg: number; readonly slice: number },
): boolean => own?.leg(leg).covers.has(slice) === true;

/** The step of the escalation that the slice had come to when the order was intended. */
function styleAt(book: PortfolioBook, placed: Placed): EscalationManner | undefined {
  const { escalation } = book.state.spec.execution;
  const current = currentOf(book, placed);
  if (escalation === undefined || current === undefined) return undefined;
  const { dueAt, endsAt } = current;
  const reached = escalation.filter(
    ({ from }) => dueAt + Math.floor(from * (endsAt - dueAt)) <= placed.at,
  );
  return (reached.at(-1) ?? escalation[0])?.manner;
}
