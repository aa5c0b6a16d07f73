// A start waits for a server that is away for a moment, as while it restarts, with growing pauses. What another try will not
// change, such as a wrong password or a schema of a newer version, ends it.
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { LedgerFailure } from '../../ports/ledger.ts';
import { isUnreachable } from '../../values/errors/unreachable.ts';
import { ServerSilent } from './hung-server.ts';

const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 5_000;

/** Called for each failed try, with the pause before the next one. */
export type OnAway = (error: unknown, pauseMs: number) => void;

/** Repeats `open` while the server is away; rejects as soon as it fails for another reason. */
export async function whenThere<T>(
  open: () => Promise<T>,
  onAway: OnAway,
  isAway: (error: unknown) => boolean = isDatabaseAway,
): Promise<T> {
  for (let pauseMs = PAUSE_MIN_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    try {
      return await open();
    } catch (error) {
      if (!isAway(error)) throw error;
      onAway(error, pauseMs);
      await sleep(pauseMs);
    }
  }
}

/** connection_exception, too_many_connections, and a server that shuts down, crashed or is starting. */
const AWAY = /^(08...|53300|57P0[123])$/;
/** Errors of the driver have no code. */
const LOST = /^(Connection terminated|timeout expired|Client has encountered a connection error)/;

function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (error instanceof LedgerFailure) return isDatabaseAway(error.cause);
  if (error instanceof ServerSilent) return true;
  if (error instanceof DatabaseError) return AWAY.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  return isUnreachable(error) || LOST.test(error.message);
}
