// A client of Deribit's wire that sends frames as they are given and keeps everything that it gets.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ApiKey } from '../../../../src/gateway/auth/key-store.ts';
import { until } from '../../../adapters/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape
export type Frame = any;

export class FrameClient {
  readonly frames: Frame[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly socket: WebSocket;
  #nextId = 1;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (raw) => this.frames.push(JSON.parse(String(raw))));
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
  }

  static async open(url: string, path = '/ws/api/v2'): Promise<FrameClient> {
    const client = new FrameClient(new WebSocket(url.replace('http', 'ws') + path));
    await once(client.socket, 'open');
    return client;
  }

  /** Opened and logged in with the secret. */
  static async of(
    url: string,
    key: Pick<ApiKey, 'id' | 'secret'>,
    rest: object = {},
  ): Promise<FrameClient> {
    const client = await FrameClient.open(url);
    await client.logIn(key, rest);
    return client;
  }

  async logIn(key: Pick<ApiKey, 'id' | 'secret'>, rest: object = {}): Promise<Frame> {
    return (await this.request('public/auth', { ...withSecret(key), ...rest })).result;
  }

  /** Sends text as it is. */
  send(text: string): void {
    this.socket.send(text);
  }

  /** The answer to one request. */
  request(method: string, params: unknown = {}): Promise<Frame> {
    const id = `q${this.#nextId++}`;
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.frame((one) => one.id === id);
  }

  /** The first frame that matches, received already or later. */
  async frame(matches: (frame: Frame) => boolean): Promise<Frame> {
    await until(() => this.frames.some(matches) || this.closed !== undefined);
    const found = this.frames.find(matches);
    if (found === undefined) throw new Error(`closed with ${JSON.stringify(this.closed)}`);
    return found;
  }

  async end(): Promise<{ readonly code: number; readonly reason: string }> {
    await until(() => this.closed !== undefined);
    return this.closed as NonNullable<FrameClient['closed']>;
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.end();
  }
}

export const withSecret = ({ id, secret }: Pick<ApiKey, 'id' | 'secret'>) => ({
  grant_type: 'client_credentials',
  client_id: id,
  client_secret: secret,
});
