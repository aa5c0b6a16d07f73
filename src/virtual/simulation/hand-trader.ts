// A person with one order by hand: enters it once, changes it, takes it back, through any daemon that is
// up. Keeps what was answered, so that answers can be held against what the exchange has.
import type { NewOrder, Reply, Worked } from '../../ports/trading-desk.ts';
import { steps } from '../../values/amounts.ts';
import type { AccountId, OrderId } from '../../values/ids.ts';
import type { HandPlan } from './plan.ts';
import { priceAt } from './portfolio-form.ts';
import { ACCOUNTS, DUMMY } from './simulated-accounts.ts';
import type { SimulatedDaemon } from './simulated-daemon.ts';
import { INSTRUMENTS } from './simulated-market.ts';

export const HAND_PREFIX = 'by-hand-order-';

export class HandTrader {
  readonly plan: HandPlan;
  readonly label: string;
  readonly account: AccountId;
  /** Absent while nothing was answered. */
  entered: Reply<Worked>['kind'] | undefined;
  /** Somebody has asked for its end. */
  isTakenBack = false;
  /** The venue has said that it is over. */
  isSaidOver = false;
  #orderId: OrderId | undefined;
  #hasEntered = false;
  #hasEdited = false;

  constructor(index: number, plan: HandPlan) {
    this.plan = plan;
    this.label = `${HAND_PREFIX}${index}`;
    this.account = ACCOUNTS[plan.account] ?? DUMMY;
  }

  /** Does what is due for it at this moment; `alive` are the daemons it can reach. */
  act(nowMs: number, alive: readonly SimulatedDaemon[], choice: number): void {
    const served = alive[choice % Math.max(1, alive.length)];
    const { atMs, edit, cancelAfterMs } = this.plan;
    if (served === undefined || nowMs < atMs) return;
    if (!this.#hasEntered) return this.#enter(served);
    const isEditDue = edit !== undefined && nowMs >= atMs + edit.afterMs;
    if (isEditDue && !this.#hasEdited) return this.#edit(served, edit.ticks);
    const isCancelDue = cancelAfterMs !== undefined && nowMs >= atMs + cancelAfterMs;
    if (isCancelDue && !this.isSaidOver) this.#cancel(served);
  }

  #enter({ desk }: SimulatedDaemon): void {
    this.#hasEntered = true;
    const answer = desk.forAccount(this.account)?.enter(this.#order());
    void answer?.then((reply) => {
      this.entered = reply.kind;
      if (reply.kind === 'done') this.#orderId = reply.value.order.orderId;
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

  #edit({ desk }: SimulatedDaemon, ticks: number): void {
    this.#hasEdited = true;
    const { instrument, lots, offsetTicks } = this.plan;
    const { name, amountStep } = INSTRUMENTS[instrument];
    void desk.forAccount(this.account)?.edit({
      account: this.account,
      of: { label: this.label, instrument: name },
      quantity: steps(amountStep, lots + 1),
      price: priceAt(instrument, offsetTicks + ticks),
    });
  }

  /** By its id where that is known, else by its label; again until the venue has said that it is over. */
  #cancel({ desk }: SimulatedDaemon): void {
    this.isTakenBack = true;
    const own = desk.forAccount(this.account);
    if (own === undefined) return;
    const { account, label } = this;
    const { name: instrument } = INSTRUMENTS[this.plan.instrument];
    if (this.#orderId === undefined) {
      void own.cancelAll({ account, instrument, label });
      return;
    }
    void own.cancel({ account, orderId: this.#orderId }).then((reply) => {
      if (reply.kind === 'done') this.isSaidOver = true;
    });
  }
}
