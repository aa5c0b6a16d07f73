// One seeded run of one or two engines through faults: lost requests and replies, refusals, late, duplicate and
// reordered notices, a failing ledger and queue, an unavailable venue, foreign cancels of orders, cancels at any
// time, processes that die at any await. Then all faults end.

import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { PortfolioNews } from '../../../src/ports/event-bus.ts';
import { type Ledger, LedgerFailure } from '../../../src/ports/ledger.ts';
import { price, quantityOf } from '../../../src/values/amounts.ts';
import { accountId, type PortfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { BY, form, legForm, settle, type World, world } from '../engine/engine-world.ts';
import { inParts } from '../engine/in-parts.ts';
import { NOON, option, perpetual, quote, spot } from '../engine/markets.ts';
import { type Mishap, ScriptVenue } from '../engine/script-venue.ts';
import { type Life, life } from './mortal.ts';

export const STORM_INSTRUMENTS = [perpetual(), spot(), option()] as const;
const [PERP, COIN, CALL] = STORM_INSTRUMENTS;
const DUMMY = accountId('20001');

export interface StormOptions {
  readonly seed: string;
  readonly engines: 1 | 2;
  /** Processes may die. */
  readonly deaths: boolean;
  /** A process that died is not restarted. */
  readonly staysDead?: boolean;
  /** Portfolios have parts instead of a schedule. */
  readonly inParts?: boolean;
}

interface Process {
  readonly world: World;
  readonly own: Life;
}

interface Client {
  readonly key: string;
  readonly form: PortfolioForm;
  readonly submitAt: number;
  readonly cancelAt: number | undefined;
  asking: Life | undefined;
  id?: PortfolioId;
}

export interface StormResult {
  readonly venue: ScriptVenue;
  readonly ledger: MemoryLedger;
  readonly worlds: readonly World[];
  readonly portfolios: readonly PortfolioId[];
  readonly news: readonly PortfolioNews[];
  readonly broken: readonly unknown[];
  readonly deaths: number;
  /** The number of processes that work at the same time. */
  readonly processes: number;
  /** The time from the end of the faults to the end of the last portfolio; infinite if one never ended. */
  readonly endedAfterMs: number;
}

const HEAL_LIMIT_MS = 180_000;

export async function storm(options: StormOptions): Promise<StormResult> {
  const one = new Storm(options);
  await one.rage();
  return await one.heal();
}

class Storm {
  readonly #options: StormOptions;
  readonly #random: Rng;
  readonly #clock = new VirtualClock(NOON);
  readonly #memory: MemoryLedger;
  readonly #venue: ScriptVenue;
  readonly #worlds: World[] = [];
  readonly #processes: Process[] = [];
  readonly #clients: Client[] = [];
  readonly #news: PortfolioNews[] = [];
  readonly #broken: unknown[] = [];
  /** The kinds of faults in this run: each may hide what another one would show. */
  readonly #kinds: ReadonlySet<string>;
  #isRaging = true;
  #deaths = 0;
  #mid = 100_000;

  constructor(options: StormOptions) {
    this.#options = options;
    this.#random = rng(options.seed);
    this.#kinds = new Set(KINDS.filter(() => this.#chance(0.5)));
    this.#memory = new MemoryLedger({
      now: () => this.#clock.now(),
      beforeCommit: async () => {
        await this.#ledgerTrouble('ledger', false);
        await this.#ledgerTrouble('ledger_lost', true);
      },
      afterCommit: () => this.#ledgerTrouble('ledger_doubt', true),
    });
    this.#venue = new ScriptVenue(this.#clock, STORM_INSTRUMENTS);
    this.#prepareVenue();
    for (let i = 0; i <= this.#random.below(3); i += 1) this.#clients.push(this.#client(i));
    for (let i = 0; i < options.engines; i += 1) this.#launch();
  }

  /** Injects faults for somewhat longer than the portfolios are meant to run. */
  async rage(): Promise<void> {
    const until = later(this.#clock.now(), 10_000 + this.#random.below(40_000));
    while (this.#clock.now() < until) {
      this.#moveMarket();
      this.#venue.isDown = this.#hits('down', this.#venue.isDown ? 0.8 : 0.04);
      if (this.#hits('stranger', 0.05)) this.#strikeOne();
      this.#requestAsClients();
      this.#killAndLaunch();
      await this.#pass(100 + this.#random.below(500));
    }
  }

  async heal(): Promise<StormResult> {
    this.#isRaging = false;
    this.#venue.isDown = false;
    if (this.#processes.every(({ own }) => own.isDead) || this.#options.staysDead !== true) {
      this.#replaceDead();
    }
    // Processes launched in the storm may still be due to die.
    for (const { own } of this.#processes) own.count = Number.POSITIVE_INFINITY;
    const healedAt = this.#clock.now();
    let endedAfterMs = Number.POSITIVE_INFINITY;
    while (this.#clock.now() < healedAt + HEAL_LIMIT_MS) {
      this.#requestAsClients();
      this.#moveMarket();
      await this.#pass(1_000);
      const isAsked = this.#clients.every(({ id }) => id !== undefined);
      if (isAsked && (await this.#memory.active()).length === 0) {
        endedAfterMs = this.#clock.now() - healedAt;
        break;
      }
    }
    // Messages still in flight may arrive.
    await this.#pass(40_000);
    return this.#result(endedAfterMs);
  }

  #result(endedAfterMs: number): StormResult {
    return {
      venue: this.#venue,
      ledger: this.#memory,
      worlds: this.#worlds,
      portfolios: this.#clients.flatMap(({ id }) => id ?? []),
      news: this.#news,
      broken: this.#broken,
      deaths: this.#deaths + this.#processes.filter(({ own }) => own.isDead).length,
      processes: this.#options.engines,
      endedAfterMs,
    };
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #hits(kind: string, share: number): boolean {
    return this.#isRaging && this.#kinds.has(kind) && this.#chance(share);
  }

  #pass(forMs: number): Promise<void> {
    return this.#clock.run(later(this.#clock.now(), forMs), settle);
  }

  #sleep(forMs: number): Promise<void> {
    return new Promise((done) => this.#clock.at(later(this.#clock.now(), forMs), done));
  }

  async #ledgerTrouble(kind: string, maybe: boolean): Promise<void> {
    if (this.#hits('ledger_slow', 0.1)) await this.#sleep(this.#random.below(1_500));
    if (this.#hits(kind, 0.08)) throw new LedgerFailure(`trouble: ${kind}`, maybe);
  }

  #prepareVenue(): void {
    const venue = this.#venue;
    venue.isTalkative = this.#chance(0.7);
    venue.skewMs = this.#kinds.has('skew') ? this.#random.below(401) - 200 : 0;
    venue.readLagMs = () => (this.#hits('read_lag', 0.3) ? this.#random.below(200) : 0);
    venue.mishap = () => this.#mishap();
    venue.hook = () =>
      this.#hits('slow', 0.15) ? this.#sleep(this.#random.below(4_000)) : Promise.resolve();
    venue.carry = (send) => {
      if (this.#hits('silent', 0.2)) return;
      const times = this.#hits('doubled', 0.2) ? 2 : 1;
      for (let i = 0; i < times; i += 1) {
        if (this.#hits('disordered', 0.5)) void this.#sleep(this.#random.below(2_000)).then(send);
        else send();
      }
    };
  }

  #mishap(): Mishap | undefined {
    if (this.#hits('lost_request', 0.12)) return 'lose_request';
    if (this.#hits('lost_reply', 0.12)) return 'lose_reply';
    if (this.#hits('refused', 0.12)) {
      return this.#chance(0.5) ? { code: 10041, later: true } : { code: 10009, later: false };
    }
    return undefined;
  }

  #ledger(): Ledger {
    return new Proxy<Ledger>(this.#memory, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name, target);
        if (typeof found !== 'function') return found;
        const call = found.bind(target) as (...given: unknown[]) => unknown;
        if (name !== 'load' && name !== 'overdue' && name !== 'row') return call;
        return (...given: unknown[]) =>
          this.#hits('ledger', 0.05)
            ? Promise.reject(new LedgerFailure('trouble: read', false))
            : call(...given);
      },
    });
  }

  #launch(): void {
    const dieAt = this.#isRaging && this.#options.deaths ? 1 + this.#random.below(150) : 0;
    const own = life(dieAt);
    const made = world({
      clock: this.#clock,
      ledger: this.#ledger(),
      venue: this.#venue,
      life: own,
      dummies: [DUMMY],
      onBroken: (error) => this.#broken.push(error),
      disturb: ({ dueAt }) => {
        if (this.#hits('queue_loses', 0.3)) return [];
        const at = this.#hits('queue_late', 0.3) ? later(dueAt, this.#random.below(3_000)) : dueAt;
        return this.#hits('queue_doubles', 0.3) ? [at, later(at, 50)] : [at];
      },
    });
    made.bus.subscribe((news) => this.#news.push(news));
    this.#worlds.push(made);
    this.#processes.push({ world: made, own });
    void made.engine.start();
  }

  #killAndLaunch(): void {
    if (!this.#options.deaths) return;
    for (const { own } of this.#processes) if (this.#chance(0.01)) own.isDead = true;
    if (this.#options.staysDead !== true && this.#chance(0.1)) this.#replaceDead();
  }

  #replaceDead(): void {
    const dead = this.#processes.filter(({ own }) => own.isDead);
    for (const one of dead) {
      this.#deaths += 1;
      this.#processes.splice(this.#processes.indexOf(one), 1);
      this.#launch();
    }
  }

  #requestAsClients(): void {
    const alive = this.#processes.filter(({ own }) => !own.isDead);
    const served = alive[this.#random.below(alive.length)];
    if (served === undefined) return;
    const { operations } = served.world;
    const now = this.#clock.now() - NOON;
    for (const client of this.#clients) {
      if (client.id === undefined && now >= client.submitAt) this.#submit(client, served);
      if (client.id === undefined || client.cancelAt === undefined) continue;
      if (now >= client.cancelAt && this.#chance(0.3)) {
        void operations.cancel(client.id, BY).catch(expectLedgerFailure);
      }
    }
    if (this.#hits('cancel_all', 0.01)) {
      void operations.cancelAll({ account: accountId('10001') }, BY).catch(expectLedgerFailure);
    }
  }

  /** Submits like a client that does not give up: repeats the same key until there is a reply. */
  #submit(client: Client, { world: served, own }: Process): void {
    if (client.asking !== undefined && !client.asking.isDead) return;
    client.asking = own;
    served.operations.submit(client.form, BY, client.key).then(
      (outcome) => {
        if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
        client.id = outcome.value.portfolio;
      },
      (error: unknown) => {
        client.asking = undefined;
        expectLedgerFailure(error);
      },
    );
  }

  #strikeOne(): void {
    const open = this.#venue.kept.filter(({ order }) => order.state === 'open');
    const one = open[this.#random.below(Math.max(1, open.length))];
    if (one !== undefined) this.#venue.strike(one.order.label);
  }

  #moveMarket(): void {
    this.#mid += Math.round(this.#random.normal() * 8);
    const gap = 0.5 * (1 + this.#random.below(20));
    const depth = this.#hits('shallow', 0.6) ? 10 * (1 + this.#random.below(10)) : 1_000_000;
    const sides = this.#hits('one_sided', 0.3) ? this.#random.below(3) : 3;
    const levels = (bid: number, ask: number) =>
      [sides === 1 || sides === 3 ? bid : undefined, sides >= 2 ? ask : undefined] as const;
    const sized = { bidSize: depth, askSize: depth };
    this.#show(quote(PERP, levels(this.#mid - gap, this.#mid + gap)), sized.bidSize);
    this.#show(quote(COIN, levels(Math.floor(this.#mid - gap), Math.ceil(this.#mid + gap))), depth);
    const shift = 0.0005 * this.#random.below(4);
    this.#show(quote(CALL, levels(0.05 + shift, 0.051 + shift), { markIv: 0.6 }), depth);
  }

  #show(shown: ReturnType<typeof quote>, depth: number): void {
    const size = shown.instrument === PERP.name ? quantityOf(depth) : quantityOf(depth / 1_000);
    const { bid, ask } = shown;
    this.#venue.show({
      ...shown,
      bid: bid && { ...bid, quantity: size },
      ask: ask && { ...ask, quantity: size },
    });
  }

  #client(index: number): Client {
    const random = this.#random;
    const frequencySec = 1 + random.below(4);
    const durationSec = frequencySec * (1 + random.below(8));
    return {
      key: `client-${index}`,
      submitAt: random.below(4_000),
      cancelAt: this.#chance(0.4) ? 2_000 + random.below(40_000) : undefined,
      asking: undefined,
      form: this.#shaped(
        form({
          twapTrade: { durationSec, frequencySec },
          legs: this.#legs(),
          dummyAccounts: this.#chance(0.3) ? [DUMMY] : [],
          execution: {
            endAction: this.#chance(0.5) ? 'market' : 'cancel',
            phase: this.#chance(0.3) ? random.next() : 0,
          },
        }),
      ),
    };
  }

  #shaped(asked: PortfolioForm): PortfolioForm {
    return this.#options.inParts ? inParts(asked, STORM_INSTRUMENTS) : asked;
  }

  #legs(): PortfolioForm['legs'] {
    const random = this.#random;
    const lots = () => 1 + random.below(60);
    const perp = legForm({
      side: this.#chance(0.5) ? 'buy' : 'sell',
      quantity: quantityOf(10 * lots()),
      ...this.#manner('USD'),
    });
    const coin = legForm({
      instrument: COIN.name,
      instrumentType: 'spot',
      side: this.#chance(0.5) ? 'buy' : 'sell',
      quantity: quantityOf(lots() / 10_000),
      ...this.#manner('USDC'),
    });
    const call = legForm({
      instrument: CALL.name,
      instrumentType: 'option',
      quantity: quantityOf(lots() / 10),
      priceOptions: this.#chance(0.5)
        ? { priceType: 'market' }
        : { priceType: 'limit', price: price('0.7'), priceIn: 'IV' },
    });
    const legs = [perp, coin, call].filter(() => this.#chance(0.5));
    if (legs.length === 0) return [perp];
    if (legs.length === 1 || this.#chance(0.7)) return legs;
    const hedged = random.below(legs.length);
    return legs.map((leg, index) => ({ ...leg, hedge: index === hedged }));
  }

  /** Pricing and lifetime of a leg priced around the mid. */
  #manner(currency: string): Partial<ReturnType<typeof legForm>> {
    const at = price(String(100_000 + this.#random.below(60) - 30));
    const postOnly = this.#chance(0.2);
    switch (this.#random.below(3)) {
      case 0:
        return { timeInForce: this.#chance(0.3) ? 'fok' : 'ioc' };
      case 1:
        return { postOnly, priceOptions: { priceType: 'limit', price: at, priceIn: currency } };
      default:
        return {
          postOnly,
          priceOptions: {
            priceType: 'dynamic',
            price: at,
            priceIn: currency,
            dynamicPriceStrategy: (['mid', 'bid', 'ask', 'mark'] as const)[this.#random.below(4)],
            dynamicMs: 300 + this.#random.below(3_000),
          },
        };
    }
  }
}

const KINDS = [
  'ledger',
  'ledger_doubt',
  'ledger_lost',
  'ledger_slow',
  'down',
  'stranger',
  'read_lag',
  'skew',
  'slow',
  'silent',
  'doubled',
  'disordered',
  'lost_request',
  'lost_reply',
  'refused',
  'queue_loses',
  'queue_late',
  'queue_doubles',
  'cancel_all',
  'shallow',
  'one_sided',
];

function expectLedgerFailure(error: unknown): void {
  if (!(error instanceof LedgerFailure)) throw error;
}

export const eventsOf = async (
  ledger: MemoryLedger,
  portfolio: PortfolioId,
): Promise<readonly PortfolioEvent[]> => (await ledger.load(portfolio))?.events ?? [];
