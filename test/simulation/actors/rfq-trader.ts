// A taker with one Block RFQ and the maker that quotes it, each through any daemon that is up.
import { price, type Quantity, quantity, steps } from '../../../src/values/amounts.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import type { RfqPlan } from '../plan/plan.ts';
import { priceAt } from '../plan/portfolio-form.ts';
import { ACCOUNTS, DUMMY } from '../plan/simulated-accounts.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import { INSTRUMENTS } from '../world/simulated-market.ts';
import type { Doors } from './door-client.ts';
import { methodsByDoor } from './methods-by-door.ts';
import { type PeopleRfqs, rfqsByDoor, straightRfqs } from './rfq-desk-by-door.ts';

/** The least the venue accepts as a block of perpetuals, in USD. */
const BLOCK = quantity('200000');
const WORST = price('200000');
/** The venue refuses accepts before this; with a margin, because clocks differ. */
const GRACE_MS = 5_400;
/** Time limit for a request without result. */
const PATIENCE_MS = 9_000;

export class RfqTrader {
  readonly plan: RfqPlan;
  readonly label: string;
  /** Accepts requested by this person. */
  accepts = 0;
  /** The taker's id of the RFQ; absent until known. */
  rfqId: string | undefined;
  readonly #doors: Doors | undefined;
  #askedMs: number | undefined;
  #quotes = 0;
  #hasAccepted = false;
  #isTakenBack = false;

  /** Without gateways both use the RFQ desk directly. */
  constructor(index: number, plan: RfqPlan, doors?: Doors) {
    this.plan = plan;
    this.#doors = doors;
    this.label = `rfq-${index}`;
  }

  /** Of the whole request, in USD. */
  get size(): Quantity {
    return steps(BLOCK, this.plan.blocks);
  }

  /** The RFQ has come to its end. */
  isDone(nowMs: number): boolean {
    return this.#quotes === this.plan.quotes && this.#hasAccepted
      ? true
      : nowMs > this.plan.atMs + PATIENCE_MS;
  }

  act(nowMs: number, alive: readonly SimulatedDaemon[], choice: number): void {
    const served = alive[choice % Math.max(1, alive.length)];
    const { atMs, isEarly, quotes, cancelAfterMs } = this.plan;
    if (served === undefined || nowMs < atMs) return;
    if (this.#askedMs === undefined) {
      this.#askedMs = nowMs;
      return this.#create(served);
    }
    if (this.rfqId === undefined) return;
    const mayAccept = nowMs >= this.#askedMs + GRACE_MS;
    if (isEarly && !this.#hasAccepted) {
      if (mayAccept) this.#accept(alive, this.rfqId);
      return;
    }
    if (this.#quotes < quotes) return void this.#quote(served);
    if (!this.#hasAccepted) {
      if (mayAccept) this.#accept(alive, this.rfqId);
      return;
    }
    const isOver = cancelAfterMs !== undefined && nowMs >= atMs + cancelAfterMs;
    if (isOver && !this.#isTakenBack) this.#cancel(served, this.rfqId);
  }

  #rfqsAt(daemon: SimulatedDaemon, account: AccountId): PeopleRfqs | undefined {
    if (this.#doors !== undefined) {
      return rfqsByDoor(methodsByDoor(this.#doors, daemon, [daemon]), account);
    }
    const { desk, methods } = daemon;
    return desk.rfqsFor(account) && straightRfqs(methods.rfqs, account);
  }

  #create(served: SimulatedDaemon): void {
    const { name: instrument } = INSTRUMENTS.perpetual;
    const answer = this.#rfqsAt(served, TAKER)?.create({
      account: TAKER,
      legs: [{ instrument, quantity: this.size, side: 'buy' }],
      makers: [],
      disclosed: true,
      label: this.label,
      allocations: [],
    });
    void answer?.then((reply) => {
      if (reply.kind === 'done') this.rfqId = reply.value.id;
    });
  }

  /** The maker polls its open requests, and quotes a slightly different price each time. */
  async #quote(served: SimulatedDaemon): Promise<void> {
    this.#quotes += 1;
    const rfqs = this.#rfqsAt(served, MAKER);
    const [asked] = (await rfqs?.asked()) ?? [];
    const [leg] = asked?.legs ?? [];
    if (rfqs === undefined || asked === undefined || leg === undefined) return;
    await rfqs.quote({
      account: MAKER,
      rfqId: asked.id,
      quantity: asked.quantity,
      side: 'sell',
      legs: [{ ...leg, price: priceAt('perpetual', this.#quotes) }],
      executionInstruction: 'any_part_of',
      label: `${this.label}-${this.#quotes}`,
      mmpGroup: undefined,
    });
  }

  #accept(alive: readonly SimulatedDaemon[], rfqId: string): void {
    this.#hasAccepted = true;
    const { isDouble, isEarly } = this.plan;
    for (const served of alive.slice(0, isDouble ? 2 : 1)) {
      this.accepts += 1;
      void this.#rfqsAt(served, TAKER)?.accept({
        account: TAKER,
        rfqId,
        quantity: this.size,
        side: 'buy',
        price: WORST,
        timeInForce: isEarly ? 'good_til_cancelled' : 'fill_or_kill',
      });
    }
  }

  #cancel(served: SimulatedDaemon, rfqId: string): void {
    this.#isTakenBack = true;
    void this.#rfqsAt(served, TAKER)?.cancelRfq({ account: TAKER, rfqId });
  }
}

const TAKER = ACCOUNTS[0] ?? DUMMY;
const MAKER = ACCOUNTS[1] ?? DUMMY;
