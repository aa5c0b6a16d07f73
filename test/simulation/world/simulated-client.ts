// One client of a simulated deployment: submits with its key until it has an answer, reads, cancels. It
// uses any daemon that is up, and retries the same request after a failure.

import type { RejectionKind } from '../../../src/core/rejection.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { plus, quantity, steps, text } from '../../../src/values/amounts.ts';
import { isProgrammingError } from '../../../src/values/errors/programming-error.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import {
  byDoor,
  type ClientOperations,
  type PlannedPart,
  straight,
} from '../actors/client-operations.ts';
import type { Doors } from '../actors/door-client.ts';
import { keyIdOf } from '../actors/door-keys.ts';
import { type ReportBreach, told } from '../checks/breach.ts';
import type { Asked } from '../own-books/asked.ts';
import type { ClientChange, ClientPlan } from '../plan/plan.ts';
import { formOf } from '../plan/portfolio-form.ts';
import { isOfDeath } from './exchange/torn-journal.ts';
import type { Life } from './life.ts';
import type { SimulatedDaemon } from './simulated-daemon.ts';
import { instrumentOf } from './simulated-market.ts';

export interface ClientParts {
  readonly plan: ClientPlan;
  /** Told of everything that is requested. */
  readonly asked: Asked;
  /** Absent: it asks engines directly. */
  readonly doors: Doors | undefined;
  /** What it submits as; absent: by itself. */
  readonly strategy: string | undefined;
  /** Whether the portfolio is durable. */
  readonly isDurable: (id: PortfolioId) => boolean;
  readonly reportBreach: ReportBreach;
}

/** On average. */
const BEATS_PER_READ = 5;

export class SimulatedClient {
  readonly #parts: ClientParts;
  readonly #plan: ClientPlan;
  readonly #key: string;
  readonly #form: PortfolioForm;
  readonly #reportBreach: ReportBreach;
  /** The process that has our submit at hand. */
  readonly #asking = new Set<Life>();
  #isSettled = false;
  #hasCancelled = false;
  /** A plan is a function of what is asked, so once is enough; it is the dearest question, and half of the clients never ask it. */
  #wantsPlan: boolean;
  /** Changes requested so far. */
  #changed = 0;
  /** Submits that were sent, and those that were refused by a rule. */
  #submits = 0;
  #refused = 0;
  id: PortfolioId | undefined;

  constructor(index: number, parts: ClientParts) {
    this.#parts = parts;
    this.#plan = parts.plan;
    this.#key = `client-${index}`;
    this.#wantsPlan = parts.plan.submitAtMs % 2 === 1;
    const { plan, strategy } = parts;
    this.#form = { ...formOf(plan), customizedNote: this.#key, ...(strategy && { strategy }) };
    this.#reportBreach = parts.reportBreach;
  }

  readonly #expectFailure = (error: unknown): void => expectFailure(error, this.#reportBreach);

  /** Nothing more is to be requested: it was accepted, or refused by a limit. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** The key that must not be in the ledger: every submit with it was refused. */
  get refusedKey(): string | undefined {
    if (this.#submits === 0 || this.#refused < this.#submits) return undefined;
    const { doors } = this.#parts;
    return doors === undefined ? this.#key : `api:${keyIdOf(this.#form.accountId)}:${this.#key}`;
  }

  /** Does what is due for it at this moment; `alive` are the daemons it can reach. */
  act(nowMs: number, alive: readonly SimulatedDaemon[], choice: number): void {
    const served = alive[choice % Math.max(1, alive.length)];
    if (served === undefined) return;
    const { submitAtMs, isImpatient, cancelAtMs, cancelStorm } = this.#plan;
    if (!this.#isSettled && nowMs >= submitAtMs) {
      this.#submit(served, alive);
      if (isImpatient) for (const other of alive) this.#submit(other, alive);
    }
    if (this.id === undefined) return;
    const isCancelling =
      cancelAtMs !== undefined && nowMs >= cancelAtMs && (cancelStorm || !this.#hasCancelled);
    const change = this.#plan.changes[this.#changed];
    const isChanging = change !== undefined && nowMs >= change.atMs;
    const isReading = choice % BEATS_PER_READ === 0;
    if (!isCancelling && !isChanging && !isReading) return;
    const asked = this.#operations(served, alive);
    if (isCancelling) this.#cancel(asked, this.id);
    if (isChanging) this.#change(asked, this.id, change);
    if (isReading) void this.#read(asked, this.id).catch(this.#expectFailure);
  }

  #operations(daemon: SimulatedDaemon, alive: readonly SimulatedDaemon[]): ClientOperations {
    const { doors } = this.#parts;
    const { accountId: account } = this.#form;
    return doors === undefined
      ? straight(daemon, account)
      : byDoor(doors, daemon, { account, alive });
  }

  #submit(daemon: SimulatedDaemon, alive: readonly SimulatedDaemon[]): void {
    for (const life of this.#asking) if (life.isOver) this.#asking.delete(life);
    const { life } = daemon;
    if (this.#asking.has(life) || (this.#asking.size > 0 && !this.#plan.isImpatient)) return;
    this.#asking.add(life);
    this.#submits += 1;
    this.#parts.asked.submit(this.#form);
    this.#operations(daemon, alive)
      .submit(this.#form, this.#key)
      .then((answer) => {
        this.#asking.delete(life);
        if (answer.kind === 'refused') this.#wasRefused(answer.kinds);
        else this.#wasAccepted(answer.value);
      })
      .catch((error: unknown) => {
        this.#asking.delete(life);
        this.#expectFailure(error);
      });
  }

  #wasRefused(kinds: readonly RejectionKind[]): void {
    this.#refused += 1;
    this.#isSettled = this.id !== undefined || kinds.some((kind) => kind !== 'unavailable');
  }

  #wasAccepted(portfolio: PortfolioId): void {
    if (this.id !== undefined && this.id !== portfolio) {
      this.#reportBreach('I14', `key ${this.#key} made ${this.id} and ${portfolio}`);
    }
    if (!this.#parts.isDurable(portfolio)) {
      this.#reportBreach('I8', `${portfolio} was accepted and is not durable`);
    }
    this.id = portfolio;
    this.#isSettled = true;
  }

  /** The next change that is due, again until the ledger has answered. */
  #change(asked: ClientOperations, portfolio: PortfolioId, change: ClientChange): void {
    this.#changed += 1;
    const again = (error: unknown): void => {
      this.#changed -= 1;
      this.#expectFailure(error);
    };
    if (change.kind !== 'amend') {
      this.#parts.asked.demand(portfolio, change.kind);
      asked.change(change.kind, portfolio).catch(again);
      return;
    }
    this.#amend(asked, portfolio, change)
      .then((isDecided) => {
        if (!isDecided) this.#changed -= 1;
      })
      .catch(again);
  }

