// Enters what a settlement or an expiry moved in the log of the account and in the journal.
import type { ExchangeState } from '../exchange-state.ts';
import type { PositionSettlement } from '../model/settlement-log.ts';

export function enterSettlement(state: ExchangeState, settled: PositionSettlement): void {
  state.settlements.add(settled);
  state.outbox.emit({ kind: 'position_settled', at: settled.at, settled });
}
