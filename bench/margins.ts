// What the margin of an account with many positions costs: placing and cancelling an order that rests, which checks what its
// account can afford, and watching the margins of such accounts alongside the whole market.
import process from 'node:process';
import { Exchange } from '../src/exchange/exchange.ts';
import type { PlaceCommand } from '../src/exchange/exchange-command.ts';
import { seededMarket } from '../src/exchange/market/market.ts';
import { isLess, type Money, money, type Price } from '../src/values/amounts.ts';
import { must } from '../src/values/assert.ts';
import { type AccountId, accountId, currency, type InstrumentName } from '../src/values/ids.ts';
import { later, SECOND_MS, utcInstant } from '../src/values/instant.ts';
import type { Instrument } from '../src/values/instrument.ts';
import type { Row } from './row.ts';

const START = utcInstant({ year: 2026, month: 1, day: 12, hour: 12 });
const HELD = [0, 10, 100, 500] as const;
const ORDERS = 2_000;
const TURNS = 5;
const BALANCES: ReadonlyMap<ReturnType<typeof currency>, Money> = new Map(
  ['BTC', 'ETH', 'USDC'].map((name) => [currency(name), money('1000000')]),
);

type Wanted = Pick<PlaceCommand, 'side' | 'type' | 'price'>;

/** One account that has sold so many options. */
class Holder {
  readonly account: AccountId;
  readonly #exchange: Exchange;
  readonly #market = seededMarket({ seed: 'bench', startAt: START });
  #now = START;

  constructor(held: number) {
    this.account = accountId(`bench-${held}`);
    this.#exchange = new Exchange({
      instruments: [],
      accounts: [{ account: this.account, balances: BALANCES }],
    });
    const listed = this.#market.instruments(START);
    const options = listed.filter(({ kind, base }) => kind === 'option' && base === 'BTC');
    for (const { name } of listed.filter(({ kind }) => kind === 'perpetual')) this.#start(name);
    for (const option of options) {
      if (this.positions >= held) break;
      this.#start(option.name);
      const bid = this.#exchange.best(option.name).bid?.price;
      const lowest = this.#exchange.reference(option.name)?.minPrice;
      if (bid === undefined || (lowest !== undefined && isLess(bid, lowest))) continue;
      this.#place(option, { side: 'sell', type: 'limit', price: bid });
    }
  }

  get positions(): number {
    return this.#exchange.positions(this.account).length;
  }

  /** Seconds of processor for an order that rests and is cancelled. */
  order(): number {
    const perpetual = must(
      this.#market
        .instruments(START)
        .find(({ kind, base }) => kind === 'perpetual' && base === 'BTC'),
      'a perpetual',
    );
    const bid = must(this.#exchange.best(perpetual.name).bid, 'a bid').price;
    const low = bid.mul('0.99').toDecimalPlaces(0) as Price;
    const from = process.cpuUsage();
    for (let number = 0; number < ORDERS; number += 1) {
      const placed = this.#place(perpetual, { side: 'buy', type: 'limit', price: low });
      const { account } = this;
      this.#exchange.handle({ kind: 'cancel', now: this.#now, account, orderId: placed });
      this.#exchange.drainEvents();
    }
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1e6 / ORDERS;
  }

  /** The share of a core that the books of its positions take, with its margin watched. */
  watch(seconds: number): number {
    const until = later(this.#now, seconds * SECOND_MS);
    const from = process.cpuUsage();
    while (this.#now < until) {
      for (const command of this.#market.step(this.#now)) this.#exchange.handle(command);
      this.#exchange.drainEvents();
      this.#now = must(this.#market.nextStepAt(this.#now), 'a next step');
    }
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1e6 / seconds;
  }

  #start(name: InstrumentName): void {
    for (const command of this.#market.start(name, START)) this.#exchange.handle(command);
  }

  #place({ name, minAmount }: Instrument, wanted: Wanted) {
    const { account } = this;
    const order = { kind: 'place', now: this.#now, account, instrument: name } as const;
    const answer = this.#exchange.handle({
      ...order,
      ...wanted,
      quantity: minAmount,
      timeInForce: 'good_til_cancelled',
      label: '',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      mmp: false,
    });
    if (answer.kind !== 'order') throw new Error(`refused: ${JSON.stringify(answer)}`);
    return answer.order.orderId;
  }
}

const median = (values: readonly number[]): number =>
  must(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)], 'a value');

const WATCHED_SECONDS = 30;

export function benchMargins(): readonly Row[] {
  const holders = HELD.map((held) => new Holder(held));
  for (const holder of holders) holder.order();
  const turns = Array.from({ length: TURNS }, () => holders.map((holder) => holder.order()));
  return holders.flatMap((holder, at): readonly Row[] => {
    const perOrder = median(turns.map((turn) => turn[at] ?? 0));
    return [
      {
        what: `an order placed and cancelled, account with ${holder.positions} options`,
        value: `${(perOrder * 1e6).toFixed(0)} µs`,
        yardstick: at === 0 ? 'as without positions' : 'with margins of all of them',
      },
      {
        what: `the books of ${holder.positions} options, margin of their holder watched`,
        value: `${(holder.watch(WATCHED_SECONDS) * 100).toFixed(1)} % of a core`,
      },
    ];
  });
}
