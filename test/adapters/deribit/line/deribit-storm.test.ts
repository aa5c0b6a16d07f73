// Seeded storms on the connection to an exchange in another process: the production engine trades through DeribitVenue
// and real sockets while connections are cut, answers are lost and processes die. The judge reads only the trades and
// open orders of the exchange and the records of the portfolios, and counts in whole contracts of its own.

import process from 'node:process';
import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_SUBMIT_LIMITS } from '../../../../src/core/portfolio/admission/submit-limits.ts';
import { EngineOperations } from '../../../../src/engine/api/engine-operations.ts';
import { ALONE, assembleEngine } from '../../../../src/engine/assemble-engine.ts';
import { unlimitedGate } from '../../../../src/engine/risk/watch-gate.ts';
import { price, quantity } from '../../../../src/values/amounts.ts';
import type { PortfolioId } from '../../../../src/values/ids.ts';
import { type Rng, rng } from '../../../../src/values/rng.ts';
import { MemoryEventBus } from '../../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../../src/virtual/memory/memory-ledger.ts';
import { VirtualQueue } from '../../../../src/virtual/virtual-queue.ts';
import { value } from '../../../conformance/venue-act.ts';
import { BY, form, legForm, SETTINGS } from '../../../support/engine/engine-world.ts';
import { witness } from '../../../support/engine/quiet-observer.ts';
import { ACCOUNT } from '../../paper/paper-stage.ts';
import { connectTo } from '../connect-deribit.ts';
import { serveDeribit } from '../deribit-stage.ts';
import { CuttingProxy, type Mishap } from './cutting-proxy.ts';
import { TurningTime } from './turning-time.ts';

/** `npm run test:long` sets more. */
const SEEDS = Number(process.env['DERIBIT_STORM_SEEDS'] ?? '3');
const STORM_MS = 6_000;
const MISHAPS: readonly Mishap[] = [
  'before_request',
  'before_answer',
  'mid_answer',
  'silence_after_request',
  'silence_before_request',
];
const RULES = {
  timeoutMs: 700,
  probeMs: 300,
  backoff: { minMs: 20, maxMs: 200, heldMs: 1_000 },
};

/** Rests at the bid and follows it. */
const FOLLOWING = {
  priceType: 'dynamic',
  price: price('1'),
  priceIn: 'USD',
  dynamicPriceStrategy: 'bid',
  dynamicMs: 200,
} as const;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A daemon as far as orders are concerned: its engine and its connection die together; its ledger does not. */
class Daemon {
  readonly #ledger: MemoryLedger;
  readonly #time: TurningTime;
  readonly #url: string;
  #end: () => Promise<void> = () => Promise.resolve();
  operations!: EngineOperations;