  /** Amends on what is filled as it is shown; false when more was filled meanwhile. */
  async #amend(
    asked: ClientOperations,
    portfolio: PortfolioId,
    { lots, durationSec, limits }: Extract<ClientChange, { kind: 'amend' }>,
  ): Promise<boolean> {
    const amendmentsSeen = limits && (await asked.amendments(portfolio));
    if (limits !== undefined && amendmentsSeen === undefined) return true;
    const shown = await asked.filled(portfolio);
    const legs = this.#form.legs.flatMap(({ instrument, hedge }, leg) => {
      const filledSeen = shown?.[leg];
      if (lots === undefined || hedge || filledSeen === undefined) return [];
      const total = steps(instrumentOf(instrument).amountStep, lots);
      return [{ leg, quantity: total, filledSeen }];
    });
    const wish = { durationSec, limits, amendmentsSeen, legs };
    this.#parts.asked.amend(portfolio, wish);
    const answer = await asked.amend(portfolio, wish);
    return answer.kind === 'done' || !answer.kinds.includes('conflict');
  }

  #cancel(asked: ClientOperations, id: PortfolioId): void {
    this.#parts.asked.demand(id, 'cancel');
    asked
      .change('cancel', id)
      .then(() => {
        this.#hasCancelled = true;
      })
      .catch(this.#expectFailure);
  }

  /** Reads are of what is durable, and of the own account only. */
  async #read(asked: ClientOperations, id: PortfolioId): Promise<void> {
    const account = this.#form.accountId;
    const filled = await asked.filled(id);
    if (filled === undefined)
      return this.#reportBreach('I8', `${id} was published and is not found`);
    const shown = await asked.accountsShown();
    if (shown.some((one) => one !== account)) {
      this.#reportBreach('I16', `a page of ${account} shows another account`);
    }
    const refused = await asked.cancelByOther(id);
    if (refused.kind !== 'refused')
      this.#reportBreach('I16', `another cancelled ${id} of ${account}`);
    if (!this.#wantsPlan) return;
    this.#wantsPlan = false;
    const plan = await asked.plan(this.#form);
    if (plan.kind === 'done') this.#judgePlan(plan.value);
  }

  #judgePlan(slices: readonly PlannedPart[]): void {
    this.#form.legs.forEach((leg, index) => {
      if (leg.hedge) return;
      let sum = quantity('0');
      for (const slice of slices) {
        if (slice.leg === index) sum = plus(sum, quantity(slice.quantity));
      }
      if (!sum.eq(leg.quantity)) {
        this.#reportBreach(
          'I9',
          `the plan of leg ${index} sums to ${text(sum)} of ${text(leg.quantity)}`,
        );
      }
    });
  }
}

/** A ledger or an exchange out of reach is what a client has to expect; anything else is a fault of ours. */
export function expectFailure(error: unknown, reportBreach: ReportBreach): void {
  if (isProgrammingError(error)) return reportBreach('crash', `reply to a client: ${told(error)}`);
  if (error instanceof LedgerFailure || isOfDeath(error)) return;
  reportBreach('crash', `reply to a client: ${told(error)}`);
}
