// A plain client of Deribit's wire that keeps the text of every answer; all of it passes the table of shapes.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { until } from '../../adapters/until.ts';
import type { WireCheck } from './shapes/wire-check.ts';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly result?: any;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly reason?: string; readonly param?: string };
  };
}

export interface Notice {
  readonly channel: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into notifications of every shape
  readonly data: any;
}

export const basic = (key: Pick<ApiKey, 'id' | 'secret'>): Readonly<Record<string, string>> => ({
  Authorization: `Basic ${Buffer.from(`${key.id}:${key.secret}`).toString('base64')}`,
});

/** One POST at `/api/v2` with the method in the body; without a key the request is anonymous. */
export async function postRpc(
  url: string,
  call: {
    readonly method: string;
    /** JSON text is sent as it is. */
    readonly params?: unknown;
    readonly by?: Pick<ApiKey, 'id' | 'secret'>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly check?: WireCheck;
  },
): Promise<RawAnswer> {
  const { method, params = {}, by, headers, check } = call;
  const written = typeof params === 'string' ? params : JSON.stringify(params);
  const response = await fetch(`${url}/api/v2`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(by && basic(by)), ...headers },
    body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${written}}`,
  });
  const text = await response.text();
  check?.answer(method, text);
  return { status: response.status, text, ...JSON.parse(text) };
}

interface Waiting {
  readonly method: string;
  readonly done: (answer: RawAnswer) => void;
  readonly failed: (error: Error) => void;
}

export class RawClient {
  readonly notices: Notice[] = [];
  readonly heartbeats: string[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly #socket: WebSocket;
  readonly #check: WireCheck | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  private constructor(socket: WebSocket, check: WireCheck | undefined) {
    this.#socket = socket;
    this.#check = check;
    socket.on('message', (raw) => this.#receive(String(raw)));
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      for (const { method, failed } of this.#waiting.values()) {
        failed(new Error(`${method}: closed before its answer, ${code} ${String(reason)}`));
      }
    });
  }

  static async connect(
    url: string,
    { check, path = '/ws/api/v2' }: { check?: WireCheck; path?: string } = {},
  ): Promise<RawClient> {
    const client = new RawClient(new WebSocket(url.replace('http', 'ws') + path), check);
    await once(client.#socket, 'open');
    return client;
  }

  /** Connected and logged in; `as` names another account of the key. */
  static async loggedIn(
    url: string,
    key: Pick<ApiKey, 'id' | 'secret'>,
    options: { check?: WireCheck; as?: string } = {},
  ): Promise<RawClient> {
    const client = await RawClient.connect(url, options);
    await client.get('public/auth', {
      grant_type: 'client_credentials',
      client_id: options.as ?? key.id,
      client_secret: key.secret,
    });
    return client;
  }

  request(method: string, params: unknown = {}): Promise<RawAnswer> {
    const id = this.#nextId++;
    if (this.closed !== undefined) throw new Error(`${method}: the connection is closed`);
    const answer = new Promise<RawAnswer>((done, failed) => {
      this.#waiting.set(id, { method, done, failed });
    });
    const written = typeof params === 'string' ? params : JSON.stringify(params);
    this.#socket.send(
      `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${written}}`,
    );
    return answer;
  }

  /** The result; throws a refusal. */
  async get(method: string, params: unknown = {}): Promise<RawAnswer['result']> {
    const { result, error } = await this.request(method, params);
    if (error === undefined) return result;
    throw new Error(`${method} ${JSON.stringify(params)}: ${JSON.stringify(error)}`);
  }

  /** Subscribes, and returns the channels of the answer. */
  subscribe(...channels: string[]): Promise<string[]> {
    return this.get('private/subscribe', { channels });
  }

  of(channel: string): Notice['data'][] {
    return this.notices.filter((one) => one.channel === channel).map((one) => one.data);
  }

  /** Waits for as many notifications of the channel. */
  async heard(channel: string, count = 1): Promise<Notice['data'][]> {
    await until(() => this.of(channel).length >= count);
    return this.of(channel);
  }

  async close(): Promise<void> {
    this.#socket.close();
    if (this.closed === undefined) await once(this.#socket, 'close');
  }

  #receive(text: string): void {
    const frame = JSON.parse(text);
    if (frame.error !== undefined && (frame.id ?? null) === null) {
      // A frame that is no JSON, or too large, has no id that could be answered: they are answered in order.
      const [oldest] = this.#waiting.keys();
      if (oldest !== undefined) frame.id = oldest;
    }
    if (frame.id === undefined || frame.id === null) {
      this.#check?.notification(text);
      if (frame.method === 'heartbeat') this.heartbeats.push(frame.params.type);
      else if (frame.method === 'subscription') this.notices.push(frame.params);
      return;
    }
    const waiting = this.#waiting.get(frame.id);
    this.#waiting.delete(frame.id);
    if (waiting === undefined) return;
    this.#check?.answer(waiting.method, text);
    waiting.done({ status: 200, text, ...frame });
  }
}
