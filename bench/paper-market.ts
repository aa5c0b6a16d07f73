// Processor time of the whole paper market: every listed book quoted at once, as it trades by itself, with 1 000 more prints a
// minute on each perpetual, and with accounts that hold positions, whose margins are checked. Each is measured by turns, and
// the medians are shown.
import process from 'node:process';
import { Exchange } from '../src/exchange/exchange.ts';
import { seededMarket } from '../src/exchange/market/market.ts';
import { money } from '../src/values/amounts.ts';
import { must } from '../src/values/assert.ts';
import { type AccountId, accountId, currency } from '../src/values/ids.ts';
import { type Instant, later, SECOND_MS, utcInstant } from '../src/values/instant.ts';
import type { Instrument } from '../src/values/instrument.ts';
import type { Row } from './row.ts';

const START = utcInstant({ year: 2026, month: 1, day: 12, hour: 12 });
const WARM_SECONDS = 180;
const SECONDS = 60;
const TURNS = 3;
/** Accounts with positions in perpetuals. */
const HOLDERS = 10;
const PRINTS_PER_SECOND = 1_000 / 60;
const AMPLE = new Map(['BTC', 'ETH', 'USDC'].map((name) => [currency(name), money('1000000')]));
const TAKER = accountId('bench-taker');

class WholeMarket {
  readonly #market = seededMarket({ seed: 'bench', startAt: START });
  readonly #exchange: Exchange;
  readonly #listed = this.#market.instruments(START);
  readonly #accounts: readonly AccountId[];
  #now = START;
  #prints = 0;

  constructor(holders = 0) {
    this.#accounts = Array.from({ length: holders }, (_, at) => accountId(`bench-${at}`));
    this.#exchange = new Exchange({
      instruments: [],
      accounts: this.#accounts.map((account) => ({ account, balances: AMPLE })),
    });
    for (const { name } of this.#listed) {
      for (const command of this.#market.start(name, START)) this.#exchange.handle(command);
    }
    for (const account of this.#accounts) this.#hold(account);
  }

  get books(): number {
    return this.#listed.length;
  }

  /** The share of a core that `seconds` of the market take, and the prints a minute among them. */
  pass(
    seconds: number,
    takesPerSecond: number,
  ): { readonly share: number; readonly prints: number } {
    const perpetuals = this.#listed.filter(({ kind }) => kind === 'perpetual');
    const until = later(this.#now, seconds * SECOND_MS);
    const from = process.cpuUsage();
    this.#prints = 0;
    let taken = 0;
    const start = this.#now;
    while (this.#now < until) {
      for (const command of this.#market.step(this.#now)) this.#exchange.handle(command);
      for (; taken < ((this.#now - start) / SECOND_MS) * takesPerSecond; taken += 1) {
        for (const perpetual of perpetuals) this.#take(perpetual, this.#now, taken);
      }
      for (const { kind } of this.#exchange.drainEvents()) if (kind === 'print') this.#prints += 1;
      this.#now = must(this.#market.nextStepAt(this.#now), 'a next step');
    }
    const { user, system } = process.cpuUsage(from);
    return { share: (user + system) / 1e6 / seconds, prints: this.#prints / (seconds / 60) };
  }

  /** Buys the least of each perpetual. */
  #hold(account: AccountId): void {
    const perpetuals = this.#listed.filter(({ kind }) => kind === 'perpetual');
    for (const { name, minAmount } of perpetuals) {
      const order = { kind: 'place', now: START, account, instrument: name, side: 'buy' } as const;
      this.#exchange.handle({
        ...order,
        type: 'market',
        quantity: minAmount,
        timeInForce: 'good_til_cancelled',
        postOnly: false,
        rejectPostOnly: false,
        reduceOnly: false,
        mmp: false,
        label: '',
      });
    }
  }

  /** The positions of all accounts. */
  get positions(): number {
    return this.#accounts.reduce((sum, one) => sum + this.#exchange.positions(one).length, 0);
  }

  /** One lot of the best price, alternating between the sides. */
  #take({ name }: Instrument, now: Instant, number: number): void {
    const side = number % 2 === 0 ? 'buy' : 'sell';
    const limitTicks = side === 'buy' ? Number.MAX_SAFE_INTEGER : 1;
    const command = { kind: 'take', now, account: TAKER, instrument: name, side } as const;
    this.#exchange.handle({ ...command, lots: 1, limitTicks });
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} % of a core`;

const median = (values: readonly number[]): number =>
  must(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)], 'a value');

export function benchPaperMarket(): readonly Row[] {
  const [market, held] = [new WholeMarket(), new WholeMarket(HOLDERS)];
  for (const each of [market, held]) each.pass(WARM_SECONDS, 0);
  const turns = Array.from({ length: TURNS }, () => ({
    alone: market.pass(SECONDS, 0),
    busy: market.pass(SECONDS, PRINTS_PER_SECOND),
    held: held.pass(SECONDS, 0),
  }));
  const shareOf = (of: 'alone' | 'busy' | 'held'): string =>
    percent(median(turns.map((turn) => turn[of].share)));
  const printsOf = (of: 'alone' | 'busy'): number =>
    Math.round(median(turns.map((turn) => turn[of].prints)));
  return [
    {
      what: `all ${market.books} books of the paper market, nobody trading`,
      value: shareOf('alone'),
      yardstick: `at most 3 %; ${printsOf('alone')} prints a minute by itself`,
    },
    {
      what: `the same beside ${HOLDERS} accounts with ${held.positions} positions, margins checked`,
      value: shareOf('held'),
      yardstick: 'at most 3 %',
    },
    {
      what: 'the same with 1 000 prints a minute on each perpetual',
      value: shareOf('busy'),
      yardstick: `at most 10 %; ${printsOf('busy')} prints a minute in all`,
    },
  ];
}
