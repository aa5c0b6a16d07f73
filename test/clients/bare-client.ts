// A client of Deribit's wire from its documentation alone: JSON-RPC 2.0 over a WebSocket: nothing of this project
// decides what it sends or expects.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type * as Ws from 'ws';
import { clientRequire } from './newest-clients.ts';

const { WebSocket } = clientRequire('ws') as typeof Ws;

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
type Fields = any;

export interface BareError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly reason?: string; readonly param?: string };
}

type Change = 'new' | 'change' | 'delete';
type Level = readonly [Change, number, number];

/** Lower-case hexadecimal; the three parts of the text stand on lines of their own. */
export const signature = (secret: string, lines: readonly string[]): string =>
  createHmac('sha256', secret).update(lines.join('\n')).digest('hex');

export class BareClient {
  readonly heartbeats: string[] = [];
  readonly #socket: Ws.WebSocket;
  readonly #answers = new Map<number, (frame: Fields) => void>();
  readonly #notices = new Map<string, Fields[]>();
  readonly #watching = new Set<() => void>();
  #id = 0;

  private constructor(socket: Ws.WebSocket) {
    this.#socket = socket;
    socket.on('message', (raw) => this.#receive(JSON.parse(String(raw))));
  }

  static async open(url: string): Promise<BareClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/api/v2`);
    await once(socket, 'open');
    return new BareClient(socket);
  }

  static async loggedIn(
    url: string,
    key: { readonly id: string; readonly secret: string },
  ): Promise<BareClient> {
    const client = await BareClient.open(url);
    await client.call('public/auth', {
      grant_type: 'client_credentials',
      client_id: key.id,
      client_secret: key.secret,
    });
    return client;
  }

  /** The answer, whichever it is. */
  request(method: string, params: object = {}): Promise<Fields> {
    this.#id += 1;
    const id = this.#id;
    return new Promise((done) => {
      this.#answers.set(id, done);
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /** The result; throws an error's text. */
  async call(method: string, params: object = {}): Promise<Fields> {
    const { result, error } = await this.request(method, params);
    if (error === undefined) return result;
    throw new Error(`${method} ${JSON.stringify(params)}: ${JSON.stringify(error)}`);
  }

  /** The error; throws a result's text. */
  async refused(method: string, params: object = {}): Promise<BareError> {
    const { result, error } = await this.request(method, params);
    if (error !== undefined) return error;
    throw new Error(`${method} was granted: ${JSON.stringify(result)}`);
  }

  notices(channel: string): readonly Fields[] {
    return this.#notices.get(channel) ?? [];
  }

  /** Resolves when it is so, looking again at every frame. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((done) => {
      const check = (): void => {
        if (!condition()) return;
        this.#watching.delete(check);
        done();
      };
      this.#watching.add(check);
      check();
    });
  }

  /** As a network does: without a close frame. */
  async drop(): Promise<void> {
    this.#socket.terminate();
    await once(this.#socket, 'close');
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  /** Resolves when the server has closed. */
  async closed(): Promise<void> {
    if (this.#socket.readyState !== WebSocket.CLOSED) await once(this.#socket, 'close');
  }

  #receive(frame: Fields): void {
    if (frame.method === 'heartbeat') {
      this.heartbeats.push(frame.params.type);
      if (frame.params.type === 'test_request') void this.request('public/test');
    } else if (frame.method === 'subscription') {
      const { channel, data } = frame.params;
      this.#notices.set(channel, [...this.notices(channel), data]);
    } else {
      this.#answers.get(frame.id)?.(frame);
      this.#answers.delete(frame.id);
    }
    for (const check of [...this.#watching]) check();
  }
}

/** A book that is kept from a snapshot and its changes. */
export class BareBook {
  readonly bids = new Map<number, number>();
  readonly asks = new Map<number, number>();
  #changeId: number | undefined;

  /** Throws if a change does not follow the one before. */
  apply(data: Fields): void {
    if (data.type === 'change' && data.prev_change_id !== this.#changeId) {
      throw new Error(
        `change ${data.change_id} follows ${data.prev_change_id}, not ${this.#changeId}`,
      );
    }
    this.#changeId = data.change_id;
    for (const side of ['bids', 'asks'] as const) {
      for (const [change, price, amount] of data[side] as readonly Level[]) {
        if (change === 'delete') this[side].delete(price);
        else this[side].set(price, amount);
      }
    }
  }

  get best(): { readonly bid: number; readonly ask: number } {
    return { bid: Math.max(...this.bids.keys()), ask: Math.min(...this.asks.keys()) };
  }
}
