// The open exposure that the answer of pause and cancel names.
import type { StoppedRecord } from '../../../gateway/portfolios/change-methods.ts';
import type { Terminal } from '../command.ts';

export function printUnhedged(terminal: Terminal, stopped: StoppedRecord): void {
  for (const { legId, instrument, side, unhedgedQuantity } of stopped?.unhedged ?? []) {
    const word = side === 1 ? 'buy' : 'sell';
    terminal.print(`not hedged yet: ${word} ${unhedgedQuantity} ${instrument} (leg ${legId})`);
  }
}
