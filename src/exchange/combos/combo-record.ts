// What a combo's record does to its book: it opens, locks and closes it. The same for a change that happens and for one
// that was journaled.
import type { ExchangeState } from '../exchange-state.ts';
import type { ComboRecord } from '../model/combo-registry.ts';

/** The change of a combo, to be published. Returns the record. */
export function changeCombo(state: ExchangeState, combo: ComboRecord): ComboRecord {
  enterCombo(state, combo);
  state.outbox.emit({ kind: 'combo_changed', at: state.now, combo });
  return combo;
}

/** Lists the combo if it is new. Its legs are listed. */
export function enterCombo(state: ExchangeState, combo: ComboRecord): void {
  const listing = state.list(combo.instrument);
  state.combos.put(combo);
  if (combo.isEnded) {
    listing.state = 'closed';
    listing.closedAt = combo.changedAt;
  } else if (combo.state === 'inactive') {
    listing.state = 'locked';
  } else {
    listing.state = state.isPaused ? 'settlement' : 'open';
  }
}
