import { describe, expect, test } from 'vitest';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { type Instant, instant } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { ledgerConformance } from '../../conformance/ledger.ts';
import { type LedgerStage, turnWith } from '../../conformance/ledger-stage.ts';

const now = (): Instant => instant(0);

describe('MemoryLedger', () => {
  ledgerConformance((): Promise<LedgerStage> => {
    let at = instant(0);
    const ledger = new MemoryLedger({ now: () => at });
    return Promise.resolve({
      ledger,
      setNow: (next) => {
        at = next;
      },
      fills: () => Promise.resolve(ledger.fills()),
    });
  });

  test('MemoryLedger replies within the same turn of the event loop', async () => {
    const ledger = new MemoryLedger({ now });
    const order: string[] = [];
    setImmediate(() => order.push('next turn'));
    for (let n = 0; n < 3; n += 1) order.push((await ledger.commit([turnWith(7, n)])).kind);
    expect(order).toEqual(['committed', 'committed', 'committed']);
  });

  test('a failure before the commit loses the turn, and one after it loses only the reply', async () => {
    const failure = new LedgerFailure('the disk is full', false);
    const lost = new LedgerFailure('the connection is lost', true);
    const before = new MemoryLedger({ now, beforeCommit: () => Promise.reject(failure) });
    await expect(before.commit([turnWith(7, 0)])).rejects.toBe(failure);
    expect(await before.row(portfolioId('7'))).toBeUndefined();
    const after = new MemoryLedger({ now, afterCommit: () => Promise.reject(lost) });
    await expect(after.commit([turnWith(7, 0)])).rejects.toBe(lost);
    expect((await after.row(portfolioId('7')))?.version).toBe(3);
  });

  test('a loaded portfolio does not change with later turns', async () => {
    const ledger = new MemoryLedger({ now });
    await ledger.commit([turnWith(7, 0)]);
    const loaded = await ledger.load(portfolioId('7'));
    await ledger.commit([turnWith(7, 1)]);
    expect(loaded?.events).toHaveLength(3);
  });
});
