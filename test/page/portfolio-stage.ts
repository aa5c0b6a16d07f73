// A gateway over an engine in virtual time, whose market, portfolios and fills are the same in every run: for the stories and
// the pictures of the screen of one portfolio.
import { setTimeout as rest } from 'node:timers/promises';
import type { PortfolioForm } from '../../src/core/terms/form.ts';
import { historyFrom } from '../../src/engine/news/read-history.ts';
import { price, quantity } from '../../src/values/amounts.ts';
import type { PortfolioId } from '../../src/values/ids.ts';
import type { Instant } from '../../src/values/instant.ts';
import { rng } from '../../src/values/rng.ts';
import { MemoryCostRecord } from '../../src/virtual/memory/memory-cost-record.ts';
import { MemoryMmpRecords } from '../doubles/memory/memory-mmp-records.ts';
import { type GatewayParts, GatewayUnderTest, TAKER } from '../gateway/gateway-under-test.ts';
import { form, legForm, type World, world } from '../support/engine/engine-world.ts';
import { option, perpetual, quote } from '../support/engine/markets.ts';

const PERP = perpetual();
const CALL = option();
const [CALL_DELTA, CALL_TICK] = [0.45, 0.0005];
const STEP_MS = 1_000;
const LIVE_STEP_MS = 250;

export class PortfolioStage {
  readonly gateway: GatewayUnderTest;
  readonly #world: World;
  readonly #random = rng('the market of the stage');
  #mid = 100_000;
  #halfSpread = 5;
  #isLive = false;

  private constructor(gateway: GatewayUnderTest, world: World) {
    this.gateway = gateway;
    this.#world = world;
  }

  /** `start`: of a gateway that is given these parts. */
  static async open(
    start = (parts: GatewayParts): Promise<GatewayUnderTest> => GatewayUnderTest.start({}, parts),
  ): Promise<PortfolioStage> {
    const costs = new MemoryCostRecord();
    const own = world({ costRecord: costs, instruments: [PERP, CALL] });
    const { ledger, operations } = own;
    const events = {
      eventsAfter: async (portfolio: PortfolioId, after: number, limit: number) =>
        ((await ledger.load(portfolio))?.events ?? []).slice(after, after + limit),
    };
    const gateway = await start({
      operations,
      historyOf: historyFrom(events),
      courses: { ledger: events, costs },
      reports: { ledger, costs, mmp: new MemoryMmpRecords() },
      accounts: { describe: (account) => ({ name: `desk ${account}`, exchange: 'script' }) },
    });
    own.bus.subscribe((news) => gateway.bus.publish([news]));
    const stage = new PortfolioStage(gateway, own);
    stage.#show();
    await own.engine.start();
    await stage.run(1_000);
    return stage;
  }

  /** Lets virtual time pass, in which the market moves each second. */
  async run(forMs: number): Promise<void> {
    for (let left = forMs; left > 0; left -= STEP_MS) {
      this.#mid += Math.round((this.#random.next() - 0.5) * 30);
      this.#show();
      await this.#world.run(Math.min(left, STEP_MS));
      this.gateway.nowMs = this.#world.clock.now();
    }
  }

  /** The perpetual is quoted so many dollars wide from the next second on. */
  quoteWide(dollars: number): void {
    this.#halfSpread = dollars / 2;
  }

  /** Virtual time passes in which no market is seen. */
  async runUnseen(forMs: number): Promise<void> {
    for (const { name } of [PERP, CALL]) this.#world.venue.hide(name);
    await this.#world.run(forMs);
    this.gateway.nowMs = this.#world.clock.now();
  }

  /** Time passes, until the stage is closed. */
  goLive(): void {
    if (this.#isLive) return;
    this.#isLive = true;
    const go = async (): Promise<void> => {
      while (this.#isLive) {
        await this.run(LIVE_STEP_MS);
        await rest(100);
      }
    };
    void go();
  }

  async submit(change: Partial<PortfolioForm> = {}): Promise<string> {
    const by = { uid: TAKER.uid, nickname: TAKER.nickname };
    const outcome = await this.#world.operations.submit(form(change), by);
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
    await this.run(1_000);
    return outcome.value.portfolio;
  }

  /** Another person, or a control, pauses it. */
  async pauseBy(uid: string, portfolio: string): Promise<void> {
    await this.#world.operations.pause(portfolio as PortfolioId, { uid, nickname: 'another' });
    await this.run(1_000);
  }

  async codeOf(purpose: 'open' | 'confirm'): Promise<string> {
    const path = '/tt/broker/openapi/trading/page-code';
    return (await this.gateway.request(path, { body: { purpose } })).json.value.code;
  }

  /** The venue refuses every order with this message. */
  refuse(message: string): void {
    this.#world.venue.mishap = (method) =>
      method === 'place' ? { code: 10_009, later: false, message } : undefined;
  }

  /** The order of a portfolio rests at this price. */
  resting(at: string, total = '6000'): Partial<PortfolioForm> {
    return {
      twapTrade: { durationSec: 3_600, frequencySec: 300 },
      legs: [
        legForm({
          quantity: quantity(total),
          priceOptions: { priceType: 'limit', priceIn: 'usd', price: price(at) },
        }),
      ],
    };
  }

  /** Calls with a hedge in perpetuals. */
  hedged(calls: string): Partial<PortfolioForm> {
    return {
      twapTrade: { durationSec: 3_600, frequencySec: 120 },
      legs: [
        legForm({
          instrument: CALL.name,
          instrumentType: 'option',
          quantity: quantity(calls),
        }),
        legForm({ side: 'sell', quantity: quantity('300000'), hedge: true }),
      ],
    };
  }

  async filled(portfolio: string): Promise<string> {
    const found = await this.#world.operations.info(portfolio as PortfolioId);
    return found?.legs[0]?.filled ?? '';
  }

  get now(): Instant {
    return this.#world.clock.now();
  }

  async close(): Promise<void> {
    this.#isLive = false;
    await this.gateway.close();
  }

  #show(): void {
    const traded = quantity(String(Math.floor(this.#world.clock.now() / 10) % 1_000_000));
    this.#world.venue.show(
      quote(PERP, [this.#mid - this.#halfSpread, this.#mid + this.#halfSpread], { traded }),
    );
    const premium = 0.04 + (this.#mid / 100_000 - 1) * CALL_DELTA;
    const [bid, ask] = [0, 1].map((ticks) =>
      Number(((Math.floor(premium / CALL_TICK) + ticks) * CALL_TICK).toFixed(4)),
    );
    const greeks = { delta: CALL_DELTA };
    this.#world.venue.show(quote(CALL, [bid, ask], { greeks }));
  }
}
