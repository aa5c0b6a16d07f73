// What the message budgets leave for new orders and edits, read at one moment: a value that decisions depend on, so that
// a slice whose order could not leave in time is not intended at all.
import { type Instant, later } from '../../values/instant.ts';

/** One budget: what can be sent now without touching the reserve for cancels and what others have been promised. */
export interface BudgetRoom {
  /** Messages; below one, the next has to wait. */
  readonly left: number;
  readonly perSecond: number;
}

export interface MessageRoom {
  /** When it was read. */
  readonly at: Instant;
  /** The budgets that every message counts in. */
  readonly shared: readonly BudgetRoom[];
  /** By instrument; an absent one has no budget of its own. */
  readonly instruments: ReadonlyMap<string, BudgetRoom>;
}

/** When the slowest of the budgets lets the next message about the instrument leave. */
export function mayLeaveAt({ at, shared, instruments }: MessageRoom, instrument: string): Instant {
  const own = instruments.get(instrument);
  const waits = [...shared, ...(own === undefined ? [] : [own])].map(waitMs);
  return later(at, Math.max(0, ...waits));
}

const waitMs = ({ left, perSecond }: BudgetRoom): number =>
  left >= 1 ? 0 : Math.ceil(((1 - left) / perSecond) * 1_000);

/** The room for what is decided after a message about the instrument. */
export function withMessage(room: MessageRoom, instrument: string): MessageRoom {
  const own = room.instruments.get(instrument);
  const instruments =
    own === undefined
      ? room.instruments
      : new Map(room.instruments).set(instrument, withoutOne(own));
  return { ...room, shared: room.shared.map(withoutOne), instruments };
}

const withoutOne = ({ left, perSecond }: BudgetRoom): BudgetRoom => ({ left: left - 1, perSecond });
