// Tickers of many instruments, read from a market that answers later, as that of an engine in another process does.
import { expect, test } from 'vitest';
import { readTickers } from '../../../src/gateway/order-api/market/read-tickers.ts';
import type { Ticker } from '../../../src/ports/market-reads.ts';
import type { Instrument } from '../../../src/values/instrument.ts';

const INSTRUMENTS = Array.from({ length: 40 }, (_, index) => ({ name: `I${index}` }) as Instrument);

/** Counts its turns: answers come together after all that are waiting were requested. */
class LaterMarket {
  turns = 0;
  #waiting: (() => void)[] = [];

  ticker(name: string): Promise<Ticker | undefined> {
    if (this.#waiting.length === 0) setImmediate(() => this.#turn());
    const ticker = name === 'I7' ? undefined : ({ instrument: name } as unknown as Ticker);
    return new Promise((done) => this.#waiting.push(() => done(ticker)));
  }

  #turn(): void {
    this.turns += 1;
    for (const answer of this.#waiting.splice(0)) answer();
  }
}

test('the tickers of a piece are requested together, and visited in the order of the instruments', async () => {
  const market = new LaterMarket();
  const visited: string[] = [];
  await readTickers(market, INSTRUMENTS, ({ name }, ticker) => {
    expect(ticker).toMatchObject({ instrument: name });
    visited.push(name);
  });
  expect(visited).toEqual(
    INSTRUMENTS.map(({ name }) => name as string).filter((name) => name !== 'I7'),
  );
  // 40 instruments in pieces of 16.
  expect(market.turns).toBe(3);
});
