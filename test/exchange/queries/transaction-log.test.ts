// The order of the entries of one millisecond, by what each leaves of the balance and of the position.
import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { AccountEvent, ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../../src/exchange/journal/plain.ts';
import { type Quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { instant } from '../../../src/values/instant.ts';
import { ALICE, accepted, Desk, options } from '../exchange-desk.ts';
import { btcUsdcPerpetual } from '../instruments.ts';

const MORNING = instant(Date.UTC(2026, 10, 3, 8));
const USDC = btcUsdcPerpetual.settlement;

/** Alice is long two coins and offers them; one is taken in the millisecond of the settlement before it, a half after it. */
function settledBetweenTrades(): Desk {
  const desk = new Desk(btcUsdcPerpetual);
  desk.quotes([], [['100000', '2']]);
  accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '2' }));
  accepted(desk.place(ALICE, 'sell', { price: '101000', quantity: '2' }));
  desk.now = MORNING;
  desk.take('buy', '0.4', '101000');
  desk.take('buy', '0.6', '101000');
  desk.reference('102000');
  desk.do({ kind: 'settle_day', now: desk.now });
  desk.take('buy', '0.5', '101000');
  return desk;
}

/** Oldest first, read in pages of so many. */
function logOf(exchange: Exchange, count: number) {
  const query = { account: ALICE, currency: USDC, from: instant(0), until: MORNING, count };
  const pages = [exchange.transactionLog(query)];
  for (let last = pages[0]; last?.hasMore === true; last = pages.at(-1)) {
    pages.push(exchange.transactionLog({ ...query, before: last.transactions.at(-1)?.seq }));
  }
  return pages.flatMap(({ transactions }) => transactions).toReversed();
}

const left = (amount: Quantity | undefined): string => text(must(amount, 'a position'));

test.each([1, 2, 100])(
  'trades and a settlement of one millisecond are in the order in which they came, in pages of %i',
  (count) => {
    const log = logOf(settledBetweenTrades().exchange, count);
    expect(log.map(({ type, position }) => `${type} ${left(position)}`)).toEqual([
      'trade 2',
      'trade 1.6',
      'trade 1',
      'settlement 1',
      'trade 0.5',
    ]);
    let balance = new BigNumber('5000000');
    for (const entry of log) {
      balance = balance.plus(text(entry.change));
      expect(text(must(entry.balance, 'a balance')), entry.type).toBe(balance.toFixed());
    }
    const numbers = log.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  },
);

test('the order outlives a restart from a snapshot and from the journal', () => {
  const { exchange } = settledBetweenTrades();
  const isAccountEvent = (event: ExchangeEvent): event is AccountEvent => event.kind !== 'print';
  const journal = exchange.drainEvents().filter(isAccountEvent);
  const rebuilt = new Exchange(options());
  rebuilt.applyJournal(journal.map(journalRecord));
  const seqs = (one: Exchange) => logOf(one, 100).map(({ type, seq }) => `${type} ${seq}`);
  expect(seqs(Exchange.restore(exchange.snapshot(), options()))).toEqual(seqs(exchange));
  expect(seqs(rebuilt)).toEqual(seqs(exchange));
});
