// The people of a run alongside its clients: manual orders, Block RFQs, market-maker protection. Makes them act, and
// checks their requests and the final state.
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import {
  isMore,
  money,
  notional,
  type Quantity,
  text,
  toNumber,
} from '../../../src/values/amounts.ts';
import { labelPrefix } from '../../../src/values/ids.ts';
import type { Doors } from '../actors/door-client.ts';
import { HAND_PREFIX, HandTrader } from '../actors/hand-trader.ts';
import { RfqTrader } from '../actors/rfq-trader.ts';
import { SIMULATED_SETTINGS } from '../checks/bounds.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { ExchangeOracle } from '../oracles/exchange.oracle.ts';
import { MmpOracle, type MmpOracleOptions } from '../oracles/mmp.oracle.ts';
import type { SwitchesOracle } from '../oracles/switches.oracle.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import type { Requested } from '../world/venue-of-life.ts';
import type { SimulationPlan } from './plan.ts';

export interface PeopleParts extends Omit<MmpOracleOptions, 'plan' | 'skewMs'> {
  readonly plan: SimulationPlan;
  readonly truth: ExchangeOracle;
  readonly switches: SwitchesOracle;
  /** Absent: they are at the desks themselves. */
  readonly doors: Doors | undefined;
  readonly reportBreach: ReportBreach;
}

type HandRequest = Exclude<Requested, { method: 'place' | 'edit' | 'cancel' | 'create_rfq' }>;

export class People {
  readonly mmp: MmpOracle | undefined;
  readonly #parts: PeopleParts;
  readonly #hands: readonly HandTrader[];
  readonly #rfqs: readonly RfqTrader[];
  readonly #entered = new Set<string>();
  #accepts = 0;
  /** Of each Block RFQ, what was traded by it. */
  readonly #traded = new Map<number, number>();

  constructor(parts: PeopleParts) {
    this.#parts = parts;
    const { doors, plan } = parts;
    const { hands, rfqs, mmp, margins } = plan;
    this.#hands = hands.map((hand, index) => new HandTrader(index, hand, doors));
    this.#rfqs = rfqs.map((rfq, index) => new RfqTrader(index, rfq, doors));
    this.mmp = mmp && new MmpOracle({ ...parts, plan: mmp, skewMs: margins.skewMs });
  }

  act(nowMs: number, alive: readonly SimulatedDaemon[], choice: number): void {
    for (const hand of this.#hands) hand.act(nowMs, alive, choice);
    for (const rfq of this.#rfqs) rfq.act(nowMs, alive, choice);
  }

  isDone(nowMs: number): boolean {
    return this.#rfqs.every((rfq) => rfq.isDone(nowMs));
  }

  /** The exchange has told of something. */
  heard(event: ExchangeEvent): void {
    if (event.kind === 'trade') this.mmp?.traded(event.trade);
    if (event.kind !== 'block_traded') return;
    this.#parts.trouble.note('block traded');
    const { rfq, rows } = event.trade;
    const sum = rows.reduce((total, { quantity }) => total + toNumber(quantity), 0);
    this.#traded.set(rfq, (this.#traded.get(rfq) ?? 0) + sum);
    const most = Math.max(...this.#rfqs.map((one) => toNumber(one.size)));
    if ((this.#traded.get(rfq) ?? 0) > most) {
      this.#parts.reportBreach('I5', `a Block RFQ of at most ${most} has traded ${sum} and more`);
    }
  }

  /** A daemon sends a manual request to its venue. */
  requested(daemon: SimulatedDaemon, requested: HandRequest): void {
    const { switches, reportBreach, trouble } = this.#parts;
    trouble.note(`by hand ${requested.method}`);
    const { account } = requested.request;
    const what = `${requested.method} of ${account}`;
    const known = daemon.switches?.strictestFor({ account })?.state ?? 'active';
    const durable = switches.strictestKnownTo(daemon, { account });
    // No manual order is marked reduce-only.
    if (known !== 'active' || durable !== 'active') {
      reportBreach('I11', `${what} sent while trading is ${known} and ${durable}`);
    }
    if (requested.method === 'enter') this.#judgeEntered(daemon, requested.request);
    if (requested.method === 'accept') this.#judgeAccepted();
  }

  /** Every answer must be true, and every order changed only by its owner. */
  audit(hadTrouble: boolean): void {
    const { truth, reportBreach, switches } = this.#parts;
    for (const hand of this.#hands) {
      const [known, second] = truth
        .labelled(hand.label)
        .filter(({ order }) => order.state !== 'rejected');
      if (second !== undefined) reportBreach('I2', `${hand.label} is at the exchange twice`);
      if (hand.entered === 'done' && known === undefined) {
        reportBreach('I4', `${hand.label} was reported as entered and never was`);
      }
      // A refused request releases its idempotency key, so a delayed copy of an earlier one may still be executed.
      if (hand.entered === 'refused' && !hand.hadNoAnswer && known !== undefined) {
        reportBreach('I4', `${hand.label} was reported as refused, and the exchange has it`);
      }
      if (known === undefined) continue;
      const { state, cancelReason } = known.order;
      if (state === 'open' && hand.isSaidOver)
        reportBreach('I6', `${hand.label} was said to be over`);
      const isTouched = state === 'cancelled' && cancelReason === 'user_request';
      if (isTouched && !hand.isTakenBack && !switches.everHalted(hand.account)) {
        reportBreach('I16', `${hand.label} belongs to another account and was cancelled`);
      }
    }
    const flagged = this.#hands.filter(({ plan }) => plan.isFlagged);
    const open = flagged.flatMap(({ label }) =>
      truth.labelled(label).some(({ order }) => order.state === 'open') ? [label] : [],
    );
    this.mmp?.audit(open, hadTrouble);
  }

  #judgeEntered(
    daemon: SimulatedDaemon,
    {
      label,
      quantity,
      price,
      instrument,
      mmp,
    }: Extract<HandRequest, { method: 'enter' }>['request'],
  ): void {
    const { reportBreach } = this.#parts;
    // What was refused may be requested once more where the same request is done once only.
    const isRepeated = this.#entered.has(label) && this.#parts.doors === undefined;
    if (isRepeated) reportBreach('I2', `${label} sent twice`);
    this.#entered.add(label);
    if (!label.startsWith(HAND_PREFIX) || label.startsWith(OWN)) {
      reportBreach('I4', `${label} is a manual order with a label of ours`);
    }
    const { orderUsdMax } = daemon.settings;
    const isUsd = instrument.endsWith('PERPETUAL');
    const usd = price === undefined || isUsd ? undefined : notional(price, quantity);
    const worth = isUsd ? money(text(quantity as Quantity)) : usd;
    if (orderUsdMax !== undefined && worth !== undefined && isMore(worth, orderUsdMax)) {
      reportBreach('I10', `${label} is worth ${text(worth)} USD`);
    }
    if (mmp) this.mmp?.judgeSent(daemon, label);
  }

  /** An accept that was requested once leaves once. */
  #judgeAccepted(): void {
    this.#accepts += 1;
    const asked = this.#rfqs.reduce((sum, { accepts }) => sum + accepts, 0);
    if (this.#accepts > asked)
      this.#parts.reportBreach('I2', `an accept left ${this.#accepts} times`);
  }
}

const OWN = labelPrefix(SIMULATED_SETTINGS.deployment);
