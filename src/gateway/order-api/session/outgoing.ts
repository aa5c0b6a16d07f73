// What is sent to one client. Frames of one turn of the event loop leave together; a client that does
// not read is noticed by what waits for it.
import process from 'node:process';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { textHeader } from '../../wire/broadcast.ts';
import type { AnswerPieces } from '../method-envelope.ts';

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

  send(answer: AnswerPieces): void {
    if (!this.isOpen) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.#socket.uncork();
      });
    }
    if (typeof answer === 'string') this.#client.send(answer, this.#onWritten);
    else this.#sendPieces(answer);
  }

  /** As one frame past ws, which would put the pieces together first. */
  #sendPieces([before, value, after]: Exclude<AnswerPieces, string>): void {
    const [head, tail] = [Buffer.from(before), Buffer.from(after)];
    this.#socket.write(textHeader(head.length + value.length + tail.length));
    this.#socket.write(head);
    this.#socket.write(value);
    this.#socket.write(tail, () => this.#onWritten());
  }
}
