// What was opened, to be closed in reverse, each within its time limit.
import type { Shutdown } from './shutdown.ts';

interface NamedCloser {
  readonly name?: string;
  /** Gets its time however long the others took, so that private servers are not left running. */
  readonly isSure?: boolean;
  readonly close: () => Promise<unknown> | unknown;
}

export type Closer = NamedCloser | NamedCloser['close'];

/** Time limit of one component. */
const CLOSE_MS_MAX = 1_500;
/** Redis and PostgreSQL stop concurrently. */
const SERVERS_MS_MAX = 2_800;

export async function closeInReverse(closers: readonly Closer[], ending: Shutdown): Promise<void> {
  for (const closer of closers.toReversed()) {
    const { name = 'venues', isSure = false, close } = closerOf(closer);
    await ending.step(name, { limitMs: isSure ? SERVERS_MS_MAX : CLOSE_MS_MAX, isSure }, close);
  }
}

const closerOf = (closer: Closer): NamedCloser =>
  typeof closer === 'function' ? { close: closer } : closer;
