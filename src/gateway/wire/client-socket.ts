// The life of one client's WebSocket, the same for every stream: text frames are handed on, anything else ends
// it, and whatever ends it does so with a close code, a reason and a metric label, even if the client never
// reads the close frame.
import type { RawData, WebSocket } from 'ws';
import { closeSocket } from './close-socket.ts';
import type { SocketEnd } from './gateway-counts-port.ts';
import { MalformedJson, parseJsonText } from './json.ts';

/** Why the gateway closes a connection: close code and metric label, if it is counted. */
const ENDS = {
  binary: { code: 1003, count: 'protocol' },
  silent: { code: 1008, count: 'silent' },
  unanswered: { code: 1008, count: 'silent' },
  flood: { code: 1008, count: 'protocol' },
  shutdown: { code: 1012, count: 'shutdown' },
  slow: { code: 1013, count: 'slow' },
  fault: { code: 1011, count: 'unavailable' },
  away: { code: 1013, count: 'unavailable' },
  revoked: { code: 4401, count: 'unauthorised' },
  logout: { code: 1000, count: undefined },
} as const satisfies Record<string, { code: number; count: SocketEnd | undefined }>;

/** A client that does not read never sees the close frame, so the socket is terminated soon afterwards. */
const TERMINATE_AFTER_MS = 1_000;

export interface ClientSocketOptions<Why extends keyof typeof ENDS> {
  readonly client: WebSocket;
  /** Sent to the client when the connection is closed. */
  readonly reasons: Readonly<Record<Why | 'binary', string>>;
  /** Called for every frame and ping; a frame is ignored if it returns false. */
  readonly heard: () => boolean;
  readonly received: (frame: Buffer) => void;
  /** Called when the gateway closes the connection, before it does. */
  readonly leaving: (why: Why | 'binary') => void;
  readonly dropped: (why: SocketEnd) => void;
}

export class ClientSocket<Why extends keyof typeof ENDS> {
  readonly #parts: ClientSocketOptions<Why>;

  constructor(parts: ClientSocketOptions<Why>) {
    const { client, heard } = parts;
    this.#parts = parts;
    client.on('message', (raw, isBinary) => this.#receive(raw, isBinary));
    client.on('ping', () => void heard());
    // After broken frames and resets ws closes the connection itself, with the matching code.
    client.on('error', () => client.terminate());
  }

  get isOpen(): boolean {
    const { client } = this.#parts;
    return client.readyState === client.OPEN;
  }

  /** Closes the connection; does nothing if it is closed or closing. */
  end(why: Why | 'binary'): void {
    if (!this.isOpen) return;
    const { client, reasons, dropped, leaving } = this.#parts;
    const { code, count } = ENDS[why];
    if (count !== undefined) dropped(count);
    leaving(why);
    closeSocket(client, code, reasons[why]);
    setTimeout(() => client.terminate(), TERMINATE_AFTER_MS).unref();
  }

  #receive(raw: RawData, isBinary: boolean): void {
    if (!this.isOpen || !this.#parts.heard()) return;
    if (isBinary) this.end('binary');
    else this.#parts.received(raw as Buffer);
  }
}

/** The JSON of a frame, or what is wrong with it, which may be sent to the client. */
export function readFrameJson(frame: Buffer): { readonly value: unknown } | { fault: string } {
  try {
    return { value: parseJsonText(frame.toString()) };
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    return { fault: `the frame ${error.message}` };
  }
}
