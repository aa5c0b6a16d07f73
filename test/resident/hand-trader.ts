// A manual trader on `/ws/api`: places a limit order far from the market, edits it, cancels it, and checks each
// result. None of the orders can trade.
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { type ApiKey, signedHeaders } from './signed-requests.ts';

const BETWEEN_MS = 100;
const ANSWER_MS_MAX = 30_000;
const INSTRUMENT = 'BTC-PERPETUAL';
/**
 * Nothing was done, or the outcome is unknown: retried under another label. 13028: the venue gave no usable reply.
 */
const PASSING = new Set([10028, 10040, 13028, 40007]);

// biome-ignore lint/suspicious/noExplicitAny: untyped results
type Result = any;

class Away extends Error {}

class Refused extends Error {
  readonly code: number;

  constructor(method: string, { code, message }: { code: number; message: string }) {
    super(`${method}: ${code} ${message}`);
    this.code = code;
  }
}

export class HandTrader {
  readonly faults: string[] = [];
  rounds = 0;
  /** Temporary refusals and their counts. */
  readonly passing = new Map<string, number>();
  readonly #url: string;
  readonly #key: ApiKey;
  readonly #account: string;
  readonly #running: Promise<void>;
  readonly #waiting = new Map<number, (frame: Result) => void>();
  #socket: WebSocket | undefined;
  #rid = 0;
  #isOver = false;

  constructor(url: string, key: ApiKey, account: string) {
    this.#url = url.replace('http', 'ws');
    this.#key = key;
    this.#account = account;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    this.#socket?.close();
  }

  async #run(): Promise<void> {
    let label = '';
    while (!this.#isOver) {
      await sleep(BETWEEN_MS);
      try {
        this.#socket ??= await this.#connected();
        // Cancels what a lost connection left behind.
        if (label !== '') await this.#request('private/cancel_by_label', { label });
        label = `hand-${Date.now()}`;
        await this.#round(label);
        label = '';
        this.rounds += 1;
      } catch (error) {
        if (error instanceof Away) this.#socket = undefined;
        else if (error instanceof Refused && PASSING.has(error.code)) {
          this.passing.set(error.message, (this.passing.get(error.message) ?? 0) + 1);
        } else {
          this.faults.push(`manual order ${label}: ${(error as Error).message}`);
          return;
        }
      }
    }
  }

  async #round(label: string): Promise<void> {
    const of = { instrumentName: INSTRUMENT, label };
    const { bestBidPrice, markPrice } = await this.#request('public/ticker', of, 'public');
    const price = String(Math.round(Number(bestBidPrice ?? markPrice) * 0.95));
    const placed = await this.#request('private/buy', {
      ...of,
      quantity: '100',
      type: 'limit',
      price,
    });
    this.#expect(label, placed.order, { orderState: 'open', quantity: '100', price });
    const lower = String(Number(price) - 1);
    const edit = { ...of, quantity: '200', price: lower };
    const edited = await this.#request('private/edit_by_label', edit);
    this.#expect(label, edited.order, { orderState: 'open', quantity: '200', price: lower });
    const cancelled = await this.#request('private/cancel_by_label', { label });
    if (cancelled !== 1)
      this.faults.push(`manual order ${label}: ${cancelled} orders were cancelled`);
  }

  #expect(label: string, order: Result, wanted: Readonly<Record<string, string>>): void {
    for (const [field, value] of Object.entries(wanted)) {
      if (order[field] !== value) {
        this.faults.push(`manual order ${label}: ${field} ${order[field]}, asked for ${value}`);
      }
    }
  }

  #connected(): Promise<WebSocket> {
    return new Promise((open, failed) => {
      const socket = new WebSocket(`${this.#url}/ws/api`, { headers: signedHeaders(this.#key) });
      socket.once('open', () => open(socket));
      socket.on('error', (error) => failed(new Away(error.message)));
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data));
        this.#waiting.get(frame.rid)?.(frame);
        this.#waiting.delete(frame.rid);
      });
      socket.on('close', () => {
        failed(new Away('closed'));
        for (const answer of this.#waiting.values()) answer(undefined);
        this.#waiting.clear();
      });
    });
  }

  async #request(method: string, params: object, scope: 'public' | 'private' = 'private') {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) throw new Away('not connected');
    const rid = ++this.#rid;
    const { label: _, ...open } = params as { label?: string };
    const asked = scope === 'public' ? open : { accountId: this.#account, ...params };
    const answered = new Promise<Result>((answer) => this.#waiting.set(rid, answer));
    socket.send(JSON.stringify({ rid, method, params: asked }));
    const silence = new AbortController();
    const frame = await Promise.race([
      answered,
      sleep(ANSWER_MS_MAX, 'silent', { signal: silence.signal }).catch(() => undefined),
    ]);
    silence.abort();
    if (frame === 'silent') throw new Error(`${method} was not answered`);
    if (frame === undefined) throw new Away('lost while waiting');
    if (frame.error !== undefined) throw new Refused(method, frame.error);
    return frame.result as Result;
  }
}
