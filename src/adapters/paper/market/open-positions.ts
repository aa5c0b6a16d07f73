// Tracks the instruments in which an account has a position: their mark prices, margins and funding must be
// kept up to date even if their books are not in use.
import type { AccountEvent, ExchangePosition } from '../../../exchange/exchange-event.ts';
import { isZero } from '../../../values/amounts.ts';
import type { AccountId, InstrumentName } from '../../../values/ids.ts';

export class OpenPositions {
  readonly #holders = new Map<InstrumentName, Set<AccountId>>();

  constructor(positions: Iterable<ExchangePosition>) {
    for (const position of positions) this.#note(position);
  }

  get isEmpty(): boolean {
    return this.#holders.size === 0;
  }

  note(events: readonly AccountEvent[]): void {
    for (const event of events) if (event.kind === 'position_changed') this.#note(event.position);
  }

  names(): Iterable<InstrumentName> {
    return this.#holders.keys();
  }

  #note({ account, instrument, quantity }: ExchangePosition): void {
    const holders = this.#holders.get(instrument) ?? new Set();
    if (isZero(quantity)) holders.delete(account);
    else holders.add(account);
    if (holders.size > 0) this.#holders.set(instrument, holders);
    else this.#holders.delete(instrument);
  }
}
