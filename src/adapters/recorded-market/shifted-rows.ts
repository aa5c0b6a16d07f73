// Replays a recording at another time: its start at a given instant, faster or slower, once or in a loop.
// Only times change; every pass has the same rows.
import { type Instant, instant } from '../../values/instant.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';

export interface Shift {
  /** The replayed span; both ends are included. */
  readonly from: Instant;
  readonly to: Instant;
  /** When `from` is replayed for the first time. */
  readonly startAt: Instant;
  /** Recorded seconds per second. */
  readonly speed: number;
  /** Whether it restarts after its end. */
  readonly loops: boolean;
}

/** The gap between the last row of a pass and the first of the next. */
const SEAM_MS = 1_000;

/** Length of one pass, including the gap before the next. */
export const passMs = ({ from, to, speed }: Shift): number =>
  Math.ceil((to - from) / speed) + SEAM_MS;

/** The time of a recorded instant in the first pass. */
export const shiftedInstant = (at: number, { from, startAt, speed }: Shift): Instant =>
  instant(Math.ceil(startAt + (at - from) / speed));

/** `open` starts the rows from the beginning; passes that ended before `now` are skipped. */
export async function* shiftedRows(
  open: () => AsyncIterable<readonly RecordedEvent[]>,
  shift: Shift,
  now: Instant,
): AsyncGenerator<readonly RecordedEvent[]> {
  const length = passMs(shift);
  const over = Math.max(0, Math.floor((now - shift.startAt) / length));
  let pass = shift.loops ? over : 0;
  do {
    const later = pass * length;
    for await (const batch of open()) {
      const rows = batch.filter(({ at }) => at >= shift.from && at <= shift.to);
      if (rows.length > 0)
        yield rows.map((row) => moved(row, shiftedInstant(row.at, shift) + later));
    }
    pass += 1;
  } while (shift.loops);
}

const moved = <E extends RecordedEvent>(row: E, at: number): E => ({
  ...row,
  at: instant(at),
  atUs: at * 1_000,
});
