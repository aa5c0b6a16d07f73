// The trades of a paper exchange, read from its journal after the process has ended.
import { join } from 'node:path';
import { expect } from 'vitest';
import { JournalFile } from '../../../src/adapters/paper/journal/journal-file.ts';
import { openPaperVenue } from '../../../src/adapters/paper/open-paper-venue.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { whyNot } from '../../../src/core/order/answer-class.ts';
import type { VenueTrade } from '../../../src/core/order/venue-report.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { tradesSince } from '../../../src/ports/trades-since.ts';
import { plus, quantity, text } from '../../../src/values/amounts.ts';
import { type AccountId, venueName } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';

/** Every trade of the account; asserts that no order whose label begins so is still open: by default none of any daemon. */
export async function tradesInJournal(
  dataDir: string,
  account: AccountId,
  labelPrefix = 'tw1-',
): Promise<readonly VenueTrade[]> {
  const venue = openPaperVenue({
    name: venueName('paper'),
    clock: new SystemClock({ unref: true }),
    accounts: [{ account }],
    market: (bornAt) => seededMarket({ seed: '1', startAt: bornAt }),
    journal: { store: new JournalFile(join(dataDir, 'venues', 'paper', 'journal.jsonl')) },
  });
  const answer = await tradesSince(venue, account, instant(0));
  const open = await venue.openOrders({ account, labelPrefix });
  await venue.close();
  expect(open).toEqual({ kind: 'done', value: [] });
  if (answer.kind !== 'done') throw new Error(whyNot(answer));
  return answer.value;
}

export const sumOf = (trades: readonly VenueTrade[], instrument: string): string =>
  text(
    trades
      .filter((trade) => trade.instrument === instrument)
      .reduce((sum, trade) => plus(sum, trade.quantity), quantity('0')),
  );
