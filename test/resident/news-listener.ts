// A client of `/ws/portfolio` that must not miss any message: after every interruption it reconnects with its last
// sequence number, and it keeps everything received in order.
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { type ApiKey, signedQuery } from './signed-requests.ts';

export interface HeardNews {
  readonly sequence: bigint;
  readonly portfolio: string;
  readonly version: number;
  readonly type: string;
  /** The kind of the detail; absent for a submit. */
  readonly kind: string | undefined;
  readonly status: number;
  readonly detail: Readonly<Record<string, unknown>> | undefined;
}

/** The sequence numbers that a `resync` declared lost: above `after`, up to `upTo`. */
export interface Lost {
  readonly after: bigint;
  readonly upTo: bigint;
  readonly reason: string;
}

const COME_BACK_MS = 250;
const PING_MS = 20_000;

/** The `orders` of the latest frame of `order.change.any`, and the changes in all of them. */
export interface OrderView {
  open: readonly string[];
  frames: number;
  readonly states: Map<string, string>;
}

export interface Listening {
  /** Also follows the orders of this account. */
  readonly ordersOf?: string;
  /** Starts after this sequence number; absent: with live news. */
  readonly after?: bigint;
}

export class NewsListener {
  readonly heard: HeardNews[] = [];
  readonly lost: Lost[] = [];
  readonly faults: string[] = [];
  readonly orders: OrderView = { open: [], frames: 0, states: new Map() };
  /** Called after a resync, to read everything again. */
  onResync: () => void = () => undefined;
  connections = 0;
  #last: bigint | undefined;
  #socket: WebSocket | undefined;
  #isOver = false;
  #isListening = false;
  readonly #running: Promise<void>;
  readonly #key: ApiKey;
  readonly #url: string;
  readonly #ordersOf: string | undefined;

  constructor(url: string, key: ApiKey, { ordersOf, after }: Listening = {}) {
    this.#url = url.replace('http', 'ws');
    this.#key = key;
    this.#ordersOf = ordersOf;
    this.#last = after;
    this.#running = this.#run();
  }

  get last(): bigint | undefined {
    return this.#last;
  }

  /** Whether it is currently subscribed. */
  get isListening(): boolean {
    return this.#isListening;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#socket?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await this.#connection();
      this.#isListening = false;
      if (!this.#isOver) await sleep(COME_BACK_MS);
    }
  }

  #connection(): Promise<void> {
    return new Promise((ended) => {
      const socket = new WebSocket(`${this.#url}/ws/portfolio?${signedQuery(this.#key)}`);
      this.#socket = socket;
      const pinging = setInterval(() => {
        if (socket.readyState === WebSocket.OPEN) socket.send('{"op":"heartbeat"}');
      }, PING_MS);
      socket.on('open', () => {
        this.connections += 1;
        const after = this.#last === undefined ? {} : { after: String(this.#last) };
        socket.send(subscription({ id: 'news', ...after }, 'trade-news'));
        if (this.#ordersOf !== undefined) {
          socket.send(
            subscription({ id: 'orders', accountId: this.#ordersOf }, 'order.change.any'),
          );
        }
      });
      socket.on('message', (data) => this.#take(JSON.parse(String(data))));
      // A connection that fails or is lost is opened again, whatever the reason.
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        clearInterval(pinging);
        ended();
      });
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: untyped frames
  #take(frame: any): void {
    if (frame.op === 'subscribe') return this.#subscribed(frame);
    if (frame.op === 'resync') return this.#resynced(frame);
    if (frame.op === 'heartbeat') return;
    if (frame.op === 'push' && frame.channel === 'trade-news') return this.#news(frame);
    if (frame.op === 'push' && frame.channel === 'order.change.any') return this.#order(frame);
    this.faults.push(`an unexpected frame: ${JSON.stringify(frame).slice(0, 200)}`);
  }

  // biome-ignore lint/suspicious/noExplicitAny: untyped frames
  #subscribed({ id, data }: any): void {
    const [answer] = data ?? [];
    if (answer?.success !== true) {
      this.faults.push(`${id} refused: ${answer?.errorMsg}`);
      this.#socket?.close();
      return;
    }
    if (id !== 'news') return;
    this.#last ??= BigInt(answer.sequence);
    this.#isListening = true;
  }

  #resynced({ sequence, reason }: { sequence: string; reason: string }): void {
    this.lost.push({ after: this.#last ?? 0n, upTo: BigInt(sequence), reason });
    this.#last = BigInt(sequence);
    this.onResync();
  }

  // biome-ignore lint/suspicious/noExplicitAny: untyped frames
  #news({ sequence: text, data }: any): void {
    const sequence = BigInt(text);
    if (this.#last !== undefined && sequence <= this.#last) {
      this.faults.push(`sequence ${sequence} of ${data.messageType} came behind ${this.#last}`);
    }
    this.#last = sequence;
    this.heard.push({
      sequence,
      portfolio: data.portfolioId,
      version: data.version,
      type: data.messageType,
      kind: data.detail?.kind,
      status: data.portfolioStatus,
      detail: data.detail?.kind === 'fill_booked' ? data.detail : undefined,
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: untyped frames
  #order({ data }: any): void {
    this.orders.frames += 1;
    this.orders.open = data.orders.map((order: { orderId: string }) => order.orderId);
    for (const { orderId, orderState } of [...data.orders, ...(data.changed ?? [])]) {
      this.orders.states.set(orderId, orderState);
    }
  }
}

const subscription = (more: object, channel: string): string =>
  JSON.stringify({ op: 'subscribe', ...more, data: [{ channel }] });
