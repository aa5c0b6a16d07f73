import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { GatewayLine } from '../../../src/adapters/engine-link/gateway-line.ts';
import {
  type LinkServer,
  type LinkServerOptions,
  openLinkServer,
} from '../../../src/adapters/engine-link/link-server.ts';
import type { ServeLine } from '../../../src/ports/deployment/engine-line.ts';
import { PeerUnanswered } from '../../../src/ports/deployment/engine-peers.ts';
import { engineLineConformance } from '../../conformance/deployment/engine-line.ts';
import { until } from '../until.ts';

const SECRET = 'the secret of this deployment';
const CALLS_MAX = 8;
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const NOT_PASSED: LinkServerOptions['answer'] = () => Promise.reject(new Error('not an engine'));

async function serve(serving: ServeLine | undefined, secret = SECRET): Promise<LinkServer> {
  const server = await openLinkServer({
    host: '127.0.0.1',
    port: 0,
    secret,
    answer: NOT_PASSED,
    onFault: () => undefined,
    gateways: () => serving,
  });
  opened.push(server);
  return server;
}

interface LineTo {
  readonly line: GatewayLine;
  readonly faults: unknown[];
}

function lineTo(addresses: () => readonly string[], secret = SECRET): LineTo {
  const faults: unknown[] = [];
  const line = new GatewayLine({
    addresses,
    secret,
    pauseMs: 5,
    answerMs: 60_000,
    limits: { calls: CALLS_MAX, urgentCalls: 2 },
    onFault: (error) => faults.push(error),
  });
  opened.push(line);
  return { line, faults };
}

describe('GatewayLine', () => {
  engineLineConformance(() => {
    let server: LinkServer | undefined;
    const { line } = lineTo(() => (server === undefined ? [] : [server.address]));
    return Promise.resolve({
      line,
      callsMax: CALLS_MAX,
      connect: async (serving) => {
        server = await serve(serving);
        await until(() => line.isConnected);
      },
      disconnect: async () => {
        await server?.close();
        server = undefined;
        await until(() => !line.isConnected);
      },
    });
  });
});

const ECHO: ServeLine = {
  call: ({ text, method }) =>
    method === 'orders.place' ? new Promise(() => undefined) : Promise.resolve(text),
  follow: () => () => undefined,
};

test('the next engine is asked where the first cannot be reached', async () => {
  const gone = await serve(ECHO);
  await gone.close();
  const { address } = await serve(ECHO);
  const { line } = lineTo(() => [gone.address, address]);
  await until(() => line.isConnected);
  expect(await line.call({ method: 'state.reasonsNotReady', text: '["here"]' })).toBe('["here"]');
});

test('an engine that does not serve gateways yet is asked again until it does', async () => {
  let serving: ServeLine | undefined;
  const server = await openLinkServer({
    host: '127.0.0.1',
    port: 0,
    secret: SECRET,
    answer: NOT_PASSED,
    onFault: () => undefined,
    gateways: () => serving,
  });
  opened.push(server);
  const { line, faults } = lineTo(() => [server.address]);
  await until(() => faults.length > 0);
  expect(String(faults[0])).toContain('does not serve gateways yet');
  serving = ECHO;
  await until(() => line.isConnected);
});

test('a gateway of another deployment is not served, and says why once', async () => {
  const { address } = await serve(ECHO, 'another secret');
  let rounds = 0;
  const { line, faults } = lineTo(() => {
    rounds += 1;
    return [address];
  });
  await until(() => rounds > 3);
  expect(line.isConnected).toBe(false);
  expect(faults.map(String)).toEqual([expect.stringContaining('secret of this deployment')]);
});

test('a peer of another version is refused with what it would have to speak', async () => {
  const { address } = await serve(ECHO);
  const socket = new WebSocket(address);
  const answer = new Promise<string>((done) =>
    socket.once('message', (text) => done(String(text))),
  );
  socket.once('open', () =>
    socket.send(JSON.stringify({ challenge: 'c', as: 'gateway', protocol: 1 })),
  );
  expect(JSON.parse(await answer)).toEqual({
    refused: 'speaks protocol 1; accepted: 3, the same version',
  });
});

test('a gateway that sends what is no frame is cut off', async () => {
  const { address } = await serve(ECHO);
  const { line } = lineTo(() => [address]);
  let connections = 0;
  line.onConnected(() => {
    connections += 1;
  });
  await until(() => connections === 1);
  // The text of a frame is passed unread, so a separator in it ends the frame.
  const call = line.call({ method: 'orders.place', text: '[]\u001e?' });
  await expect(call).rejects.toBeInstanceOf(PeerUnanswered);
  await until(() => connections === 2);
});
