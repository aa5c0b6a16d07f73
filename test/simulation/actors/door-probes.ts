// A client that attempts what its key does not allow: each attempt must be refused, and must have
// no effect.
import type { ReportBreach } from '../checks/breach.ts';
import { REFUSED_NOTE } from '../oracles/submit.oracle.ts';
import type { ClientPlan } from '../plan/plan.ts';
import { portfolioBody } from '../plan/portfolio-body.ts';
import { formOf } from '../plan/portfolio-form.ts';
import { ACCOUNTS, DUMMY } from '../plan/simulated-accounts.ts';
import { type Asking, type Doors, isDone, type Reachable } from './door-client.ts';
import { keyIdOf, OPERATOR, READER } from './door-keys.ts';
import { METHODS, PORTFOLIOS, TRADING } from './front-door.ts';

const [FIRST = DUMMY, SECOND = DUMMY] = ACCOUNTS;
const HALT = { scope: 'account', of: SECOND, state: 'halted', reason: 'not his to say' };
const OVERRIDE = {
  control: 'price_collar',
  instrumentName: 'BTC-PERPETUAL',
  side: 'buy',
  quantity: '10',
  reason: 'not his account',
};
/** Interval between attempts. */
const EVERY_MS = 1_000;
/**
 * Signed that long before or after its arrival, a request is beyond the window of signatures, also if it is held up; a later
 * one's nonce could not be claimed at all.
 */
const BEYOND_MS = 39_000;

export class DoorProbes {
  readonly #doors: Doors;
  readonly #reportBreach: ReportBreach;
  readonly #kinds: readonly number[];
  readonly #body: object;
  /** Idempotency keys of refused requests. */
  readonly keys: string[] = [];
  #tried = 0;

  constructor(doors: Doors, kinds: readonly number[], client: ClientPlan) {
    this.#doors = doors;
    this.#reportBreach = doors.parts.reportBreach;
    this.#kinds = kinds;
    const form = { ...formOf(client), accountId: FIRST, customizedNote: REFUSED_NOTE };
    this.#body = portfolioBody(form);
  }

  act(nowMs: number, alive: readonly Reachable[], choice: number): void {
    const served = alive[choice % Math.max(1, alive.length)];
    const kind = this.#kinds[this.#tried];
    if (served === undefined || kind === undefined) return;
    if (nowMs < (this.#tried + 1) * EVERY_MS) return;
    this.#tried += 1;
    const onceKey = `probe-${this.#tried}`;
    const asking = { ...this.#tries(kind), onceKey };
    this.keys.push(`api:${asking.keyId}:${onceKey}`);
    void this.#doors.request(served, asking).then((answer) => {
      if (answer === undefined) return;
      this.#doors.parts.trouble.note('probe refused');
      if (isDone(answer.body))
        this.#reportBreach('I16', `${asking.keyId} did ${asking.target}: ${answer.body}`);
    });
  }

  #tries(kind: number): Asking {
    const submit = { verb: 'POST', target: `${PORTFOLIOS}/submit` } as const;
    const cancelAll = {
      verb: 'POST',
      target: `${PORTFOLIOS}/cancel-all`,
      body: { accountId: FIRST },
    } as const;
    const order = { instrumentName: 'BTC-PERPETUAL', quantity: '10', type: 'market' };
    const tries: readonly Asking[] = [
      { ...submit, keyId: 'key-nobody', body: this.#body },
      { ...submit, keyId: keyIdOf(FIRST), body: this.#body, isForged: true },
      { ...submit, keyId: keyIdOf(FIRST), body: this.#body, ageMs: BEYOND_MS },
      // Valid but for who sends them, whatever the client of this run submits.
      { ...cancelAll, keyId: keyIdOf(FIRST), isForged: true },
      { ...cancelAll, keyId: keyIdOf(FIRST), ageMs: BEYOND_MS },
      { ...cancelAll, keyId: keyIdOf(FIRST), ageMs: -BEYOND_MS },
      { ...cancelAll, keyId: READER },
      { ...cancelAll, keyId: keyIdOf(SECOND) },
      { ...submit, keyId: READER, body: this.#body },
      { ...submit, keyId: keyIdOf(SECOND), body: this.#body },
      { ...submit, keyId: keyIdOf(FIRST), body: JSON.stringify(this.#body).slice(0, -1) },
      { ...submit, keyId: keyIdOf(FIRST), body: { ...this.#body, legs: [] } },
      { ...submit, keyId: keyIdOf(FIRST), body: { ...this.#body, unheardOf: 1 } },
      {
        verb: 'GET',
        keyId: keyIdOf(SECOND),
        target: `${PORTFOLIOS}/page?accountId=${FIRST}`,
      },
      {
        verb: 'POST',
        keyId: READER,
        target: `${METHODS}/private/buy`,
        body: { rid: 1, method: 'private/buy', params: order },
      },
      {
        verb: 'POST',
        keyId: keyIdOf(SECOND),
        target: `${METHODS}/private/sell`,
        body: { rid: 1, method: 'private/sell', params: { ...order, accountId: FIRST } },
      },
      { verb: 'POST', keyId: keyIdOf(FIRST), target: `${TRADING}/switch`, body: HALT },
      { verb: 'GET', keyId: READER, target: `${TRADING}/nothing-of-that-name` },
      {
        verb: 'POST',
        keyId: keyIdOf(SECOND),
        target: `${TRADING}/override`,
        body: { ...OVERRIDE, accountId: FIRST },
      },
      {
        verb: 'POST',
        keyId: OPERATOR,
        target: `${TRADING}/override-grant`,
        body: { id: 'nobody-asked' },
      },
    ];
    return tries[kind % tries.length] ?? { ...submit, keyId: 'key-nobody', body: {} };
  }
}
