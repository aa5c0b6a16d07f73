// What is sent to one client. Frames of one turn of the event loop leave together; a client that does
// not read is noticed by what waits for it.
import process from 'node:process';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

export class Outgoing {
  readonly #client: WebSocket;
  /** Under the client: ws writes to it. */
  readonly #socket: Duplex;
  readonly #onWritten: () => void;
  #isCorked = false;

  /** `onWritten` is called when something that was sent is with the operating system. */
  constructor(client: WebSocket, socket: Duplex, onWritten: () => void) {
    this.#client = client;
    this.#socket = socket;
    this.#onWritten = onWritten;
  }

  get isOpen(): boolean {
    return this.#client.readyState === this.#client.OPEN;
  }

  /** Bytes that wait to be read. */
  get waitingBytes(): number {
    return this.#client.bufferedAmount;
  }

  send(text: string): void {
    if (!this.isOpen) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.#socket.uncork();
      });
    }
    this.#client.send(text, this.#onWritten);
  }
}
