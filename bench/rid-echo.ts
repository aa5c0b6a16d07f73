// What the machine and the client of the bench cost alone: the same frames over a bare WebSocket that
// answers each at once. A round trip of ours can be no better than this at the moment of measuring.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export interface EchoServer {
  readonly port: number;
  close(): void;
}

export async function echoServer(): Promise<EchoServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  server.on('connection', (client) => {
    client.on('message', (raw: Buffer) => {
      const { rid } = JSON.parse(raw.toString()) as { rid: number };
      client.send(`{"rid":${rid},"result":{"markPrice":"60000"}}`);
    });
  });
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    for (const client of server.clients) client.terminate();
    server.close();
  };
  return { port, close };
}
