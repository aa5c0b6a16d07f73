// Processes with market maker protection on one paper exchange and one store, in virtual time.
import { setImmediate as nextLoop } from 'node:timers/promises';
import { openPaperVenue } from '../../../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../../src/core/portfolio/admission/submit-limits.ts';
import { EngineOperations } from '../../../src/engine/api/engine-operations.ts';
import { ALONE, assembleEngine } from '../../../src/engine/assemble-engine.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type {
  MmpFrozen,
  MmpOperations,
  MmpSetting,
} from '../../../src/engine/interface/mmp-operations.ts';
import type { MmpGuard, MmpGuardOptions } from '../../../src/engine/mmp/mmp-guard.ts';
import { unlimitedGate } from '../../../src/engine/risk/watch-gate.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { MmpRecords } from '../../../src/ports/mmp-records.ts';
import type { Nudges } from '../../../src/ports/nudges.ts';
import { type Observation, observing } from '../../../src/ports/observer.ts';
import type { NewOrder, Reply, TradingDesk, Worked } from '../../../src/ports/trading-desk.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, instrumentName, venueName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { MemoryMmpRecords } from '../../doubles/memory/memory-mmp-records.ts';
import { SETTINGS } from './engine-world.ts';
import { loneMmpGuard } from './lone-mmp-guard.ts';
import { NOON } from './markets.ts';
import { openOrderDesk } from './open-order-desk.ts';
import { type Witness, witness } from './quiet-observer.ts';

export const MAKER = accountId('10001');
const OTHER = accountId('10002');
const PERP = instrumentName('BTC-PERPETUAL');

type Swept = Observation<'mmp_swept'>;
type Standing = Observation<'mmp_set'>;
type Exceeded = Observation<'mmp_exceeded'>;
type Used = Observation<'mmp_traded'>;

/** One process: a guard, its order methods, and everything it reported. */
export interface Process {
  readonly guard: MmpGuard;
  readonly desk: TradingDesk;
  readonly mmp: MmpOperations;
  readonly seen: Witness;
  readonly trips: MmpFrozen[];
  readonly swept: Swept[];
  readonly standings: Standing[];
  readonly used: Used[];
  readonly exceeded: Exceeded[];
}

/** Which accounts a process is connected for, and which others protect. */
type Owning = Partial<Pick<MmpGuardOptions, 'connections' | 'isElsewhere'>>;

/** Nudges between processes, unless `isDeaf` is set. */
export class TestNudges implements Nudges {
  readonly #listeners = new Set<{
    readonly topic: string;
    readonly listener: (text: string) => void;
  }>();
  isDeaf = false;
  /** How many were sent. */
  sent = 0;

  nudge(topic: string, text = ''): void {
    this.sent += 1;
    if (this.isDeaf) return;
    for (const one of this.#listeners) if (one.topic === topic) one.listener(text);
  }

  onNudge(topic: string, listener: (text: string) => void): () => void {
    const entry = { topic, listener };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }
}

export class MmpStage {
  readonly clock = new VirtualClock(NOON);
  readonly records: MemoryMmpRecords = new MemoryMmpRecords();
  readonly nudges = new TestNudges();
  readonly ledger: Ledger = new MemoryLedger({ now: () => this.clock.now() });
  readonly venue: PaperVenue;
  #labels = 0;
  #isSupplied = false;

  constructor() {
    this.venue = openPaperVenue({
      name: venueName('paper'),
      clock: this.clock,
      accounts: [{ account: MAKER }, { account: OTHER }],
      market: (bornAt) => seededMarket({ seed: 'mmp', startAt: bornAt }),
      onFault: (error) => {
        throw error;
      },
    });
    this.venue.watch(PERP);
  }

  /** A process that has not been started. `records`: the store as the process sees it. */
  process(records: MmpRecords = this.records, owning: Owning = {}): Process {
    const seen = witness();
    const swept: Swept[] = [];
    const standings: Standing[] = [];
    const used: Used[] = [];
    const exceeded: Exceeded[] = [];
    const observer = observing(
      {
        mmp_swept: (sweep) => swept.push(sweep),
        mmp_set: (standing) => standings.push(standing),
        mmp_traded: (one) => used.push(one),
        mmp_exceeded: (one) => exceeded.push(one),
      },
      seen,
    );
    const { clock, ledger, nudges, venue } = this;
    const venues = { forAccount: () => venue, all: () => [venue] };
    const shared = { clock, observer, venues };
    const { deployment } = SETTINGS;
    const guard = loneMmpGuard({ ...shared, records, ledger, nudges, deployment, ...owning });
    const orders = openOrderDesk({
      ...shared,
      settings: SETTINGS,
      mmp: guard,
      limits: () => ({ dummyAccounts: new Set() }),
    });
    const trips: MmpFrozen[] = [];
    guard.onTrip((trip) => trips.push(trip));
    const desk = must(orders.forAccount(MAKER), 'the maker has a desk');
    const mmp = must(orders.mmp, 'the desk is guarded');
    return { guard, desk, mmp, seen, trips, swept, standings, used, exceeded };
  }

