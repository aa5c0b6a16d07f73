// The end of every combo that trades an expiring instrument: open orders are cancelled and the book closes permanently.
// It has no position of its own: those of its other legs stay.
import type { InstrumentName } from '../../values/ids.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { emptyBook } from '../execution/empty-book.ts';
import { changeCombo } from './combo-record.ts';

/** To be called before the leg itself is settled. */
export function endCombosOf(state: ExchangeState, leg: InstrumentName): void {
  for (const combo of state.combos.withLeg(leg)) {
    if (combo.isEnded) continue;
    emptyBook(state, combo.instrument.name);
    changeCombo(state, { ...combo, state: 'inactive', changedAt: state.now, isEnded: true });
  }
}
