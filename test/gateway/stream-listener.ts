// A client of the portfolio stream that records all frames.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ApiKey } from '../../src/gateway/auth/key-store.ts';
import { signedQuery } from '../../src/gateway/auth/signed-stamp.ts';
import { NOW_MS, TAKER } from './gateway-under-test.ts';

export const STREAM = '/ws/portfolio';

export class StreamListener {
  readonly socket: WebSocket;
  // biome-ignore lint/suspicious/noExplicitAny: frames of every shape
  readonly frames: any[] = [];
  #wake: () => void = () => undefined;

  constructor(url: string, query: string) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}${STREAM}?${query}`);
    this.socket.on('message', (raw) => {
      this.frames.push(JSON.parse(raw.toString()));
      this.#wake();
    });
  }

  static async open(url: string, key: ApiKey = TAKER, nowMs = NOW_MS): Promise<StreamListener> {
    const query = signedQuery({ ...key, keyId: key.id }, nowMs, STREAM);
    const listener = new StreamListener(url, query);
    await once(listener.socket, 'open');
    return listener;
  }

  /** Sends a frame and returns its answer: the next frame received. */
  async say(frame: unknown) {
    const heard = this.frames.length;
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    return await this.heard(heard);
  }

  async heard(index: number) {
    while (this.frames.length <= index) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.frames[index];
  }

  /** The first matching frame, already received or still to come. */
  async until(isIt: (frame: (typeof this.frames)[number]) => boolean) {
    for (let index = 0; ; index += 1) {
      const frame = await this.heard(index);
      if (isIt(frame)) return frame;
    }
  }

  async closed(): Promise<number> {
    const [code] = await once(this.socket, 'close');
    return code as number;
  }
}
