// The request queue of the paper exchange: requests pass one at a time and are answered after their effects
// are written; the market is updated by the clock's timers while a book is in use. Listeners are notified
// after the answer that a change belongs to.
import type { Unknown } from '../../core/order/answer-class.ts';
import type { AccountEvent } from '../../exchange/exchange-event.ts';
import type { ReleasedOrder } from '../../exchange/model/speed-bumps.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { MarketNews } from '../../ports/market-reads.ts';
import type { OrderId } from '../../values/ids.ts';
import { type Instant, later, latest } from '../../values/instant.ts';
import type { PaperJournal } from './journal/paper-journal.ts';
import { NoticeBoard } from './notice-board.ts';
import type { PaperExchange } from './paper-exchange.ts';

/** Milliseconds from request to answer, or a function of the time at which each is sent. */
export type Latency = number | DrawnLatency;

/** Neither depends on how many requests there are, so that another reader does not change when an order arrives. */
export interface DrawnLatency {
  /** When a request that is sent at this time arrives; never before one that was sent earlier. */
  readonly arrival: (sentAt: Instant) => Instant;
  /** The same for an answer, and for the news of the market. */
  readonly answer: (sentAt: Instant) => Instant;
}

export interface RequestLineOptions {
  readonly clock: Clock;
  readonly paper: PaperExchange;
  readonly journal: PaperJournal | undefined;
  /** Half of it passes before the exchange decides. */
  readonly latencyMs: Latency;
  /** The exchange's time so far: it never decreases, whatever the clock says. */
  readonly lastAt: Instant;
  /** Until when nothing but the market happens, if somebody knows. Default: unknown. */
  readonly quietUntil?: (() => Instant) | undefined;
  /** Receives the error when the journal can no longer be written, and errors that listeners throw. */
  readonly onFault: (error: unknown) => void;
}

/** The effects of one step of the exchange on users' accounts and on subscribed markets. */
export interface StepEffects {
  readonly events: readonly AccountEvent[];
  readonly market: readonly MarketNews[];
}

/** The answer to a request that is decided, and answered when its order is released from its speed bump. */
export class LaterAnswer<T> {
  readonly orderId: OrderId;
  readonly answer: (released: ReleasedOrder) => T;

  constructor(orderId: OrderId, answer: (released: ReleasedOrder) => T) {
    this.orderId = orderId;
    this.answer = answer;
  }
}

/** What one step did, and the answers that it allows. */
interface Step {
  readonly effects: StepEffects;
  readonly answers: readonly (() => void)[];
}

interface Awaited {
  readonly released: (order: ReleasedOrder) => () => void;
  readonly lost: (why: Unknown) => void;
}

/** What left at one instant and arrives at another. */
interface UnderWay {
  readonly sentAt: Instant;
  readonly arrivesAt: Instant;
  readonly arrive: (() => void)[];
}

const hasNews = ({ events, market }: StepEffects): boolean =>
  events.length > 0 || market.length > 0;

const isEmpty = ({ effects, answers }: Step): boolean => answers.length === 0 && !hasNews(effects);

export class RequestLine {
  readonly #clock: Clock;
  readonly #paper: PaperExchange;
  readonly #journal: PaperJournal | undefined;
  readonly #board: NoticeBoard<StepEffects>;
  readonly #latency: Latency;
  readonly #onFault: (error: unknown) => void;
  readonly #quietUntil: (() => Instant) | undefined;
  #timer: { readonly dueAt: Instant; readonly stop: StopTimer } | undefined;
  #lastNow: Instant;
  /** Requests to be answered when their order is released. */
  readonly #awaited = new Map<OrderId, Awaited>();
  /** The latest requests or answers on their way. */
  #underWay: UnderWay | undefined;
  /** Why requests are no longer answered. */
  #dead: string | undefined;

  constructor(parts: RequestLineOptions) {
    this.#clock = parts.clock;
    this.#paper = parts.paper;
    this.#journal = parts.journal;
    this.#latency = parts.latencyMs;
    this.#onFault = parts.onFault;
    this.#quietUntil = parts.quietUntil;
    this.#board = new NoticeBoard(parts.clock, { onFault: parts.onFault });
    this.#lastNow = parts.lastAt;
    this.#guarded(() => this.#paper.resume(this.now()));
    this.#arm();
  }

  /** The clock's time, but never earlier than before: the exchange's time must not decrease. */
  now(): Instant {
    this.#lastNow = latest(this.#lastNow, this.#clock.now());
    return this.#lastNow;
  }

  subscribe(listener: (effects: StepEffects) => void): () => void {
    return this.#board.subscribe(listener);
  }

