// A person with one manual order: enters, edits and cancels it through any daemon that is
// up. Keeps the answers, so that they can be compared with the exchange.
import type { NewOrder, Reply } from '../../../src/ports/trading-desk.ts';
import { steps } from '../../../src/values/amounts.ts';
import type { AccountId, OrderId } from '../../../src/values/ids.ts';
import type { HandPlan } from '../plan/plan.ts';
import { priceAt } from '../plan/portfolio-form.ts';
import { ACCOUNTS, DUMMY } from '../plan/simulated-accounts.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import { INSTRUMENTS } from '../world/simulated-market.ts';
import type { Doors } from './door-client.ts';
import { deskByDoor, type HandDesk, straightDesk } from './hand-desk.ts';
import { methodsByDoor } from './methods-by-door.ts';

export const HAND_PREFIX = 'by-hand-order-';

const ENTRIES_MAX = 4;

export class HandTrader {
  readonly plan: HandPlan;
  readonly label: string;
  readonly account: AccountId;
  /** Absent until an answer arrives. */
  entered: Reply<OrderId>['kind'] | undefined;
  /** A copy of its request got no answer and may arrive after one that was refused. */
  hadNoAnswer = false;
  /** Its cancel has been requested. */
  isTakenBack = false;
  /** The venue has reported that it is closed. */
  isSaidOver = false;
  #orderId: OrderId | undefined;
  readonly #doors: Doors | undefined;
  #entries = 0;
  #isEntering = false;
  #hasEdited = false;

  /** Without gateways the person uses the order desk directly. */
  constructor(index: number, plan: HandPlan, doors?: Doors) {
    this.plan = plan;
    this.#doors = doors;
    this.label = `${HAND_PREFIX}${index}`;
    this.account = ACCOUNTS[plan.account] ?? DUMMY;
  }

  /** Performs the step that is due now; `alive` are the reachable daemons. */
  act(nowMs: number, alive: readonly SimulatedDaemon[], choice: number): void {
    const served = alive[choice % Math.max(1, alive.length)];
    const { atMs, edit, cancelAfterMs } = this.plan;
    if (served === undefined || nowMs < atMs) return;
    if (this.#isEntering) return;
    const desk = this.#deskAt(served, alive);
    if (desk === undefined) return;
    if (this.#mayEnter(desk)) return this.#enter(desk);
    const isEditDue = edit !== undefined && nowMs >= atMs + edit.afterMs;
    if (isEditDue && !this.#hasEdited) return this.#edit(desk, edit.ticks);
    const isCancelDue = cancelAfterMs !== undefined && nowMs >= atMs + cancelAfterMs;
    if (isCancelDue && !this.isSaidOver) this.#cancel(desk);
  }

  #deskAt(daemon: SimulatedDaemon, alive: readonly SimulatedDaemon[]): HandDesk | undefined {
    const { account } = this;
    return this.#doors === undefined
      ? straightDesk(daemon, account)
      : deskByDoor(methodsByDoor(this.#doors, daemon, alive), account);
  }

  /** Once; repeated without an answer only where a repeated request takes effect once. */
  #mayEnter({ isOnce }: HandDesk): boolean {
    if (this.#entries === 0) return true;
    return isOnce && this.entered === 'unknown' && this.#entries < ENTRIES_MAX;
  }

  #enter(desk: HandDesk): void {
    this.#entries += 1;
    // At the order desk the person continues without an answer; a gateway answers, or the request times out.
    this.#isEntering = desk.isOnce;
    void desk.place(this.#order()).then((reply) => {
      this.#isEntering = false;
      this.entered = reply.kind;
      if (reply.kind === 'unknown') this.hadNoAnswer = true;
      if (reply.kind === 'done') this.#orderId = reply.value;
    });
  }

  #order(): NewOrder {
    const { instrument, side, lots, offsetTicks, isFlagged } = this.plan;
    const { name, amountStep } = INSTRUMENTS[instrument];
    return {
      account: this.account,
      instrument: name,
      side,
      type: 'limit',
      quantity: steps(amountStep, lots),
      price: priceAt(instrument, offsetTicks),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      label: this.label,
      mmp: isFlagged,
    };
  }

  #edit(desk: HandDesk, ticks: number): void {
    this.#hasEdited = true;
    const { instrument, lots, offsetTicks } = this.plan;
    const { name, amountStep } = INSTRUMENTS[instrument];
    void desk.edit({
      account: this.account,
      label: this.label,
      of: { label: this.label, instrument: name },
      quantity: steps(amountStep, lots + 1),
      price: priceAt(instrument, offsetTicks + ticks),
    });
  }

  /** Cancels by id if known, else by label; repeats until the venue reports the order closed. */
  #cancel(desk: HandDesk): void {
    this.isTakenBack = true;
    if (this.#orderId === undefined) {
      void desk.cancelLabelled(this.label);
      return;
    }
    void desk.cancel(this.#orderId).then((reply) => {
      if (reply.kind === 'done') this.isSaidOver = true;
    });
  }
}
