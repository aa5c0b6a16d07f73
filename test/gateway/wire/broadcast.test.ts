// What clients read of the frames in their outboxes, over a real socket.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Broadcast, type Outbox, textFrame } from '../../../src/gateway/wire/broadcast.ts';
import { nonEmpty } from '../../support/non-empty.ts';

interface Line {
  readonly outbox: Outbox;
  readonly client: WebSocket;
  readonly heard: string[];
}

describe('Outbox', () => {
  const clients: WebSocket[] = [];
  let server: Server;
  let all: Broadcast;

  beforeEach(async () => {
    all = new Broadcast();
    server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.terminate();
    server.close();
  });

  async function open(): Promise<Line> {
    const sockets = new WebSocketServer({ noServer: true });
    const upgraded = new Promise<Duplex>((resolve) => {
      server.once('upgrade', (request, socket, head) => {
        sockets.handleUpgrade(request, socket, head, () => resolve(socket));
      });
    });
    const { port } = server.address() as AddressInfo;
    const client = new WebSocket(`ws://127.0.0.1:${port}`);
    clients.push(client);
    const heard: string[] = [];
    client.on('message', (raw) => heard.push(String(raw)));
    const [socket] = await Promise.all([upgraded, once(client, 'open')]);
    return { outbox: all.open(socket), client, heard };
  }

  const hearing = async ({ client, heard }: Line, count: number): Promise<readonly string[]> => {
    while (heard.length < count) await once(client, 'message');
    return heard;
  };

  test('Outbox delivers messages of every length completely and in order', async () => {
    const line = await open();
    const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000];
    const texts = lengths.flatMap((length) => ['x'.repeat(length), 'ü'.repeat(length / 2)]);
    for (const text of texts) line.outbox.send(text);
    expect(await hearing(line, texts.length)).toEqual(texts);
  });

  test('Outbox delivers to each client its own messages, even if others share some of them', async () => {
    const lines = [await open(), await open(), await open()];
    const sent = lines.map((): string[] => []);
    for (let n = 0; n < 60; n += 1) {
      const text = `message ${n}`;
      for (const [index, { outbox }] of lines.entries()) {
        if (index > 0 && n % (index + 1) === 0) continue;
        outbox.send(text);
        sent[index]?.push(text);
      }
      if (n % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    for (const [index, line] of nonEmpty(lines.entries())) {
      expect(await hearing(line, sent[index]?.length ?? 0)).toEqual(sent[index]);
    }
  });

  test('Outbox delivers everything to more clients than are written to without yielding, including messages in between', async () => {
    const lines = Array.from({ length: 200 }, () => {
      const pipe = new PassThrough();
      const heard: Buffer[] = [];
      pipe.on('data', (bytes: Buffer) => heard.push(bytes));
      return { pipe, heard, outbox: all.open(pipe) };
    });
    const texts = Array.from({ length: 40 }, (_, n) => `message ${n}`);
    for (const [n, text] of texts.entries()) {
      for (const { outbox } of lines) outbox.send(text);
      if (n % 3 > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const whole = Buffer.concat(texts.map(textFrame));
    for (const { pipe, heard } of nonEmpty(lines)) {
      while (Buffer.concat(heard).length < whole.length) await once(pipe, 'data');
      expect(Buffer.concat(heard)).toEqual(whole);
    }
  });

  test('Outbox counts the pending bytes, and drops them on request', async () => {
    const line = await open();
    expect(line.outbox.bufferedBytes).toBe(0);
    line.outbox.send('x'.repeat(1_000));
    expect(line.outbox.bufferedBytes).toBeGreaterThanOrEqual(1_000);
    line.outbox.drop();
    expect(line.outbox.bufferedBytes).toBe(0);
    line.outbox.send('after');
    expect(await hearing(line, 1)).toEqual(['after']);
  });
});
