// Reads the events of some kinds out of turns in a ledger in memory, which has them all at hand.
import type { NotableEvent } from '../../../src/core/notify/ledger-happenings.ts';
import type { EventKind } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { TurnEvents } from '../../../src/ports/notify/turn-events.ts';
import type { LoggedTurn } from '../../../src/ports/turn-log.ts';
import { must } from '../../../src/values/assert.ts';

export class MemoryTurnEvents implements TurnEvents {
  readonly #ledger: Pick<Ledger, 'load' | 'row'>;

  constructor(ledger: Pick<Ledger, 'load' | 'row'>) {
    this.#ledger = ledger;
  }

  async among(
    turns: readonly LoggedTurn[],
    kinds: readonly EventKind[],
  ): Promise<readonly NotableEvent[]> {
    const found: NotableEvent[] = [];
    for (const { portfolio, account, fromVersion, version: last } of turns) {
      const stored = await this.#ledger.load(portfolio);
      const row = await this.#ledger.row(portfolio);
      if (stored === undefined || row === undefined) continue;
      const { events } = stored;
      const { record } = row;
      for (let version = fromVersion + 1; version <= last; version += 1) {
        const event = must(events[version - 1], 'an event of a logged turn');
        if (kinds.includes(event.kind)) found.push({ portfolio, account, version, event, record });
      }
    }
    return found;
  }
}
