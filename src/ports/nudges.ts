// Notifies the other processes of a deployment that something in the ledger changed. Notices may be lost or
// duplicated: every listener also polls, a little later.
import { InvariantBroken } from '../values/assert.ts';

const TOPIC_CHARS_MAX = 64;
const TEXT_CHARS_MAX = 128;

/** Why a nudge is not sent: it would be a bug of ours. `undefined`: it is. */
export function nudgeFault(topic: string, text: string): InvariantBroken | undefined {
  if (topic === '' || topic.length > TOPIC_CHARS_MAX)
    return new InvariantBroken(
      `the topic of a nudge has ${topic.length} characters; accepted: 1 to ${TOPIC_CHARS_MAX}`,
    );
  if (text.length > TEXT_CHARS_MAX)
    return new InvariantBroken(
      `the text of a nudge has ${text.length} characters; accepted: at most ${TEXT_CHARS_MAX}`,
    );
  return undefined;
}

export interface Nudges {
  /**
   * Notifies the other processes, not this one. Never waits and never fails: what {@link nudgeFault} finds is reported and
   * not sent. `text`: what it is about.
   */
  nudge(topic: string, text?: string): void;
  /** Calls `listener` for each notice about `topic` with its text, or '', until the returned function is called. */
  onNudge(topic: string, listener: (text: string) => void): () => void;
}

/** For a process without others alongside it: nothing is sent, and nothing arrives. */
export const NO_NUDGES: Nudges = {
  nudge: () => undefined,
  onNudge: () => () => undefined,
};
