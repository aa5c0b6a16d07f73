// The cost of the machine and the bench client alone: the same frames over a bare WebSocket that echoes each
// at once. At the time of measuring, no round trip through the gateway can be faster.
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
