// Reads the events of some kinds out of turns in PostgreSQL. The server looks for them in the text of each turn, so that
// only the few turns that have one are read and parsed here.
import type { NotableEvent } from '../../../core/notify/ledger-happenings.ts';
import type { EventKind } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioSummary } from '../../../core/portfolio/summary/portfolio-summary.ts';
import type { TurnEvents } from '../../../ports/notify/turn-events.ts';
import type { LoggedTurn } from '../../../ports/turn-log.ts';
import { must } from '../../../values/assert.ts';
import type { EventShapes, StoredEvent } from '../events/event-shapes.ts';
import type { ReadPool } from '../read-pool.ts';

/*
 * An event is stored whole or as a list that begins with the number of its shape; a text of a client may look like
 * either, which costs a turn read for nothing. `OFFSET 0` keeps the look-up of each turn by its primary key.
 */
const AMONG = `
SELECT asked.place::int4 AS place, found.events, summary_record(summary.record) AS record
FROM unnest($1::bigint[], $2::integer[]) WITH ORDINALITY AS asked (portfolio, version, place)
CROSS JOIN LATERAL (
  SELECT events FROM turn
  WHERE turn.portfolio = asked.portfolio AND turn.version = asked.version OFFSET 0
) AS found
JOIN summary ON summary.portfolio = asked.portfolio
WHERE found.events::text ~ concat('"kind":"(', array_to_string($3::text[], '|'), ')"', (
  SELECT concat('|\\[(', string_agg(number::text, '|'), '),') FROM event_shape
  WHERE names::json->>0 = ANY ($3::text[]) HAVING count(*) > 0))
ORDER BY asked.place`;

interface Columns extends Record<string, unknown> {
  readonly place: number;
  readonly events: readonly StoredEvent[];
  readonly record: PortfolioSummary;
}

export class PostgresTurnEvents implements TurnEvents {
  readonly #pool: Pick<ReadPool, 'read'>;
  readonly #shapes: EventShapes;

  constructor(pool: Pick<ReadPool, 'read'>, shapes: EventShapes) {
    this.#pool = pool;
    this.#shapes = shapes;
  }

  async among(
    turns: readonly LoggedTurn[],
    kinds: readonly EventKind[],
  ): Promise<readonly NotableEvent[]> {
    if (turns.length === 0) return [];
    const values = [
      turns.map(({ portfolio }) => portfolio),
      turns.map(({ version }) => version),
      kinds,
    ];
    const found: NotableEvent[] = [];
    for (const { place, events: stored, record } of await this.#pool.read<Columns>({
      name: 'events among turns',
      text: AMONG,
      values,
    })) {
      const { portfolio, account, fromVersion } = must(turns[place - 1], 'a turn that was asked');
      const events = await this.#shapes.eventsOf(stored);
      for (const [index, event] of events.entries()) {
        if (!kinds.includes(event.kind)) continue;
        found.push({ portfolio, account, version: fromVersion + index + 1, event, record });
      }
    }
    return found;
  }
}
