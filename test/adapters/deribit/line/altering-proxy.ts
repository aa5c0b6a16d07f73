// A venue between a client and an exchange that answers some requests otherwise than the exchange does.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

/** Of an answer, what it has in place of its result or error; by method. */
export type Alterations = Readonly<
  Record<string, (answer: Readonly<Record<string, unknown>>) => object>
>;

export class AlteringProxy {
  readonly #server: WebSocketServer;
  readonly #target: string;
  readonly #alterations: Alterations;

  private constructor(target: string, alterations: Alterations) {
    this.#target = target;
    this.#alterations = alterations;
    this.#server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    this.#server.on('connection', (client) => this.#join(client));
  }

  /** `target`: the address of the exchange's WebSocket. */
  static async to(target: string, alterations: Alterations): Promise<AlteringProxy> {
    const proxy = new AlteringProxy(target, alterations);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ws/api/v2`;
  }

  async close(): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: WebSocket): void {
    const exchange = new WebSocket(this.#target);
    const methods = new Map<unknown, string>();
    const early: string[] = [];
    client.on('message', (raw: RawData) => {
      const text = String(raw);
      const { id, method } = JSON.parse(text);
      methods.set(id, method);
      if (exchange.readyState === WebSocket.OPEN) exchange.send(text);
      else early.push(text);
    });
    exchange.on('open', () => {
      for (const text of early.splice(0)) exchange.send(text);
    });
    exchange.on('message', (raw: RawData) => client.send(this.#altered(String(raw), methods)));
    for (const [one, other] of [
      [client, exchange],
      [exchange, client],
    ] as const) {
      one.on('close', () => other.close()).on('error', () => other.terminate());
    }
  }

  #altered(text: string, methods: ReadonlyMap<unknown, string>): string {
    const frame = JSON.parse(text);
    const alter = this.#alterations[methods.get(frame.id) ?? ''];
    if (alter === undefined) return text;
    const { jsonrpc, id, testnet, usIn, usOut, usDiff, ...answer } = frame;
    return JSON.stringify({ jsonrpc, id, testnet, usIn, usOut, usDiff, ...alter(answer) });
  }
}
