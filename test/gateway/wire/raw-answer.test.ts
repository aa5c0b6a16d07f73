// Answers written to sockets themselves end the connection, also if the client keeps its own end open.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { transportFault } from '../../../src/gateway/wire/envelope.ts';
import { answerRaw } from '../../../src/gateway/wire/raw-answer.ts';
import { until } from '../../adapters/until.ts';

test('a refused upgrade whose client does not close its end is not kept', async () => {
  // As those of a server of HTTP are.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    answerRaw(socket, 404, transportFault('no_such_route', 'no such address'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => undefined);
  let text = '';
  client.on('data', (piece) => {
    text += String(piece);
  });
  await once(client, 'end');
  expect(text).toContain('HTTP/1.1 404');
  expect(text).toContain('X-Content-Type-Options: nosniff');
  const connections = promisify(server.getConnections.bind(server));
  await until(async () => (await connections()) === 0);
  expect(client.writable).toBe(true);
  client.destroy();
  server.close();
});
