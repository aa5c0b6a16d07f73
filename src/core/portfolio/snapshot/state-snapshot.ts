// A portfolio's state as text, so that it need not be folded from its first event again. A snapshot is a cache: what
// the events say is the truth, and one that does not fit them is ignored.
import type { PortfolioId } from '../../../values/ids.ts';
import {
  type InstrumentRecord,
  instrumentFromRecord,
  instrumentToRecord,
  type SpecRecord,
  specFromRecord,
  specToRecord,
} from '../../terms/spec-record.ts';
import { evolve } from '../aggregate/evolve.ts';
import type { PortfolioEvent } from '../aggregate/portfolio-event.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { fromText, isLayered, toText } from './value-text.ts';

/**
 * Snapshots of other formats are not read. It changes whenever the state gets another field or an event another
 * effect: an older snapshot would lack what the fold would give (a test compares a kept one).
 */
export const SNAPSHOT_FORMAT = 4;

export interface StateSnapshot {
  readonly portfolio: PortfolioId;
  /** Number of events folded. */
  readonly version: number;
  readonly format: number;
  readonly text: string;
}

interface Written extends Omit<PortfolioState, 'spec' | 'instruments'> {
  readonly spec: SpecRecord;
  readonly instruments: readonly InstrumentRecord[];
}

export function snapshotOf(state: PortfolioState): StateSnapshot {
  const written: Written = {
    ...state,
    spec: specToRecord(state.spec),
    instruments: Array.from(state.instruments.values(), instrumentToRecord),
  };
  const { id: portfolio, version } = state;
  return { portfolio, version, format: SNAPSHOT_FORMAT, text: toText(written) };
}

/**
 * The state after the snapshot and the events that follow it; `undefined` if the snapshot is of another format. Throws
 * if it cannot be read or the events do not continue it.
 */
export function restoredState(
  snapshot: StateSnapshot,
  events: readonly PortfolioEvent[],
): PortfolioState | undefined {
  const { portfolio, version, format } = snapshot;
  if (format !== SNAPSHOT_FORMAT) return undefined;
  const written = writtenIn(snapshot);
  if (written.id !== portfolio || written.version !== version) {
    throw new Error(`the snapshot of ${portfolio} at ${version} is of another state`);
  }
  // Instruments and options are shared with other portfolios, as after a fold.
  const state: PortfolioState = {
    ...written,
    spec: specFromRecord(written.spec),
    instruments: new Map(
      written.instruments.map((record) => {
        const instrument = instrumentFromRecord(record);
        return [instrument.name, instrument];
      }),
    ),
  };
  return events.reduce(evolve, state);
}

/** Damaged text is no mistake of the program: the events have the state. */
function writtenIn({ portfolio, version, text }: StateSnapshot): Written {
  try {
    return fromText<Written>(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`the snapshot of ${portfolio} at ${version} is damaged: ${error.message}`);
  }
}

/** Whether the snapshot says what the events up to its version give; one of another format says nothing. */
export function isSnapshotOf(snapshot: StateSnapshot, state: PortfolioState): boolean {
  if (snapshot.format !== SNAPSHOT_FORMAT) return true;
  try {
    const restored = restoredState(snapshot, []);
    return restored !== undefined && comparable(restored) === comparable(state);
  } catch {
    // Unexamined: whatever a damaged snapshot makes its reader throw, it is not that of the state, which is a finding.
    return false;
  }
}

/** Equal texts for states that decide alike: the order of fields does not matter, that of the entries of a map does. */
const comparable = (state: PortfolioState): string =>
  JSON.stringify(state, (_name, value: unknown) => {
    if (value instanceof Map) return [...value.entries()];
    if (isLayered(value)) return sorted(value.entries());
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(sorted(Object.entries(value)));
  });

const sorted = (entries: Iterable<[string, unknown]>): [string, unknown][] =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
