// A client of Deribit's wire that does nothing but what a round trip takes: the yardstick of the adapter.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { KEY } from './key.ts';

interface Frame {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

export class BareDeribitClient {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (raw: Buffer) => {
      const frame = JSON.parse(raw.toString()) as Frame;
      const waiting = this.#waiting.get(frame.id);
      this.#waiting.delete(frame.id);
      if (frame.error === undefined) waiting?.resolve(frame.result);
      else waiting?.reject(new Error(JSON.stringify(frame.error)));
    });
  }

  /** Connected and logged in. */
  static async open(port: number): Promise<BareDeribitClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/api/v2`, { perMessageDeflate: false });
    await once(socket, 'open');
    const client = new BareDeribitClient(socket);
    await client.call('public/auth', {
      grant_type: 'client_credentials',
      client_id: KEY.id,
      client_secret: KEY.secret,
    });
    return client;
  }

  async call(method: string, params: object): Promise<unknown> {
    this.#sent += 1;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#sent, waiting);
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id: this.#sent, method, params }));
    return await waiting.promise;
  }

  close(): void {
    this.#socket.close();
  }
}
