// The frames of notifications, made once for all connections that get the same one.
import { textFrame } from '../../wire/broadcast.ts';

interface Latest {
  readonly data: string;
  readonly frame: Buffer;
}

/** Channels and labels whose latest frame is kept. */
const KEPT_MAX = 4_096;

export class NotificationFrames {
  readonly #latest = new Map<string, Latest>();

  /** `head` is the text before `data`; `tail` the text after it. */
  frameOf(head: string, data: string, tail: string): Buffer {
    const known = this.#latest.get(head);
    if (known?.data === data) return known.frame;
    const frame = textFrame(`${head}${data}${tail}`);
    if (known === undefined && this.#latest.size >= KEPT_MAX) this.#latest.clear();
    this.#latest.set(head, { data, frame });
    return frame;
  }
}
