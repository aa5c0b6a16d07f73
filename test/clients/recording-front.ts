// Stands between real clients and the exchange: passes everything on unchanged, in both directions, checks every
// answer and notification against the table of shapes, and records which methods and channels each client used.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { channelShape } from '../gateway/deribit/shapes/channel-shapes.ts';
import { WireCheck } from '../gateway/deribit/shapes/wire-check.ts';

export class RecordingFront {
  readonly check = new WireCheck();
  /** Methods answered with a result, and patterns of channels that were granted, by client. */
  readonly used = new Map<string, Set<string>>();
  /** All frames in the order in which they passed. */
  readonly frames: { readonly from: 'client' | 'exchange'; readonly text: string }[] = [];
  /** The client that is at work. */
  client = '';
  readonly #target: string;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #open = new Set<WebSocket>();

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((request, response) => void this.#pass(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  static async before(target: string): Promise<RecordingFront> {
    const front = new RecordingFront(target);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on this client is at work; what was recorded of former ones is forgotten. */
  begin(client: string): void {
    this.client = client;
    this.frames.length = 0;
  }

  /** As a network does: without a close frame, in both directions. */
  breakConnections(): void {
    for (const socket of this.#open) socket.terminate();
    this.#open.clear();
  }

  async close(): Promise<void> {
    this.breakConnections();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  note(what: string): void {
    const known = this.used.get(this.client) ?? new Set();
    this.used.set(this.client, known);
    known.add(what);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(this.#target + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
    const text = await answer.text();
    const named = /^\/api\/v2\/((?:public|private)\/\w+)/.exec(request.url ?? '')?.[1];
    const method = named ?? (JSON.parse(String(body)) as { method: string }).method;
    this.#answered(method, text);
    response.writeHead(answer.status, {
      'Content-Type': answer.headers.get('content-type') ?? 'application/json',
    });
    response.end(text);
  }

  #answered(method: string, text: string): void {
    this.check.answer(method, text);
    const { result } = JSON.parse(text) as { result?: unknown };
    if (result === undefined) return;
    this.note(method);
    if (!/\/subscribe$/.test(method)) return;
    for (const channel of result as string[]) {
      this.note(`channel ${channelShape(channel)?.pattern ?? channel}`);
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      const exchange = new WebSocket(this.#target.replace('http', 'ws') + (request.url ?? ''));
      this.#open.add(client).add(exchange);
      const opened = once(exchange, 'open');
      const methods = new Map<string, string>();
      const later = (act: () => void): void => void opened.then(act);
      client.on('message', (raw) => {
        const text = String(raw);
        this.frames.push({ from: 'client', text });
        const { id, method } = JSON.parse(text) as { id: unknown; method: string };
        methods.set(JSON.stringify(id), method);
        later(() => exchange.send(text));
      });
      exchange.on('message', (raw) => {
        const text = String(raw);
        this.frames.push({ from: 'exchange', text });
        this.#observe(text, methods);
        client.send(text);
      });
      client.on('ping', (data) => later(() => exchange.ping(data)));
      exchange.on('pong', (data) => client.pong(data));
      client.on('close', () => exchange.terminate());
      exchange.on('close', () => client.terminate());
      for (const one of [client, exchange]) one.on('error', () => one.terminate());
    });
  }

  #observe(text: string, methods: ReadonlyMap<string, string>): void {
    const frame = JSON.parse(text) as { id?: unknown };
    const method = frame.id === undefined ? undefined : methods.get(JSON.stringify(frame.id));
    if (method !== undefined) {
      this.#answered(method, text);
      return;
    }
    this.check.notification(text);
  }
}
