// The outgoing frames of one client. Frames of one turn of the event loop are written together; a client that
// does not read is detected by its backlog.
import process from 'node:process';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { textFrame, textHeader } from '../../wire/broadcast.ts';
import type { AnswerPieces } from '../method-envelope.ts';

export class Outgoing {
  readonly #client: WebSocket;
  /** The socket below the WebSocket, which ws writes to. */
  readonly #socket: Duplex;
  readonly #onWritten: () => void;
  #isCorked = false;

  /** `onWritten` is called when frames have been handed to the operating system. */
  constructor(client: WebSocket, socket: Duplex, onWritten: () => void) {
    this.#client = client;
    this.#socket = socket;
    this.#onWritten = onWritten;
  }

  get isOpen(): boolean {
    return this.#client.readyState === this.#client.OPEN;
  }

  /** Bytes the client has not read yet. */
  get waitingBytes(): number {
    return this.#client.bufferedAmount;
  }

  send(answer: AnswerPieces): void {
    if (!this.isOpen) return;
    if (typeof answer === 'string') this.#write(textFrame(answer));
    else this.#sendPieces(answer);
  }

  /** Sends a whole frame with its header, which other clients get too. */
  sendFrame(frame: Buffer): void {
    if (!this.isOpen) return;
    this.#write(frame);
  }

  /**
   * Writes directly to the socket, one piece a frame: ws would write the header by itself. What is written in one turn leaves
   * together, so that the first piece reports for all of them.
   */
  #write(piece: Buffer): void {
    if (this.#isCorked) {
      this.#socket.write(piece);
      return;
    }
    this.#cork();
    this.#socket.write(piece, this.#onWritten);
  }

  #cork(): void {
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }

  #sendPieces([before, value, after]: Exclude<AnswerPieces, string>): void {
    const [head, tail] = [Buffer.from(before), Buffer.from(after)];
    this.#write(textHeader(head.length + value.length + tail.length));
    for (const piece of [head, value, tail]) this.#socket.write(piece);
  }
}
