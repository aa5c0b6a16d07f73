// One WebSocket from its handshake to its end. The end is reported once, with a reason, as soon as it is
// decided, because a socket whose peer is gone may take minutes to close.

import { WebSocket } from 'ws';
import { cutText } from '../../../values/text/text-length.ts';

export interface VenueSocketOptions {
  readonly url: string;
  readonly handshakeMs: number;
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  readonly onEnd: (reason: string) => void;
}

/** What a session needs of a connection. */
export type Socket = Pick<VenueSocket, 'send' | 'end' | 'close'>;
export type OpenSocket = (options: VenueSocketOptions) => Socket;

export const openSocket: OpenSocket = (options) => new VenueSocket(options);

const FRAME_BYTES_MAX = 64 * 1_024 * 1_024;
/** If more than this is unsent, a further request would be out of date before it is sent. */
const UNSENT_BYTES_MAX = 1_024 * 1_024;
const REFUSAL_LENGTH_MAX = 200;

export class VenueSocket {
  readonly #socket: WebSocket;
  readonly #parts: VenueSocketOptions;
  #hasEnded = false;
  /** The error reported before the socket closed. */
  #why = '';

  constructor(parts: VenueSocketOptions) {
    this.#parts = parts;
    const socket = new WebSocket(parts.url, {
      handshakeTimeout: parts.handshakeMs,
      maxPayload: FRAME_BYTES_MAX,
      perMessageDeflate: false,
      followRedirects: false,
      // An answer is processed before the notices that follow it.
      allowSynchronousEvents: false,
    });
    this.#socket = socket;
    socket.on('open', () => this.#hasEnded || parts.onOpen());
    socket.on('message', (raw, isBinary) => {
      if (this.#hasEnded) return;
      if (isBinary) this.end('the venue sent a binary frame');
      else parts.onText(String(raw));
    });
    socket.on('unexpected-response', (request, response) => {
      response.setEncoding('utf8').once('data', (body: string) => {
        this.end(`refused with HTTP ${response.statusCode}: ${cutText(body, REFUSAL_LENGTH_MAX)}`);
        request.destroy();
      });
      response.once('end', () => this.end(`refused with HTTP ${response.statusCode}`));
    });
    socket.on('error', (error) => {
      this.#why = error.message;
    });
    socket.on('close', (code, reason) => {
      this.end(this.#why || `closed with ${code}${reason.length > 0 ? ` ${reason}` : ''}`);
    });
  }

  /** False if not a byte of it will be sent. */
  send(text: string): boolean {
    const socket = this.#socket;
    if (this.#hasEnded || socket.readyState !== WebSocket.OPEN) return false;
    if (socket.bufferedAmount > UNSENT_BYTES_MAX) return false;
    socket.send(text);
    return true;
  }

  /** Closes at once; data in flight is lost. */
  end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#socket.terminate();
    this.#parts.onEnd(reason);
  }

  /** Closes with a close frame, for a venue that distinguishes a closed connection from a lost one. */
  close(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(1000);
    this.end('closed');
  }
}
