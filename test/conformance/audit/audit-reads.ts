// Contract of every AuditReads: the events of a portfolio in pieces, and the portfolios in pages, in order of id.
import { expect, test } from 'vitest';
import type { AuditReads } from '../../../src/ports/audit-reads.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import { turnWith } from '../ledger-stage.ts';

export interface AuditReadsStage {
  readonly ledger: Pick<Ledger, 'commit' | 'load'>;
  readonly reads: AuditReads;
}

/** `open` returns an empty ledger and its reads; every test has its own. */
export function auditReadsConformance(open: () => Promise<AuditReadsStage>): void {
  test('events are returned after a version, in order, and at most as many as are requested', async () => {
    const { ledger, reads } = await open();
    for (const turn of [0, 1, 2]) await ledger.commit([turnWith(7, turn), turnWith(8, turn)]);
    const id = portfolioId('7');
    const { events = [] } = (await ledger.load(id)) ?? {};
    expect(events).toHaveLength(9);
    const pieces = [];
    for (let at = 0; at < 9; at += 4) pieces.push(...(await reads.eventsAfter(id, at, 4)));
    expect(pieces).toEqual(events);
    expect(await reads.eventsAfter(id, 8, 4)).toEqual(events.slice(8));
    expect(await reads.eventsAfter(id, 9, 4)).toEqual([]);
    expect(await reads.eventsAfter(id, 99, 4)).toEqual([]);
    expect(await reads.eventsAfter(portfolioId('9'), 0, 4)).toEqual([]);
  });

  test('the row of a portfolio states its number of events, and a portfolio without a row states none', async () => {
    const { ledger, reads } = await open();
    for (const turn of [0, 1]) await ledger.commit([turnWith(7, turn)]);
    expect(await reads.versionOf?.(portfolioId('7'))).toBe(6);
    expect(await reads.versionOf?.(portfolioId('8'))).toBeUndefined();
  });

  test('portfolios are paged in numeric order, whatever the length of their ids', async () => {
    const { ledger, reads } = await open();
    const ids = [1_000, 7, 99, 8, 101, 9, 10, 11, 100, 999];
    await ledger.commit(ids.map((id) => turnWith(id, 0)));
    const read: PortfolioId[] = [];
    for (;;) {
      const page = await reads.portfoliosAfter(read.at(-1), 3);
      if (page.length === 0) break;
      read.push(...page);
      expect(read.length).toBeLessThanOrEqual(ids.length);
    }
    expect(read.map(Number)).toEqual([7, 8, 9, 10, 11, 99, 100, 101, 999, 1_000]);
    expect(await reads.portfoliosAfter(portfolioId('50'), 2)).toEqual(['99', '100']);
  });
}