  async started(records?: MmpRecords, owning?: Owning): Promise<Process> {
    if (!this.#isSupplied) await this.#supply();
    const made = this.process(records, owning);
    await made.guard.start();
    await this.rest();
    return made;
  }

  /** A process that also works portfolios; its engine is started. */
  async working(): Promise<
    Process & { readonly engine: Engine; readonly operations: EngineOperations }
  > {
    if (!this.#isSupplied) await this.#supply();
    const made = this.process();
    const { clock, ledger, venue } = this;
    const fail = (error: unknown): void =>
      made.seen.observe({ event: 'failed', where: 'port', error });
    const { engine, submission } = assembleEngine({
      ...ALONE,
      gate: unlimitedGate({ clock, observer: made.seen }),
      clock,
      ledger,
      settings: SETTINGS,
      mmp: made.guard,
      observer: made.seen,
      queue: new VirtualQueue(clock, { onFault: fail }),
      bus: new MemoryEventBus(fail),
      venues: { forAccount: () => venue, all: () => [venue] },
      limits: () => ({
        ...DEFAULT_SUBMIT_LIMITS,
        durationSecMin: 1,
        frequencySecMin: 1,
        dummyAccounts: new Set(),
      }),
      sweepMs: 1_000,
      compareMs: 30_000,
      onBroken: fail,
    });
    await engine.start();
    await this.rest();
    return {
      ...made,
      engine,
      operations: new EngineOperations({ engine, submission, ledger, clock }),
    };
  }

  /** Offers a large quantity half a percent above the market, for the orders to trade with. */
  async #supply(): Promise<void> {
    this.#isSupplied = true;
    const selling = this.order({
      account: OTHER,
      side: 'sell',
      quantity: quantity('5000000'),
      price: price(String(this.#above(1.005))),
      mmp: false,
    });
    const reply = await this.venue.place(selling);
    if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
  }

  /** The best offer, times `factor`. */
  #above(factor: number): number {
    const ask = must(this.venue.quote(PERP)?.ask, 'there is a market');
    return Math.ceil(ask.price.toNumber() * factor);
  }

  async pass(forMs: number): Promise<void> {
    await this.clock.run(later(this.clock.now(), forMs), () => this.#loops());
    await this.rest();
  }

  /** Waits for all started work to complete, without advancing time. */
  async rest(): Promise<void> {
    await this.#loops();
    await this.clock.run(this.clock.now(), () => this.#loops());
  }

  async #loops(): Promise<void> {
    for (let turn = 0; turn < 8; turn += 1) await nextLoop();
  }

  configure({ mmp }: Process, change: Partial<MmpSetting> = {}): Promise<Reply<MmpSetting>> {
    return mmp.configure(MAKER, {
      kind: 'order',
      index: 'btc_usd',
      group: '',
      intervalMs: 10_000,
      frozenMs: 30_000,
      quantityLimit: quantity('2'),
      by: '7',
      ...change,
    });
  }

  order(change: Partial<NewOrder> = {}): NewOrder {
    this.#labels += 1;
    return {
      account: MAKER,
      instrument: PERP,
      side: 'buy',
      type: 'limit',
      quantity: quantity('1000'),
      price: price('20000'),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      label: `mine-${this.#labels}`,
      mmp: true,
      ...change,
    };
  }

  /** Enters an order that rests far below the market. */
  quote({ desk }: Process, change: Partial<NewOrder> = {}): Promise<Reply<Worked>> {
    return desk.place(this.order(change));
  }

  /** Trades about this many coins with flagged orders that buy above the market. */
  async take({ desk }: Process, coins: number): Promise<Reply<Worked>> {
    const above = this.#above(1.01);
    const reply = await desk.place(
      this.order({
        quantity: quantity(String(Math.round((coins * above) / 10) * 10)),
        price: price(String(above)),
        timeInForce: 'immediate_or_cancel',
      }),
    );
    await this.rest();
    if (reply.kind === 'done' && reply.value.order.state !== 'filled') {
      throw new Error(`not filled: ${JSON.stringify(reply.value.order)}`);
    }
    return reply;
  }

  /** The labels of the orders open on the exchange. */
  async open(): Promise<readonly string[]> {
    const reply = await this.venue.openOrders({ account: MAKER });
    if (reply.kind !== 'done') throw new Error('no list of open orders');
    return reply.value.map(({ label }) => label).toSorted();
  }

  async close(processes: readonly Process[]): Promise<void> {
    for (const { guard } of processes) guard.stop();
    await this.venue.close();
  }
}
