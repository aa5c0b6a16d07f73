// A client of `/ws/api` that follows the trades of an account: it reconnects with the last sequence number of the
// channel, and after a `resync` it reads the trades it missed, as the interface requires.
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { type ApiKey, methodRequest, signedHeaders } from './signed-requests.ts';

const COME_BACK_MS = 250;
const ALIVE_SEC = 30;
const READ_MAX = 1_000;
/** Reads from this long before the last trade: trades of one moment may have been received in part. */
const OVERLAP_MS = 2_000;

export class TradeListener {
  /** The names of trades, in the order received. */
  readonly told = new Set<string>();
  readonly faults: string[] = [];
  resyncs = 0;
  connections = 0;
  readonly #base: string;
  readonly #key: ApiKey;
  readonly #account: string;
  readonly #running: Promise<void>;
  #last = '0';
  #latestMs = 0;
  #socket: WebSocket | undefined;
  #isOver = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(base: string, key: ApiKey, account: string) {
    this.#base = base;
    this.#key = key;
    this.#account = account;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#socket?.close();
    await this.#running;
    await this.#reading;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await this.#connection();
      if (!this.#isOver) await sleep(COME_BACK_MS);
    }
  }

  #connection(): Promise<void> {
    return new Promise((ended) => {
      const address = `${this.#base.replace('http', 'ws')}/ws/api`;
      const socket = new WebSocket(address, { headers: signedHeaders(this.#key) });
      this.#socket = socket;
      const send = (rid: number, method: string, params: object): void =>
        socket.send(JSON.stringify({ rid, method, params }));
      socket.on('open', () => {
        this.connections += 1;
        send(1, 'public/set_heartbeat', { interval: ALIVE_SEC });
        const channels = ['user.trades.any.any.raw'];
        send(2, 'private/subscribe', { accountId: this.#account, channels, after: this.#last });
      });
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data));
        if (frame.method === 'heartbeat') {
          if (frame.params.type === 'test_request') send(3, 'public/test', {});
        } else this.#take(frame);
      });
      // A connection that fails or is lost is opened again, whatever the reason.
      socket.on('error', () => socket.terminate());
      socket.on('close', () => ended());
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: untyped frames
  #take({ rid, method, params, error, result }: any): void {
    if (error !== undefined) {
      // Shortly after a start the venue has not reported everything yet: reconnect later.
      if (error.code !== 10040) this.faults.push(`request ${rid}: ${error.code} ${error.message}`);
      this.#socket?.close();
    } else if (rid === 2 && result.length !== 1) {
      this.faults.push('the channel of trades was not granted');
    } else if (method === 'resync') {
      this.resyncs += 1;
      this.#last = params.sequence;
      this.#readAnew();
    } else if (method === 'gap') {
      this.#readAnew();
    } else if (method === 'subscription') {
      if (BigInt(params.sequence) < BigInt(this.#last)) {
        this.faults.push(`sequence ${params.sequence} came behind ${this.#last}`);
      }
      this.#last = params.sequence;
      for (const trade of params.data) this.#told(trade, true);
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: untyped trades
  #told(trade: any, isPushed: boolean): void {
    const id = tradeName(trade);
    if (isPushed && this.#pushed.has(id)) this.faults.push(`trade ${id} was received twice`);
    if (isPushed) this.#pushed.add(id);
    this.told.add(id);
    this.#latestMs = Math.max(this.#latestMs, trade.timestamp);
  }

  readonly #pushed = new Set<string>();

  #readAnew(): void {
    // From before the gap: until an earlier read has ended, trades from behind the gap arrive.
    const from = Math.max(0, this.#latestMs - OVERLAP_MS);
    this.#reading = this.#reading.then(() => this.#read(from));
  }

  async #read(fromMs: number): Promise<void> {
    let from = fromMs;
    while (!this.#isOver) {
      const asked = { accountId: this.#account, currency: 'any', sorting: 'asc', count: READ_MAX };
      const answer = await methodRequest(
        this.#base,
        this.#key,
        'private/get_user_trades_by_currency',
        { ...asked, startTimestamp: from },
      ).catch(() => undefined);
      if (answer?.status !== 200) {
        await sleep(COME_BACK_MS);
        continue;
      }
      const { trades, hasMore } = answer.body.result;
      for (const trade of trades) this.#told(trade, false);
      if (!hasMore) return;
      from = trades.at(-1).timestamp;
    }
  }
}

/** Ids are unique within a settlement currency, and so within an instrument. */
export const tradeName = (trade: {
  readonly instrumentName: string;
  readonly tradeId: string;
}): string => `${trade.instrumentName} ${trade.tradeId}`;
