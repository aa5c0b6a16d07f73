// The judge's book of what the accounts have. Positions are the plain sums of what was traded, and end with their instrument;
// balances are those of the exchange's events.
import { STARTING_BALANCES } from '../../../src/adapters/paper/paper-account.ts';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import type { ExchangeTrade } from '../../../src/exchange/order.ts';
import type { AccountSummary, OpenPosition } from '../../../src/values/account-report.ts';
import { negated, plus, type Quantity, text, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import type { AccountId, InstrumentName } from '../../../src/values/ids.ts';
import type { ReportBreach } from '../checks/breach.ts';

interface Version {
  /** The number of the event from which on it was so. */
  readonly from: number;
  readonly amount: string;
}

const NONE = text(ZERO_QUANTITY);

export class WireAccountBook {
  readonly #breach: ReportBreach;
  readonly #held = new Map<AccountId, Map<InstrumentName, Quantity>>();
  readonly #positions = new Map<string, Version[]>();
  readonly #balances = new Map<string, Version[]>();
  readonly #movedAt = new Map<AccountId, number>();

  constructor(breach: ReportBreach) {
    this.#breach = breach;
  }

  /** `number`: of the event. */
  take(event: ExchangeEvent, number: number): void {
    if (event.kind === 'trade') {
      // Those of its legs are events of their own.
      if (event.trade.legs === undefined) this.#traded(event.trade, number);
    } else if (event.kind === 'balance_changed') {
      const { account, currency, amount } = event.balance;
      const now = { from: number, amount: text(amount) };
      if (put(this.#balances, `${account} ${currency}`, now)) this.#movedAt.set(account, number);
    } else if (event.kind === 'instrument_delivered') {
      for (const [account, held] of this.#held) {
        if (held.has(event.instrument))
          this.#hold(account, event.instrument, ZERO_QUANTITY, number);
      }
    }
  }

  /** The number of the last event that changed a balance of the account. */
  movedAt(account: AccountId): number {
    return this.#movedAt.get(account) ?? 0;
  }

  /** All positions of the account, as they were at a moment after the event. */
  checkPositions(account: AccountId, shown: readonly OpenPosition[], since: number): void {
    const names = new Set([
      ...(this.#held.get(account)?.keys() ?? []),
      ...shown.map(({ instrument }) => instrument),
    ]);
    for (const name of names) {
      const one = shown.find(({ instrument }) => instrument === name);
      const amount = one === undefined ? NONE : text(one.quantity);
      const versions = this.#positions.get(`${account} ${name}`) ?? [];
      const possible = during([{ from: 0, amount: NONE }, ...versions], since);
      if (!possible.includes(amount)) {
        this.#breach(
          'shown',
          `the position in ${name} is ${amount}, and was ${possible.join(', ')}`,
        );
      }
    }
  }

  checkBalance({ account, currency, balance }: AccountSummary, since: number): void {
    const first = { from: 0, amount: text(STARTING_BALANCES.get(currency) ?? ZERO_QUANTITY) };
    const versions = this.#balances.get(`${account} ${currency}`) ?? [];
    const possible = during([first, ...versions], since);
    if (!possible.includes(text(balance))) {
      const was = possible.join(', ');
      this.#breach('shown', `the ${currency} of ${account} are ${text(balance)}, and were ${was}`);
    }
  }

  #traded({ account, instrument, side, quantity }: ExchangeTrade, number: number): void {
    // Spot moves balances.
    if (!instrument.includes('-')) return;
    const before = this.#held.get(account)?.get(instrument) ?? ZERO_QUANTITY;
    const signed = side === 'buy' ? quantity : negated(quantity);
    this.#hold(account, instrument, plus(before, signed), number);
  }

  #hold(account: AccountId, instrument: InstrumentName, now: Quantity, number: number): void {
    const held = this.#held.get(account) ?? new Map<InstrumentName, Quantity>();
    this.#held.set(account, held.set(instrument, now));
    put(this.#positions, `${account} ${instrument}`, { from: number, amount: text(now) });
  }
}

/** Whether it is another amount than before. */
function put(versions: Map<string, Version[]>, key: string, version: Version): boolean {
  const known = versions.get(key);
  const isOther = known?.at(-1)?.amount !== version.amount;
  if (known === undefined) versions.set(key, [version]);
  else known.push(version);
  return isOther;
}

/** Everything that it was at a moment after the event. */
const during = (versions: readonly Version[], since: number): readonly string[] =>
  versions
    .filter((_, index) => (versions[index + 1]?.from ?? Number.POSITIVE_INFINITY) > since)
    .map(({ amount }) => amount);