  /** The request reaches the exchange, is decided, written and answered; then listeners are notified. */
  async request<T>(decide: (now: Instant) => T | LaterAnswer<T>): Promise<T | Unknown> {
    const inbound = this.#inbound();
    if (inbound !== undefined) await inbound;
    if (this.#dead !== undefined) return { kind: 'unknown', reason: this.#dead };
    const decided = this.#guarded(() => {
      this.#paper.catchUp();
      return { value: decide(this.now()) };
    });
    if (decided === undefined) return { kind: 'unknown', reason: String(this.#dead) };
    const { value } = decided;
    const awaited = value instanceof LaterAnswer ? this.#await(value) : undefined;
    const step = this.#collect();
    this.#arm();
    const durable = this.#journal?.durable();
    if (durable !== undefined && !(await this.#isDurable(durable))) {
      return { kind: 'unknown', reason: String(this.#dead) };
    }
    const at = this.#outboundAt();
    const answered = at > this.#clock.now() ? this.#until(at) : undefined;
    this.#pin(step, at);
    if (awaited !== undefined) return await awaited;
    if (answered !== undefined) await answered;
    return value as T;
  }

  #await<T>({ orderId, answer }: LaterAnswer<T>): Promise<T | Unknown> {
    return new Promise((resolve) => {
      this.#awaited.set(orderId, {
        released: (order) => () => resolve(answer(order)),
        lost: resolve,
      });
    });
  }

  /** Runs at once and in this process only, for example to watch a market; `undefined` if it failed. */
  act<T>(does: (now: Instant) => T): T | undefined {
    const done = this.#guarded(() => {
      this.#paper.catchUp();
      return { value: does(this.now()) };
    });
    this.#publish();
    return done?.value;
  }

  close(): void {
    if (this.#dead === undefined) this.#die('the paper exchange is closed');
  }

  #step(): void {
    this.#timer = undefined;
    this.#guarded(() => this.#paper.step(this.now(), this.#quietUntil?.()));
    this.#publish();
  }

  /** Publishes changes without a request as soon as they are durable. */
  #publish(): void {
    const step = this.#collect();
    const durable = this.#journal?.durable();
    if (durable !== undefined) void this.#pinWhen(durable, step);
    else if (!isEmpty(step)) this.#pin(step, this.#outboundAt());
    this.#arm();
  }

  #collect(): Step {
    const effects = { events: this.#paper.takeEvents(), market: this.#paper.takeMarket() };
    const answers: (() => void)[] = [];
    for (const released of this.#paper.takeReleased()) {
      const { orderId } = released.order;
      const awaited = this.#awaited.get(orderId);
      if (awaited === undefined) continue;
      this.#awaited.delete(orderId);
      answers.push(awaited.released(released));
    }
    return { effects, answers };
  }

  /** Answers first: listeners are notified after the answer that a change belongs to. */
  #pin({ effects, answers }: Step, at: Instant): void {
    for (const answer of answers) {
      if (at > this.#clock.now()) void this.#until(at).then(answer);
      else answer();
    }
    if (hasNews(effects)) this.#board.pin(effects, at);
  }

  async #pinWhen(durable: Promise<void>, step: Step): Promise<void> {
    if (await this.#isDurable(durable)) this.#pin(step, this.#outboundAt());
  }

  async #isDurable(durable: Promise<void>): Promise<boolean> {
    try {
      await durable;
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** `undefined` if it failed, which is permanent: later requests must not build on unwritten state. */
  #guarded<T>(act: () => T): T | undefined {
    if (this.#dead !== undefined) return undefined;
    try {
      return act();
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    if (this.#dead !== undefined) return;
    this.#die(`the paper exchange stopped: ${error instanceof Error ? error.message : error}`);
    this.#onFault(error);
  }

  #die(reason: string): void {
    this.#dead = reason;
    this.#timer?.stop();
    this.#timer = undefined;
    this.#board.close();
    this.#journal?.close();
    for (const { lost } of this.#awaited.values()) lost({ kind: 'unknown', reason });
    this.#awaited.clear();
  }

  /** Sets the timer of the market's next step, or none if nothing is in use. */
  #arm(): void {
    if (this.#dead !== undefined) return;
    const dueAt = this.#paper.nextStepAt(this.now());
    if (dueAt === undefined || (this.#timer !== undefined && this.#timer.dueAt <= dueAt)) return;
    this.#timer?.stop();
    this.#timer = { dueAt, stop: this.#clock.at(dueAt, () => this.#step()) };
  }

  /** The way of a request to the exchange; `undefined` if it takes no time. */
  #inbound(): Promise<void> | undefined {
    const now = this.#clock.now();
    const latency = this.#latency;
    if (typeof latency !== 'number') return this.#until(latency.arrival(now));
    const halfMs = Math.floor(latency / 2);
    return halfMs > 0 ? this.#until(later(now, halfMs)) : undefined;
  }

  /** When an answer, or news, that is sent now arrives. */
  #outboundAt(): Instant {
    const now = this.#clock.now();
    const latency = this.#latency;
    if (typeof latency !== 'number') return latency.answer(now);
    return later(now, latency - Math.floor(latency / 2));
  }

  /** What left together arrives together: the answers about the legs of a portfolio are one turn of it. */
  #until(arrivesAt: Instant): Promise<void> {
    return new Promise((resolve) => {
      const sentAt = this.#clock.now();
      const last = this.#underWay;
      if (last?.sentAt === sentAt && last.arrivesAt === arrivesAt) {
        last.arrive.push(resolve);
        return;
      }
      const next: UnderWay = { sentAt, arrivesAt, arrive: [resolve] };
      this.#underWay = next;
      this.#clock.at(arrivesAt, () => {
        if (this.#underWay === next) this.#underWay = undefined;
        for (const arrive of next.arrive) arrive();
      });
    });
  }
}
