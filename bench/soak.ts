// More than a day of the production engine on the paper exchange, in virtual time, with a constant number of active
// portfolios; after each hour nothing may have grown. Ended portfolios are removed from the ledger, whose size is a matter of disk.
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DEFAULT_SETTINGS } from '../src/core/terms/settings.ts';
import { seededMarket } from '../src/exchange/market/market.ts';
import type { StoredPortfolio } from '../src/ports/ledger.ts';
import { price, quantity } from '../src/values/amounts.ts';
import { accountId, deploymentId } from '../src/values/ids.ts';
import { HOUR_MS, type Instant, instant, later, MINUTE_MS } from '../src/values/instant.ts';
import { COURSE_LIMITS } from '../src/virtual/backtest/virtual-course.ts';
import { World } from '../src/virtual/world.ts';
import { settle } from '../test/simulation/settle.ts';
import { BY, form, legForm } from '../test/support/engine/engine-world.ts';
import type { Row } from './row.ts';

const HOURS = Number(process.env['TWAPD_BENCH_HOURS'] ?? '27');
const AT_WORK = 24;
const DURATION_SEC = 600;
const FREQUENCY_SEC = 10;
const START = instant(Date.UTC(2026, 10, 2));
/** Retention of closed orders and trades, so short that the second hour has as many as the last. */
const RETENTION = {
  ordersMs: HOUR_MS,
  tradesMs: HOUR_MS,
  ordersMax: 1_000_000,
  tradesMax: 1_000_000,
};
/** The first hour fills the records that are kept for an hour. */
const WARM_HOURS = 2;
const DAY_HOURS = 24;
const MIB = 2 ** 20;

interface Hour {
  readonly hour: number;
  readonly heapBytes: number;
  readonly ended: number;
  readonly slices: number;
  /** The largest lateness of a slice in this hour. */
  readonly lateMs: number;
  readonly open: number;
}

class Soak {
  readonly #world: World;
  readonly #collect: () => void;
  #submitted = 0;
  #ended = 0;
  #slices = 0;
  #lateMs = 0;

  constructor() {
    setFlagsFromString('--expose-gc');
    this.#collect = runInNewContext('gc') as () => void;
    this.#world = new World({
      startAt: START,
      market: seededMarket({ seed: 'soak', startAt: START }),
      accounts: [{ account: accountId('10001') }],
      settings: { ...DEFAULT_SETTINGS, deployment: deploymentId('soak'), skewMs: 0, readLagMs: 0 },
      limits: COURSE_LIMITS,
      latencyMs: 2,
      settle,
      retention: RETENTION,
    });
  }

  async run(): Promise<readonly Hour[]> {
    await this.#world.start();
    const hours: Hour[] = [];
    for (let hour = 1; hour <= HOURS; hour += 1) {
      await this.#pass(later(START, hour * HOUR_MS));
      hours.push(this.#sample(hour));
    }
    await this.#world.close();
    return hours;
  }

  /** Replaces each portfolio that has ended, checked every minute. */
  async #pass(until: Instant): Promise<void> {
    const { clock, engine, ledger } = this.#world;
    while (clock.now() < until) {
      const atWork = [...engine.turns.states()].filter(({ status }) => status === 'active').length;
      for (let more = atWork; more < AT_WORK; more += 1) await this.#submit();
      await this.#world.run(later(clock.now(), MINUTE_MS));
      ledger.forgetOver((portfolio) => this.#note(portfolio));
    }
  }

  async #submit(): Promise<void> {
    this.#submitted += 1;
    const side = this.#submitted % 2 === 0 ? 'buy' : 'sell';
    const taking = legForm({ side, quantity: quantity('1200') });
    const following = legForm({
      side,
      quantity: quantity('1200'),
      priceOptions: {
        priceType: 'dynamic',
        dynamicPriceStrategy: 'mid',
        dynamicMs: 2_000,
        price: price('1'),
        priceIn: 'USD',
      },
    });
    const twapTrade = { durationSec: DURATION_SEC, frequencySec: FREQUENCY_SEC };
    const answer = await this.#world.operations.submit(
      form({ legs: [taking, following], twapTrade }),
      BY,
    );
    if (answer.kind === 'refused') throw new Error(JSON.stringify(answer));
  }

  #note({ events }: StoredPortfolio): void {
    if (events.at(-1)?.kind !== 'filled') throw new Error(`ended with ${events.at(-1)?.kind}`);
    this.#ended += 1;
    for (const event of events) {
      if (event.kind !== 'slice_started') continue;
      this.#slices += 1;
      this.#lateMs = Math.max(this.#lateMs, event.at - event.dueAt);
    }
  }

  #sample(hour: number): Hour {
    this.#collect();
    const open = [...this.#world.engine.turns.states()].reduce(
      (sum, { children }) => sum + children.size,
      0,
    );
    const lateMs = this.#lateMs;
    this.#lateMs = 0;
    const heapBytes = process.memoryUsage().heapUsed;
    return { hour, heapBytes, lateMs, open, ended: this.#ended, slices: this.#slices };
  }
}

export async function benchSoak(): Promise<Row[]> {
  const from = performance.now();
  const hours = await new Soak().run();
  const tookMs = performance.now() - from;
  const warm = hours.filter(({ hour }) => hour >= WARM_HOURS);
  const heaps = warm.map(({ heapBytes }) => heapBytes / MIB);
  // The market varies over the day, so the same hour of the next day is compared.
  const drifts = heaps.slice(DAY_HOURS).map((heap, index) => heap / (heaps[index] ?? heap) - 1);
  const share = Math.max(0, ...drifts.map(Math.abs));
  const speed = (HOURS * HOUR_MS) / tookMs;
  process.stderr.write(`heap at each hour, MiB: ${heaps.map((one) => one.toFixed(1)).join(' ')}\n`);
  const shown = warm.filter(({ hour }) => hour % 4 === 0 || hour === WARM_HOURS);
  return [
    ...shown.map((one) => ({
      what: `hour ${one.hour}: heap, latest slice, open orders, portfolios that ended`,
      value: `${(one.heapBytes / MIB).toFixed(1)} MiB, ${one.lateMs} ms, ${one.open}, ${one.ended}`,
    })),
    {
      what: `${HOURS} virtual hours, ${hours.at(-1)?.slices} slices: heap against the same hour a day before; least and most`,
      value: `${(share * 100).toFixed(1)} %; ${Math.min(...heaps).toFixed(1)} and ${Math.max(...heaps).toFixed(1)} MiB; ${speed.toFixed(0)} times as fast`,
      yardstick: 'target: within 5 %, 50 times',
    },
  ];
}
