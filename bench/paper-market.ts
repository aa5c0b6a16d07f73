// Processor time of the whole paper market: every listed book quoted at once, first as it trades by itself, then with 1 000
// more prints a minute on each perpetual.
import process from 'node:process';
import { Exchange } from '../src/exchange/exchange.ts';
import { seededMarket } from '../src/exchange/market/market.ts';
import { must } from '../src/values/assert.ts';
import { accountId } from '../src/values/ids.ts';
import { type Instant, later, SECOND_MS, utcInstant } from '../src/values/instant.ts';
import type { Instrument } from '../src/values/instrument.ts';
import type { Row } from './row.ts';

const START = utcInstant({ year: 2026, month: 1, day: 12, hour: 12 });
const WARM_SECONDS = 60;
const SECONDS = 60;
const PRINTS_PER_SECOND = 1_000 / 60;
const TAKER = accountId('bench-taker');

class WholeMarket {
  readonly #market = seededMarket({ seed: 'bench', startAt: START });
  readonly #exchange = new Exchange({ instruments: [], accounts: [] });
  readonly #listed = this.#market.instruments(START);
  #now = START;
  #prints = 0;

  constructor() {
    for (const { name } of this.#listed) {
      for (const command of this.#market.start(name, START)) this.#exchange.handle(command);
    }
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

  /** One lot of the best price, alternating between the sides. */
  #take({ name }: Instrument, now: Instant, number: number): void {
    const side = number % 2 === 0 ? 'buy' : 'sell';
    const limitTicks = side === 'buy' ? Number.MAX_SAFE_INTEGER : 1;
    const command = { kind: 'take', now, account: TAKER, instrument: name, side } as const;
    this.#exchange.handle({ ...command, lots: 1, limitTicks });
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} % of a core`;

export function benchPaperMarket(): readonly Row[] {
  const market = new WholeMarket();
  market.pass(WARM_SECONDS, 0);
  const alone = market.pass(SECONDS, 0);
  const busy = market.pass(SECONDS, PRINTS_PER_SECOND);
  return [
    {
      what: `all ${market.books} books of the paper market, nobody trading`,
      value: percent(alone.share),
      yardstick: `at most 3 %; ${Math.round(alone.prints)} prints a minute by itself`,
    },
    {
      what: 'the same with 1 000 prints a minute on each perpetual',
      value: percent(busy.share),
      yardstick: `at most 10 %; ${Math.round(busy.prints)} prints a minute in all`,
    },
  ];
}
