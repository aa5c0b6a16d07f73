// The scripted venue of the adapter's tests: what it answers, publishes and cuts is what the adapter sees.
import { expect, test } from 'vitest';
import { until } from '../until.ts';
import { connectToScript, DESK } from './scripted-sessions.ts';

test('An adapter logs in to a scripted venue, and each request is answered by the script.', async () => {
  const { venue, sessions, faults, close } = await connectToScript({
    'private/get_position': ({ params }) => ({ result: { of: params['instrument_name'] } }),
    'private/cancel': { error: { code: 10004, message: 'order_not_found' } },
  });
  const { params } = await venue.called('public/auth');
  expect(params).toMatchObject({ grant_type: 'client_signature', client_id: 'desk' });
  const position = await sessions.request(DESK, 'private/get_position', { instrument_name: 'X' });
  expect(position).toEqual({ kind: 'result', value: { of: 'X' }, testnet: true });
  const cancel = await sessions.request(DESK, 'private/cancel', { order_id: '1' });
  expect(cancel).toMatchObject({ kind: 'error', code: 10004 });
  const unknown = await sessions.request(DESK, 'private/no_such', {});
  expect(unknown).toMatchObject({ kind: 'error', code: -32601 });
  await close();
  expect(faults).toEqual([]);
});

test('A scripted venue publishes what is pushed, requests signs of life and cuts connections.', async () => {
  const received: unknown[] = [];
  const { venue, sessions, close } = await connectToScript({ 'private/buy': 'hangUp' }, () => ({
    receive: (account, channel, data) => received.push([account, channel, data]),
  }));
  venue.push('user.lock', { locked: true });
  venue.pushText('{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"test_request"}}');
  await venue.called('public/test', 2);
  expect(received).toContainEqual([DESK, 'user.lock', { locked: true }]);
  expect(received).toContainEqual([undefined, 'user.lock', { locked: true }]);
  const cut = await sessions.request(DESK, 'private/buy', {});
  expect(cut).toMatchObject({ kind: 'unknown' });
  await until(() => sessions.trouble(DESK) === undefined);
  expect(venue.connections).toBeGreaterThan(2);
  await close();
});

test('A scripted venue answers over HTTP, and keeps each request as it was written.', async () => {
  const { venue, close } = await connectToScript({ 'private/cancel_all': { result: 3 } });
  const body = '{"id":7,"method":"private/cancel_all","params":{"amount":1.50}}';
  const response = await fetch(`${venue.httpUrl}/private/cancel_all`, { method: 'POST', body });
  expect(await response.json()).toMatchObject({ id: 7, result: 3, testnet: true });
  expect(venue.callsOf('private/cancel_all')).toMatchObject([{ text: body, connection: 0 }]);
  await close();
});
