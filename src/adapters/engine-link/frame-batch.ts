// Sends the frames of one callback of the event loop as one message: a pipelined client makes many calls in one. They leave
// as soon as the callback is over, so that an answer does not wait for the notices that follow it, nor a call for the
// requests behind it.
import process from 'node:process';
import type { WebSocket } from 'ws';
import { frameText, type LinkFrame, messageOf } from './link-frames.ts';

/** Characters after which a message is sent before the callback ends. */
const CHARACTERS_MAX = 256 * 1024;

/** What frames are sent through. */
export type BatchSocket = Pick<WebSocket, 'send' | 'bufferedAmount' | 'readyState' | 'OPEN'>;

export class FrameBatch {
  readonly #socket: BatchSocket;
  #frames: string[] = [];
  #characters = 0;

  constructor(socket: BatchSocket) {
    this.#socket = socket;
  }

  send(frame: LinkFrame): void {
    const text = frameText(frame);
    if (this.#frames.length === 0) process.nextTick(() => this.#flush());
    this.#frames.push(text);
    this.#characters += text.length;
    if (this.#characters > CHARACTERS_MAX) this.#flush();
  }

  /** What has been given and not yet left this process, in bytes or characters. */
  get waiting(): number {
    return this.#characters + this.#socket.bufferedAmount;
  }

  #flush(): void {
    const frames = this.#frames;
    if (frames.length === 0) return;
    this.#frames = [];
    this.#characters = 0;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(messageOf(frames));
  }
}
