// One client of a simulated deployment: submits with its key until it has an answer, reads, cancels. It
// asks any daemon that is up, and the same again after a failure.
import type { PortfolioForm } from '../../core/portfolio/form.ts';
import { LedgerFailure } from '../../ports/ledger.ts';
import { plus, quantity, steps, text } from '../../values/amounts.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { Accuse } from './breach.ts';
import type { Life } from './life.ts';
import type { ClientChange, ClientPlan } from './plan.ts';
import { formOf } from './portfolio-form.ts';
import { ACCOUNTS } from './simulated-accounts.ts';
import type { SimulatedDaemon } from './simulated-daemon.ts';
import { instrumentOf } from './simulated-market.ts';

const BY = { uid: '7', nickname: 'simulated' };

export class SimulatedClient {
  readonly #plan: ClientPlan;
  readonly #key: string;
  readonly #form: PortfolioForm;
  readonly #accuse: Accuse;
  /** The process that has our submit at hand. */
  readonly #asking = new Set<Life>();
  #isSettled = false;
  #hasCancelled = false;
  /** The plan is a function of what is asked: once is enough. */
  #hasPlan = false;
  /** Changes asked for so far. */
  #changed = 0;
  id: PortfolioId | undefined;

  constructor(index: number, plan: ClientPlan, accuse: Accuse) {
    this.#plan = plan;
    this.#key = `client-${index}`;
    this.#form = formOf(plan);
    this.#accuse = accuse;
  }

  /** Nothing more is to be asked for: it was accepted, or refused by a limit. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Does what is due for it at this moment; `alive` are the daemons it can reach. */
  act(nowMs: number, alive: readonly SimulatedDaemon[], choice: number): void {
    const served = alive[choice % Math.max(1, alive.length)];
    if (served === undefined) return;
    const { submitAtMs, isImpatient, cancelAtMs, cancelStorm } = this.#plan;
    if (!this.#isSettled && nowMs >= submitAtMs) {
      this.#submit(served);
      if (isImpatient) for (const other of alive) this.#submit(other);
    }
    if (this.id === undefined) return;
    if (cancelAtMs !== undefined && nowMs >= cancelAtMs && (cancelStorm || !this.#hasCancelled)) {
      this.#cancel(served, this.id);
    }
    this.#change(served, this.id, nowMs);
    if (choice % 5 === 0) void this.#read(served, this.id).catch(expectFailure);
  }

  #submit(daemon: SimulatedDaemon): void {
    for (const life of this.#asking) if (life.isOver) this.#asking.delete(life);
    const { life, operations } = daemon;
    if (this.#asking.has(life) || (this.#asking.size > 0 && !this.#plan.isImpatient)) return;
    this.#asking.add(life);
    operations
      .submit(this.#form, BY, this.#key)
      .then((outcome) => {
        this.#asking.delete(life);
        if (outcome.kind === 'refused') {
          this.#isSettled = this.id !== undefined || outcome.rejections.some(isForGood);
          return;
        }
        const { portfolio } = outcome.value;
        if (this.id !== undefined && this.id !== portfolio) {
          this.#accuse('I14', `key ${this.#key} made ${this.id} and ${portfolio}`);
        }
        this.id = portfolio;
        this.#isSettled = true;
      })
      .catch((error: unknown) => {
        this.#asking.delete(life);
        expectFailure(error);
      });
  }

  /** The next change that is due, again until the ledger has answered. */
  #change({ operations }: SimulatedDaemon, portfolio: PortfolioId, nowMs: number): void {
    const change = this.#plan.changes[this.#changed];
    if (change === undefined || nowMs < change.atMs) return;
    this.#changed += 1;
    const again = (error: unknown): void => {
      this.#changed -= 1;
      expectFailure(error);
    };
    const account = this.#form.accountId;
    if (change.kind !== 'amend') {
      operations[change.kind](portfolio, BY, account).catch(again);
      return;
    }
    this.#amend(operations, portfolio, change)
      .then((isDecided) => {
        if (!isDecided) this.#changed -= 1;
      })
      .catch(again);
  }

  /** Amends on what is filled as it is shown; false when more was filled meanwhile. */
  async #amend(
    operations: SimulatedDaemon['operations'],
    portfolio: PortfolioId,
    { lots, durationSec }: Extract<ClientChange, { kind: 'amend' }>,
  ): Promise<boolean> {
    const shown = await operations.info(portfolio);
    const legs = this.#form.legs.flatMap(({ instrument, hedge }, leg) => {
      const filled = shown?.legs[leg]?.filled;
      if (lots === undefined || hedge || filled === undefined) return [];
      const total = steps(instrumentOf(instrument).amountStep, lots);
      return [{ leg, quantity: total, filledSeen: quantity(filled) }];
    });
    const { accountId: account } = this.#form;
    const form = { durationSec, legs };
    const outcome = await operations.amend({ portfolio, account, by: BY, isPreview: false, form });
    if (outcome.kind === 'done') return true;
    return !outcome.rejections.some(({ kind }) => kind === 'conflict');
  }

  #cancel({ operations }: SimulatedDaemon, id: PortfolioId): void {
    operations
      .cancel(id, BY, this.#form.accountId)
      .then(() => {
        this.#hasCancelled = true;
      })
      .catch(expectFailure);
  }

  /** Reads are of what is durable, and of the own account only. */
  async #read({ operations }: SimulatedDaemon, id: PortfolioId): Promise<void> {
    const account = this.#form.accountId;
    const info = await operations.info(id);
    if (info === undefined) return this.#accuse('I8', `${id} is told of and not found`);
    const query = { orderBy: 'submittedAt', descending: false, offset: 0, limit: 50 } as const;
    const page = await operations.page({ ...query, account });
    if (page.rows.some((row) => row.account !== account)) {
      this.#accuse('I16', `a page of ${account} shows another account`);
    }
    const other = ACCOUNTS.find((one) => one !== account);
    const refused = await operations.cancel(id, BY, other);
    if (refused.kind !== 'refused') this.#accuse('I16', `${other} cancelled ${id} of ${account}`);
    if (this.#hasPlan) return;
    this.#hasPlan = true;
    const plan = await operations.plan(this.#form, BY);
    if (plan.kind === 'done') this.#judgePlan(plan.value.slices);
  }

  #judgePlan(slices: readonly { readonly leg: number; readonly quantity: string }[]): void {
    this.#form.legs.forEach((leg, index) => {
      if (leg.hedge) return;
      let sum = quantity('0');
      for (const slice of slices) {
        if (slice.leg === index) sum = plus(sum, quantity(slice.quantity));
      }
      if (!sum.eq(leg.quantity)) {
        this.#accuse(
          'I9',
          `the plan of leg ${index} sums to ${text(sum)} of ${text(leg.quantity)}`,
        );
      }
    });
  }
}

/** A ledger out of reach is what a client has to expect; anything else is a fault of ours. */
export function expectFailure(error: unknown): void {
  if (!(error instanceof LedgerFailure)) throw error;
}

const isForGood = ({ kind }: { readonly kind: string }): boolean => kind !== 'unavailable';
