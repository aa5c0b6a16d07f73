// `info` at a gateway whose engine is another process.
import { expect, test } from 'vitest';
import type { PortfolioSummary } from '../../../src/core/portfolio/summary/portfolio-summary.ts';
import { gatewayReads } from '../../../src/main/gateway/gateway-reads.ts';
import type { StoredRow } from '../../../src/ports/ledger.ts';
import { portfolioId } from '../../../src/values/ids.ts';

const [ORIGINAL, MIRROR] = ['1795000000000001', '1795000000000002'];

const rowOf = (id: string, status: StoredRow['status'], mirrors: readonly string[]): StoredRow =>
  ({ status, record: { id, status, mirrors } }) as unknown as StoredRow;

/** An engine that answers with its name, and the rows of a ledger. */
const operationsOver = (rows: Readonly<Record<string, StoredRow>>) =>
  gatewayReads({
    engine: { info: () => Promise.resolve({ id: 'of the engine' } as never) } as never,
    ledger: { page: () => Promise.reject(new Error('no page')), row: async (id) => rows[id] },
    plan: () => Promise.reject(new Error('no plan')),
  });

test('a portfolio that is over is shown with its mirrors from the ledger, once they are over too', async () => {
  const shown = (mirror: StoredRow | undefined): Promise<PortfolioSummary | undefined> => {
    const rows = { [ORIGINAL]: rowOf(ORIGINAL, 'filled', [MIRROR]) };
    return operationsOver(mirror ? { ...rows, [MIRROR]: mirror } : rows).info(
      portfolioId(ORIGINAL),
    );
  };
  expect(await shown(rowOf(MIRROR, 'cancelled', []))).toMatchObject({
    id: ORIGINAL,
    mirrored: [{ id: MIRROR, status: 'cancelled' }],
  });
  for (const mirror of [rowOf(MIRROR, 'active', []), undefined]) {
    expect(await shown(mirror)).toEqual({ id: 'of the engine' });
  }
});

test('an active portfolio is shown by the engine, and one that is over without mirrors by the ledger', async () => {
  const rows = {
    [ORIGINAL]: rowOf(ORIGINAL, 'active', []),
    [MIRROR]: rowOf(MIRROR, 'filled', []),
  };
  const { info } = operationsOver(rows);
  expect(await info(portfolioId(ORIGINAL))).toEqual({ id: 'of the engine' });
  expect(await info(portfolioId(MIRROR))).toEqual({ id: MIRROR, status: 'filled', mirrors: [] });
});
