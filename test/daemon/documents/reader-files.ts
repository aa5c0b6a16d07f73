// What a reader of the pages has of his own: recordings, strategies, and instruments that are listed on this day.
import { gzipSync } from 'node:zlib';
import type { Reader } from './reader.ts';

/** Line 17 names an option that expired long ago. */
export const STRATEGY_OF_EXPIRED_OPTION = `# A strategy that was forgotten.
name: forgotten
description: Buys a call that has expired.
enabled: true

schedule:
  cron: "0 9 * * *"
  zone: UTC

portfolio:
  accountId: 10001
  portfolioType: TWAP
  twapTrade:
    durationSec: 600
    frequencySec: 60
  legs:
    - instrument: BTC-20NOV26-90000-C
      instrumentType: OPTION
      side: 1
      quantity: "1"
      priceOptions: { priceType: DYNAMIC, dynamicPriceStrategy: MID, dynamicMs: 1000, price: "0.01", priceIn: BTC }
`;

const strategyOf = (instrument: string, kind: string, quantity: string): string => `name: own
description: Buys for ten minutes at the mid.
portfolio:
  accountId: 10001
  portfolioType: TWAP
  twapTrade: { durationSec: 600, frequencySec: 60 }
  legs:
    - instrument: ${instrument}
      instrumentType: ${kind}
      side: 1
      quantity: "${quantity}"
      priceOptions: { priceType: DYNAMIC, dynamicPriceStrategy: MID, dynamicMs: 1000, price: "1", priceIn: USD }
execution:
  endAction: market
`;

/** Of one day of ETH-USD, an hour and a half of quotes and trades, in the columns of tardis.dev; and strategies that use it. */
export function giveRecordings(reader: Reader): void {
  reader.give('my-eth.yaml', strategyOf('ETH-USD', 'SPOT', '6'));
  reader.give('accumulate.yaml', strategyOf('ETH-USD', 'SPOT', '3'));
  reader.give('my-strategy.yaml', strategyOf('BTC-PERPETUAL', 'PERPETUAL', '6000'));
  const quotes = [
    'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
  ];
  const trades = ['exchange,symbol,timestamp,local_timestamp,id,side,price,amount'];
  for (let second = 0; second < 5_400; second += 3) {
    const us = (Date.UTC(2024, 2, 1) + second * 1_000) * 1_000;
    const cents = 220_000 + Math.round(400 * Math.sin(second / 300));
    const price = (plus: number): string => ((cents + plus) / 100).toFixed(2);
    quotes.push(`gemini,ETH-USD,${us},${us},5,${price(5)},${price(0)},5`);
    trades.push(
      `gemini,ETH-USD,${us},${us},,${second % 2 ? 'buy' : 'sell'},${price(second % 2 ? 5 : 0)},1.5`,
    );
  }
  for (const [kind, lines] of [
    ['quotes', quotes],
    ['trades', trades],
  ] as const) {
    for (const folder of ['../recordings', 'recorded']) {
      const name = `${folder}/gemini_${kind}_2024-03-01_ETH-USD.csv.gz`;
      reader.give(name, gzipSync(`${lines.join('\n')}\n`));
    }
  }
}

interface Listed {
  readonly instrumentName: string;
  readonly strike: string;
  readonly expiration: number;
}

const listedCalls = async (reader: Reader): Promise<readonly Listed[]> => {
  const text = await reader.printed("./twapd instruments 'BTC-*-C' --json");
  return JSON.parse(text) as readonly Listed[];
};

/** The expiry that comes next but one, in names and as a date. */
export async function nextExpiry(reader: Reader): Promise<readonly [string, string]> {
  const listed = await listedCalls(reader);
  const expiries = [...new Set(listed.map(({ expiration }) => expiration))].toSorted(
    (a, b) => a - b,
  );
  const next = listed.find(({ expiration }) => expiration === expiries[1]);
  const name = /^BTC-([^-]*)-/.exec(next?.instrumentName ?? '')?.[1] ?? '';
  return [name, new Date(next?.expiration ?? 0).toISOString().slice(0, 10)];
}

/** Reports that the reader has kept: of a portfolio, and of backtests. */
export async function giveReports(reader: Reader, id: string): Promise<void> {
  const text = await reader.printed(`./twapd report ${id} --json`);
  for (const name of ['a', 'b', 'c']) reader.give(`${name}.json`, text);
}

/** Two calls of the last expiry with neighbouring strikes around the middle, as their names go on after `BTC-`. */
export async function lastCalls(reader: Reader): Promise<readonly [string, string]> {
  const listed = await listedCalls(reader);
  const last = Math.max(...listed.map(({ expiration }) => expiration));
  const names = listed
    .filter(({ expiration }) => expiration === last)
    .toSorted((a, b) => Number(a.strike) - Number(b.strike))
    .map(({ instrumentName }) => /^BTC-(.*)-C$/.exec(instrumentName)?.[1] ?? '');
  const middle = Math.floor(names.length / 2);
  return [names[middle] ?? '', names[middle + 1] ?? ''];
}
