// Adapter, JSON-RPC session, served wire and paper exchange in virtual time, over a line that fails as a plan says. What the
// adapter answers and publishes is judged by the exchange's own events; in the calm after the storm its user must know
// everything that happened, once.

import type { DeribitVenue } from '../../../src/adapters/deribit/deribit-venue.ts';
import { openDeribitVenue } from '../../../src/adapters/deribit/open-deribit-venue.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { BookView } from '../../../src/ports/market-reads.ts';
import { text } from '../../../src/values/amounts.ts';
import { isProgrammingError } from '../../../src/values/errors/programming-error.ts';
import { type AccountId, type InstrumentName, venueName } from '../../../src/values/ids.ts';
import { type Instant, instant, later } from '../../../src/values/instant.ts';
import type { Quote } from '../../../src/values/quote.ts';
import { rng } from '../../../src/values/rng.ts';
import { type Settle, VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { OPTION_EXPIRES_AT } from '../checks/bounds.ts';
import type { Breach } from '../checks/breach.ts';
import { ACCOUNTS } from '../plan/simulated-accounts.ts';
import { offsetClock } from '../world/exchange/offset-clock.ts';
import {
  openSimulatedVenue,
  SETTLEMENT_PAUSE_MS,
  type SimulatedVenue,
} from '../world/open-simulated-venue.ts';
import { INSTRUMENTS, SimulatedMarket } from '../world/simulated-market.ts';
import type { SimulationResult } from '../world/simulation-run.ts';
import { Trace } from '../world/trace.ts';
import { Trouble } from '../world/trouble.ts';
import { ServedWire } from './served-wire.ts';
import { virtualTimers } from './virtual-timers.ts';
import type { ActOf, WireAct } from './wire-acts.ts';
import { WireJudge } from './wire-judge.ts';
import { WireLine } from './wire-line.ts';
import { accountOf } from './wire-orders.ts';
import type { WirePlan } from './wire-plan.ts';
import { WireRfqTrader } from './wire-rfq-trader.ts';
import { WireTrader } from './wire-trader.ts';

export interface WireSimulationOptions {
  readonly plan: WirePlan;
  /** Lets everything that was begun come to rest. */
  readonly settle: Settle;
  readonly keepsTrace?: boolean | undefined;
}

const START = instant(Date.UTC(2026, 10, 23, 12));
/** A connection that nothing passes is noticed by its silence, and the pauses between attempts grow. */
const CALM_MS = 120_000;
const RULES = {
  timeoutMs: 2_000,
  probeMs: 1_500,
  heartbeatSec: 10,
  backoff: { minMs: 250, maxMs: 3_000, heldMs: 5_000 },
};
/** More than the clocks of the two sides differ by, and than a request takes. */
const PAUSE_MARGIN_MS = 8_000;
/** After the last act, before anything is at rest. */
const REST_MS = 3_000;
/** What happened last is on its way, or is compared when the pause after the last comparison has passed. */
const SOON_MS = 12_000;
const QUOTE_MS = 10_000;
/** Levels of each side that are compared, and how long one comparison may take. */
const LEVELS = 20;
const LEVELS_MS = 70;

const KEYS: readonly ApiKey[] = ACCOUNTS.map((account, index) => ({
  id: `key-${index}`,
  secret: Buffer.from(`the secret of ${account}`).toString('base64'),
  uid: '1',
  nickname: `key-${index}`,
  accounts: [account],
  scopes: ['trade', 'blockRfq'],
}));

/** Runs a plan to its end. */
export async function simulateWire(options: WireSimulationOptions): Promise<SimulationResult> {
  const run = new WireRun(options);
  const restore = virtualTimers(run.clock);
  try {
    return await run.run();
  } finally {
    restore();
  }
}

class WireRun {
  readonly clock: VirtualClock;
  readonly #startAt: Instant;
  readonly #plan: WirePlan;
  readonly #settle: Settle;
  readonly #trouble: Trouble;
  readonly #trace: Trace;
  readonly #judge: WireJudge;
  readonly #line: WireLine;
  readonly #trader: WireTrader;
  readonly #rfqs: WireRfqTrader;
  readonly #exchange: SimulatedVenue;
  #served: ServedWire | undefined;
  #adapter: DeribitVenue | undefined;
  #isDead = false;
  #lives = 0;
  #breach: Breach | undefined;

  constructor({ plan, settle, keepsTrace = false }: WireSimulationOptions) {
    const { expiresAfterMs } = plan.exchange;
    this.#startAt =
      expiresAfterMs === undefined ? START : later(OPTION_EXPIRES_AT, -expiresAfterMs);
    this.clock = new VirtualClock(this.#startAt);
    this.#plan = plan;
    this.#settle = settle;
    this.#trace = new Trace(keepsTrace);
    this.#trouble = new Trouble(plan);
    this.#judge = new WireJudge(this.#reportBreach, this.#traced);
    const { clock } = this;
    const trouble = this.#trouble;
    this.#exchange = openSimulatedVenue({
      clock: this.#venueClock(),
      accounts: ACCOUNTS,
      market: new SimulatedMarket(plan.exchange, this.#startAt, trouble),
      latencyMs: plan.exchange.latencyMs,
      quietWindow: plan.exchange.quietWindow,
      witness: (event) => this.#judge.take(event),
      deaths: plan.exchange.exchangeDeaths && { onDeath: (restMs) => this.#died(restMs) },
      onFault: (error) => this.#crashed('exchange', error),
    });
    this.#line = new WireLine({ clock, trouble, served: () => this.#served });
    this.#trader = new WireTrader({
      clock,
      trouble,
      startAt: later(this.#startAt, -60_000),
      judge: this.#judge,
      breach: this.#reportBreach,
      trace: this.#traced,
      isPaused: () => this.#isPaused(),
    });
    this.#rfqs = new WireRfqTrader({
      clock,
      trouble,
      judge: this.#judge,
      breach: this.#reportBreach,
      note: (...noted) => this.#trader.note(...noted),
    });
  }

  async run(): Promise<SimulationResult> {
    const { acts, exchange, stormMs } = this.#plan;
    this.#serve();
    void this.#begin();
    for (const act of acts) this.clock.at(later(this.#startAt, act.atMs), () => this.#act(act));
    for (const death of exchange.exchangeDeaths ?? []) {
      this.clock.at(later(this.#startAt, death.atMs), () => this.#exchange.doom?.(death));
    }
    await this.#pass(stormMs, () => false);
    this.#trouble.heal();
    this.#exchange.doom?.(undefined);
    this.#traced('healed', '');
    await this.#pass(CALM_MS, () => this.#isAtRest());
    if (this.#breach === undefined) await this.#judgeEnd();
    if (this.#breach === undefined) await this.#judgeQuotes();
    this.#noteJudged();
    this.#trader.end();
    this.#rfqs.end();
    await this.#adapter?.close();
    this.#served?.stop();
    return {
      breach: this.#breach,
      traceHash: this.#trace.hash,
      trace: this.#trace.lines,
      counts: this.#trouble.counts,
      children: this.#trader.asked.length,
      virtualMs: this.clock.now() - this.#startAt,
    };
  }

  #noteJudged(): void {
    if (this.#judge.cancelledInBump > 0) this.#trouble.note('cancelled in its speed bump');
    if (this.#judge.fired > 0) this.#trouble.note('started by a trigger or another order');
  }

  #act(act: WireAct): void {
    this.#traced('act', act);
    if (act.kind === 'restart_gateway') {
      this.#endServing();
      this.clock.at(later(this.clock.now(), act.restMs), () => this.#serve());
    } else if (act.kind === 'restart_client') {
      this.#trader.end();
      this.#rfqs.end();
      void this.#adapter?.close();
      void this.#begin();
    } else {
      this.#trader.act(act);
      this.#rfqs.act(act);
      if (act.kind === 'trip') this.#trip(act);
    }
  }

  /** The venue's own protection cancels what the account has in the option, without a request of the adapter. */
  #trip(act: ActOf<'trip'>): void {
    const { name: instrument } = INSTRUMENTS.option;
    this.clock.at(later(this.clock.now(), act.afterMs), () => {
      if (this.#isDead) return;
      const filter = { account: accountOf(act), instrument, reason: 'mmp_trigger' } as const;
      void this.#exchange.venue.cancelAll(filter).then(({ kind }) => this.#traced('trip', kind));
    });
  }

  /** Around the settlement the books are closed, by the clocks of both sides. */
  #isPaused(): boolean {
    const sinceMs = this.clock.now() - OPTION_EXPIRES_AT;
    return sinceMs > -PAUSE_MARGIN_MS && sinceMs < SETTLEMENT_PAUSE_MS + PAUSE_MARGIN_MS;
  }

  /** The exchange lives in the gateway's process, which starts again from its journal. */
  #died(restMs: number): void {
    this.#trouble.note('exchange died');
    this.#isDead = true;
    // When the write has failed: nothing of the process acts in the middle of it.
    this.clock.at(this.clock.now(), () => this.#endServing());
    // Later than the exchange itself at that instant.
    this.clock.at(later(this.clock.now(), restMs), () => {
      this.clock.at(this.clock.now(), () => {
        this.#isDead = false;
        this.#serve();
      });
    });
  }

  #endServing(): void {
    this.#served?.stop();
    this.#served = undefined;
    this.#line.cutAll();
  }

  #serve(): void {
    if (this.#isDead || this.#served !== undefined) return;
    this.#served = new ServedWire({
      venue: this.#exchange.venue,
      keys: KEYS,
      clock: this.#venueClock(),
      unreadBytesMax: this.#plan.unreadBytesMax,
      // A process that has died reports nothing.
      report: (error) => {
        if (!this.#isDead) this.#crashed('gateway', error);
      },
      dropped: (why) => this.#trouble.note(`dropped ${why}`),
    });
  }

  async #begin(): Promise<void> {
    this.#lives += 1;
    const life = this.#lives;
    const { seed, clientOffsetMs, cancelOnDisconnect } = this.#plan;
    const adapter = await openDeribitVenue({
      name: venueName('simulated'),
      line: this.#line,
      url: 'ws://127.0.0.1:1/ws/api/v2',
      expected: 'any',
      allowsLive: false,
      accounts: KEYS.map(({ id, secret, accounts }) => ({
        account: accounts[0] as AccountId,
        key: { kind: 'deribit', clientId: id, clientSecret: secret },
      })),
      clock: offsetClock(this.clock, clientOffsetMs),
      rng: rng(`${seed}/adapter/${life}`),
      rules: RULES,
      cancelOnDisconnect,
      skewMaxMs: 5_000,
      firstWaitMs: 0,
      onFault: (error) => {
        if (isProgrammingError(error)) this.#crashed('adapter', error);
        else this.#traced('fault', String(error));
      },
    });
    if (life !== this.#lives) return void adapter.close();
    this.#adapter = adapter;
    this.#trader.begin(adapter);
    this.#rfqs.begin(adapter);
  }

  #isAtRest(): boolean {
    const { acts } = this.#plan;
    const lastMs = acts.at(-1)?.atMs ?? 0;
    return (
      this.clock.now() - this.#startAt > lastMs + REST_MS &&
      !this.#isPaused() &&
      this.#adapter?.trouble() === undefined &&
      this.#open.length === 0
    );
  }

  get #open(): readonly string[] {
    return [...this.#trader.open, ...this.#rfqs.open];
  }

  get #missing(): readonly string[] {
    return [...this.#trader.missing, ...this.#rfqs.missing];
  }

  async #judgeEnd(): Promise<void> {
    const why = this.#adapter?.trouble() ?? this.#open[0];
    if (why !== undefined) this.#reportBreach('liveness', `after ${CALM_MS} ms of calm: ${why}`);
    this.#trader.judgeEnd();
    this.#rfqs.judgeEnd();
    await this.#pass(SOON_MS, () => this.#missing.length === 0);
    const [missing] = this.#missing;
    if (missing !== undefined) this.#reportBreach('lost', missing);
  }

  /** Soon the adapter's touch of each instrument is that of the book; of one that has expired it shows none. */
  async #judgeQuotes(): Promise<void> {
    const { venue } = this.#exchange;
    for (const { name } of Object.values(INSTRUMENTS)) {
      await this.#judgeLevels(name);
      const real = (): string =>
        venue.instrument(name) === undefined ? EMPTY : touch(venue.quote(name));
      const shown = (): string => {
        const own = touch(this.#adapter?.quote(name));
        return venue.instrument(name) === undefined && own === UNKNOWN ? EMPTY : own;
      };
      await this.#pass(QUOTE_MS, () => shown() === real());
      if (shown() === real()) continue;
      this.#reportBreach('quote', `${name}: ${shown()}, in the book ${real()}`);
    }
  }

  /** Soon the adapter's levels of a book are those of the exchange. */
  async #judgeLevels(name: InstrumentName): Promise<void> {
    const { venue } = this.#exchange;
    const until = later(this.clock.now(), QUOTE_MS);
    let [shown, real] = ['', ''];
    while (this.#breach === undefined && venue.instrument(name) !== undefined) {
      const books = [this.#adapter?.market, venue.market].map((of) => of?.book(name, LEVELS));
      const read = (views: readonly (BookView | undefined)[]): void => {
        [shown = '', real = ''] = views.map(levelsOf);
      };
      // A read without an answer is repeated.
      void Promise.all(books).then(read, () => undefined);
      let isOver = false;
      this.clock.at(later(this.clock.now(), LEVELS_MS), () => {
        isOver = true;
      });
      await this.#pass(QUOTE_MS, () => isOver);
      if (shown === real && real !== '') return;
      if (this.clock.now() >= until) {
        this.#reportBreach('quote', `${name}: levels ${shown}, in the book ${real}`);
      }
    }
  }

  async #pass(forMs: number, isDone: () => boolean): Promise<void> {
    const until = later(this.clock.now(), forMs);
    await this.#settle();
    while (this.#breach === undefined && !isDone() && this.clock.runNext(until)) {
      await this.#settle();
    }
  }

  #venueClock(): Clock {
    return offsetClock(this.clock, this.#plan.exchange.venueOffsetMs);
  }

  #crashed(where: string, error: unknown): void {
    this.#reportBreach(
      'crash',
      `${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }

  readonly #traced = (what: string, detail: unknown): void => {
    this.#trace.add(this.clock.now() - this.#startAt, what, detail);
  };

  readonly #reportBreach = (invariant: string, what: string): void => {
    this.#traced(`breach ${invariant}`, what);
    this.#breach ??= { invariant, what };
  };
}

const UNKNOWN = 'unknown';
const EMPTY = 'none / none';

const touch = (quote: Quote | undefined): string =>
  quote === undefined
    ? UNKNOWN
    : [quote.bid, quote.ask]
        .map((side) => (side === undefined ? 'none' : `${text(side.price)} ${text(side.quantity)}`))
        .join(' / ');

const levelsOf = (view: BookView | undefined): string =>
  view === undefined
    ? UNKNOWN
    : [view.bids, view.asks]
        .map((side) => side.map((level) => `${text(level.price)} ${text(level.quantity)}`).join())
        .join(' / ');
