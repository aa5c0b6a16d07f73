// The past messages of a portfolio against what the engine published when they happened.
import { expect, test } from 'vitest';
import type { PastNews } from '../../../src/engine/interface/news-api.ts';
import { historyFrom } from '../../../src/engine/news/read-history.ts';
import type { PortfolioNews } from '../../../src/ports/event-bus.ts';
import { type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { auditReadsOf } from '../../doubles/memory/memory-audit-records.ts';
import { lives } from '../../support/daemon/lives.ts';
import { NOON } from '../../support/engine/markets.ts';

const LIVES = await lives();
const IDS = [...new Set(LIVES.map(({ turn }) => turn.portfolio))];

async function stored() {
  const clock = new VirtualClock(NOON);
  const ledger = new MemoryLedger({ now: () => clock.now() });
  for (const { turn } of LIVES) await ledger.commit([turn]);
  const reads = auditReadsOf({
    load: (id) => ledger.load(id),
    page: (query) => ledger.page(query),
  });
  return historyFrom(reads);
}

const withoutRecord = ({ portfolio: _p, account: _a, record: _r, ...past }: PortfolioNews) => past;

const publishedOf = (portfolio: PortfolioId): readonly PastNews[] =>
  LIVES.flatMap(({ turn, news }) => (turn.portfolio === portfolio ? news.map(withoutRecord) : []));

test.each([1, 2, 3, 7, 1_000])(
  'the history read %i transitions at a time is what was published, message for message',
  async (limit) => {
    const historyOf = await stored();
    expect(IDS).toHaveLength(2);
    for (const portfolio of IDS) {
      const read: PastNews[] = [];
      let after = 0;
      let isComplete = false;
      while (!isComplete) {
        const page = await historyOf({ portfolio, after, limit });
        expect(page?.account).toBe(LIVES[0]?.turn.row.account);
        read.push(...(page?.news ?? []));
        isComplete = page?.isComplete ?? true;
        expect(page?.end ?? 0).toBeGreaterThan(isComplete ? after - 1 : after);
        after = page?.end ?? after;
      }
      expect(read).toEqual(publishedOf(portfolio));
      expect(new Set(read.map(({ messageType }) => messageType)).size).toBeGreaterThan(3);
    }
  },
);

test('an unknown portfolio has no history', async () => {
  const historyOf = await stored();
  expect(await historyOf({ portfolio: portfolioId('1'), after: 0, limit: 10 })).toBeUndefined();
});
