// A proxy between a client and its exchange: forwards everything, until it is instructed what to do with the next
// order.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { textsIn } from '../../../support/daemon/line-senses.ts';

/**
 * What happens to the first order after the proxy was armed: the connection is cut before the order arrives;
 * after it has arrived and been answered, so that the answer is lost; or in the middle of the answer; or no
 * more data passes in either direction, with both sockets open, whether the order has arrived or not.
 */
export type Mishap =
  | 'before_request'
  | 'before_answer'
  | 'mid_answer'
  | 'silence_after_request'
  | 'silence_before_request';

const IS_ORDER = /private\/(buy|sell)|create_block_rfq|accept_block_rfq/;

export class CuttingProxy {
  readonly #server: Server;
  readonly #target: number;
  readonly #pairs = new Set<Pair>();
  #armed: Mishap | undefined;
  #isDown = false;
  /** Number of orders forwarded or affected. */
  orders = 0;
  struck = 0;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  static async to(target: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ws/api/v2`;
  }

  arm(mishap: Mishap): void {
    this.#armed = mishap;
  }

  /** Undoes {@link arm}. */
  disarm(): void {
    this.#armed = undefined;
  }

  /** Ends every open connection. */
  cut(): void {
    for (const pair of this.#pairs) pair.end();
  }

  /** Ends every connection, and each new one, until {@link restore}. */
  goDown(): void {
    this.#isDown = true;
    this.cut();
  }

  restore(): void {
    this.#isDown = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    if (this.#isDown) {
      client.destroy();
      return;
    }
    const pair = new Pair(client, connect(this.#target, '127.0.0.1'), (isOrder) => {
      if (isOrder) this.orders += 1;
      const mishap = isOrder ? this.#armed : undefined;
      if (mishap !== undefined) {
        this.#armed = undefined;
        this.struck += 1;
      }
      return mishap;
    });
    this.#pairs.add(pair);
    client.on('close', () => this.#pairs.delete(pair));
  }
}

/** Called for each message with whether it contains an order; returns what is to happen to it. */
type MishapOf = (isOrder: boolean) => Mishap | undefined;

class Pair {
  readonly #client: Socket;
  readonly #venue: Socket;
  readonly #mishapOf: MishapOf;
  #mishap: Mishap | undefined;
  #held = Buffer.alloc(0);
  /** The text by which the answer to the affected order is recognised. */
  #answer = '';

  constructor(client: Socket, venue: Socket, mishapOf: MishapOf) {
    this.#client = client;
    this.#venue = venue;
    this.#mishapOf = mishapOf;
    for (const socket of [client, venue]) {
      socket.setNoDelay(true).on('error', () => this.end());
      socket.on('close', () => this.end());
    }
    client.on('data', (chunk) => this.#fromClient(chunk));
    venue.on('data', (chunk) => this.#fromVenue(chunk));
  }

  end(): void {
    this.#client.destroy();
    this.#venue.destroy();
  }

  #fromClient(chunk: Buffer): void {
    if (this.#mishap !== undefined) return;
    const order = textsIn(chunk).find((text) => IS_ORDER.test(text));
    this.#mishap = this.#mishapOf(order !== undefined);
    if (order !== undefined) this.#answer = `"id":${JSON.parse(order).id},`;
    switch (this.#mishap) {
      case 'before_request':
        return this.end();
      case 'silence_before_request':
        return;
      default:
        this.#venue.write(chunk);
    }
  }

  #fromVenue(chunk: Buffer): void {
    if (this.#mishap === undefined) {
      this.#client.write(chunk);
      return;
    }
    this.#held = Buffer.concat([this.#held, chunk]);
    const answerAt = this.#held.indexOf(this.#answer);
    if (answerAt < 0) return;
    if (this.#mishap === 'before_answer') this.end();
    // Its head and a part of its content.
    if (this.#mishap === 'mid_answer') {
      this.#client.write(this.#held.subarray(0, answerAt + 30), () => this.end());
    }
  }
}
