// The test stage of a ledger, and turns to commit to it.
import { turnOf } from '../../bench/ledger-turn.ts';
import type { FillRow, Ledger, PortfolioRow, Turn } from '../../src/ports/ledger.ts';
import { childLabelOf, currency, tradeId, venueName } from '../../src/values/ids.ts';
import { type Instant, instant } from '../../src/values/instant.ts';

export interface LedgerStage {
  readonly ledger: Ledger;
  /** Sets the wall clock that the ledger reads. */
  setNow(at: Instant): void;
  /** All fills stored in the ledger. */
  fills(): Promise<readonly FillRow[]>;
}

export interface Changes {
  readonly row?: Partial<PortfolioRow>;
  readonly turn?: Partial<Turn>;
}

/** The `turn`-th turn (from 0, three events each) of a portfolio with the given changes; it has no key. */
export function turnWith(id: number, turn: number, { row, turn: rest }: Changes = {}): Turn {
  const { key: _, ...usual } = turnOf(id, turn);
  return { ...usual, row: { ...usual.row, ...row }, ...rest };
}

export function fillOf(trade: string): FillRow {
  return {
    venue: venueName('paper'),
    currency: currency('BTC'),
    tradeId: tradeId(trade),
    label: childLabelOf('tw1-demo-7-0-0-1'),
    quantity: '0.1',
    price: '0.0615',
    fee: '-0.00000001',
    at: instant(1_800_000_000_000),
  };
}
