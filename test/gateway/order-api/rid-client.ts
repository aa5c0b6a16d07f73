// A plain client of /ws/api: sends requests and records every notification.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { signedHeaders } from '../../../src/gateway/auth/signed-stamp.ts';
import { until } from '../../adapters/until.ts';
import { TAKER } from '../gateway-under-test.ts';
import type { RidStage } from './rid-stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape
export type Frame = any;

export class RidClient {
  readonly socket: WebSocket;
  /** All received frames, oldest first. */
  readonly frames: Frame[] = [];
  closed: { code: number; reason: string } | undefined;
  readonly #waiting = new Map<number, (frame: Frame) => void>();
  #nextRid = 1;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (raw) => {
      const frame: Frame = JSON.parse(String(raw));
      this.frames.push(frame);
      this.#waiting.get(frame.rid)?.(frame);
      this.#waiting.delete(frame.rid);
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
    socket.on('error', () => undefined);
  }

  static async connect(stage: RidStage, key: ApiKey | null = TAKER): Promise<RidClient> {
    const { gateway } = stage;
    const at = { method: 'GET', target: '/ws/api', body: Buffer.alloc(0) };
    const headers = key && signedHeaders({ ...key, keyId: key.id }, gateway.nowMs, at);
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/ws/api`, {
      ...(headers === null ? {} : { headers }),
    });
    const client = new RidClient(socket);
    await once(socket, 'open');
    return client;
  }

  request(method: string, params: unknown = {}): Promise<Frame> {
    const rid = this.#nextRid++;
    const answer = new Promise<Frame>((resolve) => this.#waiting.set(rid, resolve));
    this.socket.send(JSON.stringify({ rid, method, params }));
    return answer;
  }

  /** Returns the result; throws a refusal. */
  async get(method: string, params: unknown = {}): Promise<Frame> {
    const answer = await this.request(method, params);
    if (answer.error === undefined) return answer.result;
    throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
  }

  /** Data of the notifications of a channel so far. */
  told(channel: string): Frame[] {
    return this.frames
      .filter((frame) => frame.method === 'subscription' && frame.params.channel === channel)
      .map((frame) => frame.params.data);
  }

  async heard(channel: string, enough: (data: Frame[]) => boolean): Promise<Frame[]> {
    await until(() => enough(this.told(channel)));
    return this.told(channel);
  }

  async end(): Promise<{ code: number; reason: string }> {
    if (this.closed === undefined) await once(this.socket, 'close');
    return this.closed as { code: number; reason: string };
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.end();
  }
}
