// A venue that answers by a script: what Deribit may send and the paper exchange never does. It serves Deribit's WebSocket
// and HTTP addresses, keeps every request as it was written, and publishes what a test pushes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { until } from '../until.ts';

export interface ScriptedCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The frame, or the body, as it was sent. */
  readonly text: string;
  /** Counts connections from 1; 0 for a request over HTTP. */
  readonly connection: number;
}

export interface ScriptedError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** `text`: the whole frame, sent as it is. `silence`: never answered. `hangUp`: the connection is cut instead. */
export type ScriptedAnswer =
  | { readonly result: unknown }
  | { readonly error: ScriptedError }
  | { readonly text: string }
  | 'silence'
  | 'hangUp';

/** By method: what is answered, or how it is found. */
export type Script = Readonly<
  Record<string, ScriptedAnswer | ((call: ScriptedCall) => ScriptedAnswer)>
>;

const LOGIN_SEC = 900;
const NOT_FOUND: ScriptedError = { code: -32601, message: 'Method not found' };

/** What a session needs to become ready. */
const greetings = (now: () => number): Script => ({
  'public/get_time': () => ({ result: now() }),
  'public/test': { result: { version: '1.2.26' } },
  'public/set_heartbeat': { result: 'ok' },
  'public/subscribe': ({ params }) => ({ result: params['channels'] }),
  'private/subscribe': ({ params }) => ({ result: params['channels'] }),
  'public/auth': ({ params }) => ({
    result: {
      access_token: 'token',
      refresh_token: 'refresh',
      token_type: 'bearer',
      expires_in: LOGIN_SEC,
      scope: params['scope'] ?? 'connection',
    },
  }),
});

export class ScriptedVenue {
  readonly calls: ScriptedCall[] = [];
  readonly url: string;
  readonly httpUrl: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #sockets: WebSocketServer;
  #script: Script;
  #connections = 0;

  /** Its answers are those of the script, and what a login needs where the script has nothing. */
  static async open(script: Script = {}, now: () => number = Date.now): Promise<ScriptedVenue> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedVenue(server, { ...greetings(now), ...script });
  }

  private constructor(server: ReturnType<typeof createServer>, script: Script) {
    const { port } = server.address() as AddressInfo;
    this.url = `ws://127.0.0.1:${port}/ws/api/v2`;
    this.httpUrl = `http://127.0.0.1:${port}/api/v2`;
    this.#script = script;
    this.#server = server;
    this.#sockets = new WebSocketServer({ server, path: '/ws/api/v2' });
    this.#sockets.on('connection', (socket) => {
      this.#connections += 1;
      const connection = this.#connections;
      socket.on('message', (raw) => this.#receive(socket, String(raw), connection));
    });
    server.on('request', (request, response) => void this.#receiveHttp(request, response));
  }

  /** How many connections were opened, those that ended included. */
  get connections(): number {
    return this.#connections;
  }

  /** Changes the answers from now on. */
  answer(changes: Script): void {
    this.#script = { ...this.#script, ...changes };
  }

  callsOf(method: string): readonly ScriptedCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  /** The `count`-th request of that method, once it has arrived. */
  async called(method: string, count = 1): Promise<ScriptedCall> {
    await until(() => this.callsOf(method).length >= count);
    return this.callsOf(method)[count - 1] as ScriptedCall;
  }

  /** Publishes a notification on every connection. */
  push(channel: string, data: unknown): void {
    const params = { channel, data };
    this.pushText(JSON.stringify({ jsonrpc: '2.0', method: 'subscription', params }));
  }

  pushText(text: string): void {
    for (const socket of this.#sockets.clients) socket.send(text);
  }

  /** Ends every connection without a close frame; new ones are accepted. */
  cut(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  async close(): Promise<void> {
    this.cut();
    this.#sockets.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #receive(socket: WebSocket, text: string, connection: number): void {
    const answer = this.#frameFor(text, connection);
    if (answer === 'hangUp') socket.terminate();
    else if (answer !== 'silence') socket.send(answer);
  }

  async #receiveHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const answer = this.#frameFor(text, 0);
    if (answer === 'hangUp') response.destroy();
    else if (answer !== 'silence') response.end(answer);
  }

  #frameFor(text: string, connection: number): string {
    const { id, method, params = {} } = JSON.parse(text);
    const call: ScriptedCall = { method, params, text, connection };
    this.calls.push(call);
    const scripted = this.#script[method] ?? { error: NOT_FOUND };
    const answer = typeof scripted === 'function' ? scripted(call) : scripted;
    if (typeof answer === 'string') return answer;
    return 'text' in answer
      ? answer.text
      : JSON.stringify({ jsonrpc: '2.0', id, ...answer, testnet: true });
  }
}
