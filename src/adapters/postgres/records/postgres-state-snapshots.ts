// Snapshots of states in PostgreSQL, in the ledger's database.
import type { StateSnapshot } from '../../../core/portfolio/snapshot/state-snapshot.ts';
import type { StateSnapshots, StoredState } from '../../../ports/snapshots/state-snapshots.ts';
import { assert } from '../../../values/assert.ts';
import { type PortfolioId, portfolioId } from '../../../values/ids.ts';
import type { EventShapes } from '../events/event-shapes.ts';
import { type EventsRow, eventsIn, rowsAfter } from '../events/stored-events.ts';
import type { ReadPool } from '../read-pool.ts';

/** Rows are locked in order of id, so that two daemons never deadlock. */
const SAVE = `
INSERT INTO state_snapshot AS held (portfolio, version, format, state)
SELECT * FROM unnest($1::int8[], $2::int4[], $3::int2[], $4::text[]) ORDER BY 1
ON CONFLICT (portfolio) DO UPDATE
SET version = excluded.version, format = excluded.format, state = excluded.state
WHERE held.version < excluded.version OR held.format <> excluded.format`;

/** Has no name: the server plans it for its portfolio, and so opens one partition of turns, not all. */
const LOAD = `
WITH kept AS MATERIALIZED (
  SELECT s.version, s.state FROM state_snapshot s JOIN portfolio p ON p.id = s.portfolio
  WHERE s.portfolio = $1 AND s.format = $2 AND s.version <= p.version
), one AS (${rowsAfter('COALESCE((SELECT version FROM kept), 0)')})
SELECT version, 0 AS size, state, NULL::json AS events FROM kept
UNION ALL
SELECT version, size, NULL, events FROM one
ORDER BY version, size`;

type LoadedRow = (EventsRow & { readonly state: null }) | KeptRow;

interface KeptRow {
  readonly version: number;
  readonly state: string;
}

interface SnapshotRow {
  readonly portfolio: string;
  readonly version: number;
  readonly format: number;
  readonly state: string;
}

export class PostgresStateSnapshots implements StateSnapshots {
  readonly #pool: ReadPool;
  readonly #shapes: EventShapes;

  constructor(pool: ReadPool, shapes: EventShapes) {
    this.#pool = pool;
    this.#shapes = shapes;
  }

  async save(snapshots: readonly StateSnapshot[]): Promise<void> {
    const latest = new Map<PortfolioId, StateSnapshot>();
    for (const one of snapshots) {
      const { version = 0 } = latest.get(one.portfolio) ?? {};
      if (one.version > version) latest.set(one.portfolio, one);
    }
    if (latest.size === 0) return;
    const all = [...latest.values()];
    await this.#pool.write({
      name: 'save snapshots',
      text: SAVE,
      values: [
        all.map(({ portfolio }) => portfolio),
        all.map(({ version }) => version),
        all.map(({ format }) => format),
        all.map(({ text }) => text),
      ],
    });
  }

  async load(portfolio: PortfolioId, format: number): Promise<StoredState | undefined> {
    const rows = await this.#pool.read<LoadedRow & Record<string, unknown>>({
      text: LOAD,
      values: [portfolio, format],
    });
    const [first] = rows;
    if (first === undefined) return undefined;
    const { version, text } =
      first.state === null ? { version: 0 } : { version: first.version, text: first.state };
    const tail = rows.flatMap((row) => (row.state === null ? [row] : []));
    const { events, isWhole } = await eventsIn(this.#shapes, tail, version);
    assert(
      isWhole,
      () => `portfolio ${portfolio} has lost its event ${version + events.length + 1}`,
    );
    return {
      snapshot: text === undefined ? undefined : { portfolio, version, format, text },
      events,
    };
  }

  async of(portfolio: PortfolioId): Promise<StateSnapshot | undefined> {
    const [row] = await this.#pool.read<SnapshotRow & Record<string, unknown>>({
      name: 'snapshot',
      text: 'SELECT portfolio, version, format, state FROM state_snapshot WHERE portfolio = $1',
      values: [portfolio],
    });
    if (row === undefined) return undefined;
    const { version, format, state: text } = row;
    return { portfolio: portfolioId(row.portfolio), version, format, text };
  }

  async delete(portfolios: readonly PortfolioId[]): Promise<void> {
    if (portfolios.length === 0) return;
    await this.#pool.write({
      name: 'delete snapshots',
      text: `DELETE FROM state_snapshot WHERE portfolio IN (
        SELECT portfolio FROM state_snapshot WHERE portfolio = ANY ($1::int8[])
        ORDER BY portfolio FOR UPDATE)`,
      values: [portfolios],
    });
  }
}