  constructor(time: TurningTime, url: string) {
    this.#time = time;
    this.#url = url;
    this.#ledger = new MemoryLedger({ now: () => time.clock.now() });
    closers.push(() => this.#end());
  }

  async start(): Promise<void> {
    const { clock } = this.#time;
    const { venue } = await connectTo(this.#url, { clock, rules: RULES });
    const observer = witness();
    const fail = (error: unknown): void =>
      observer.observe({ event: 'failed', where: 'port', error });
    const { engine, submission } = assembleEngine({
      ...ALONE,
      gate: unlimitedGate({ clock, observer }),
      clock,
      observer,
      ledger: this.#ledger,
      bus: new MemoryEventBus(fail),
      queue: new VirtualQueue(clock, { onFault: fail }),
      venues: { forAccount: () => venue, all: () => [venue], accounts: () => [ACCOUNT] },
      settings: { ...SETTINGS, validForMs: 600, retryMs: 100 },
      limits: () => ({
        ...DEFAULT_SUBMIT_LIMITS,
        durationSecMin: 1,
        frequencySecMin: 1,
        dummyAccounts: new Set(),
      }),
      sweepMs: 500,
      compareMs: 2_000,
      onBroken: (error) => {
        throw error;
      },
    });
    this.#end = async () => {
      engine.stop();
      await venue.close();
    };
    await engine.start();
    this.operations = new EngineOperations({ engine, submission, ledger: this.#ledger, clock });
  }

  /** It dies at any instant, without a drain. */
  async restart(): Promise<void> {
    await this.#end();
    await this.start();
  }
}

interface Asked {
  readonly id: PortfolioId;
  readonly contracts: number;
}

async function submitAll(daemon: Daemon, chance: Rng): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (let count = 1 + chance.below(3); count > 0; count -= 1) {
    const contracts = 5 + chance.below(60);
    // The first takes, so that each storm has trades: nobody need meet an order that rests for a few seconds.
    const isResting = chance.next() < 0.5 && asked.length > 0;
    const outcome = await daemon.operations.submit(
      form({
        twapTrade: { durationSec: 3 + chance.below(4), frequencySec: 1 },
        legs: [
          legForm({
            side: chance.next() < 0.5 ? 'buy' : 'sell',
            quantity: quantity(String(10 * contracts)),
            priceOptions: isResting ? FOLLOWING : { priceType: 'market' },
          }),
        ],
      }),
      BY,
    );
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
    asked.push({ id: outcome.value.portfolio, contracts });
  }
  return asked;
}

async function storm(
  { time, proxy, daemon }: { time: TurningTime; proxy: CuttingProxy; daemon: Daemon },
  chance: Rng,
): Promise<number> {
  let [passedMs, faults] = [0, 0];
  for (; passedMs < STORM_MS; faults += 1) {
    const restMs = 50 + chance.below(700);
    await time.pass(restMs);
    passedMs += restMs;
    const what = chance.below(10);
    if (what < 6) proxy.arm(MISHAPS[chance.below(MISHAPS.length)] ?? 'before_answer');
    else if (what < 8) proxy.cut();
    else if (what === 8) {
      const downMs = 200 + chance.below(1_500);
      proxy.goDown();
      await time.pass(downMs);
      passedMs += downMs;
      proxy.restore();
    } else await daemon.restart();
  }
  proxy.disarm();
  return faults;
}

describe('a daemon on a connection that a storm shakes', () => {
  test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'a storm of seed %i leaves every portfolio ended, booked as the exchange traded, and nothing sent twice',
    async (seed) => {
      const chance = rng(`deribit storm ${seed}`);
      const time = new TurningTime();
      closers.push(() => time.stop());
      const exchange = await serveDeribit({ clock: time.clock });
      closers.push(() => exchange.close());
      const proxy = await CuttingProxy.to(exchange.port);
      closers.push(() => proxy.close());
      const daemon = new Daemon(time, proxy.url);
      await daemon.start();
      const asked = await submitAll(daemon, chance.split('portfolios'));
      expect(await storm({ time, proxy, daemon }, chance.split('storm'))).toBeGreaterThan(4);
      const infos = () => Promise.all(asked.map(({ id }) => daemon.operations.info(id)));
      await time.until(async () =>
        (await infos()).every((one) => one?.status === 'filled' || one?.status === 'cancelled'),
      );
      await time.pass(1_000);

      const { venue } = exchange;
      const page = value(
        await venue.trades({ account: ACCOUNT, count: 1_000, sorting: 'asc', historical: false }),
      );
      expect(page.hasMore).toBe(false);
      const orderOfLabel = new Map<string, string>();
      const traded = new Map<string, number>();
      for (const { label, orderId, quantity: size } of page.trades) {
        expect(orderOfLabel.get(label) ?? orderId, `orders of ${label}`).toBe(orderId);
        orderOfLabel.set(label, orderId);
        const portfolio = /^tw1-test-([a-z0-9]+)-/.exec(label)?.[1] ?? label;
        traded.set(portfolio, (traded.get(portfolio) ?? 0) + Number(size) / 10);
      }
      expect(orderOfLabel.size).toBeGreaterThan(0);
      const ended = await infos();
      for (const [index, { id, contracts }] of asked.entries()) {
        const info = ended[index];
        const code = BigInt(id).toString(36);
        const filled = traded.get(code) ?? 0;
        expect(
          info?.legs.map((leg) => Number(leg.filled) / 10),
          `${id} as booked`,
        ).toEqual([filled]);
        if (info?.status === 'filled') expect(filled, `${id} is filled`).toBe(contracts);
        else expect(filled, `${id} is ${info?.status}`).toBeLessThan(contracts);
        traded.delete(code);
      }
      expect([...traded.keys()], 'trades of no portfolio').toEqual([]);
      expect(value(await venue.openOrders({ account: ACCOUNT }))).toEqual([]);
    },
  );
});
