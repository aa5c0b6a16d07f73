// Enters what a settlement or an expiry moved in the log of the account and in the journal.
import type { ExchangeState } from '../exchange-state.ts';
import type { PositionSettlement } from '../model/settlement-log.ts';

export function enterSettlement(state: ExchangeState, moved: PositionSettlement): void {
  const { account, at } = moved;
  const tradesBefore = state.trades.since(account, at).length;
  const settled = tradesBefore === 0 ? moved : { ...moved, tradesBefore };
  state.settlements.add(settled);
  state.outbox.emit({ kind: 'position_settled', at, settled });
}
