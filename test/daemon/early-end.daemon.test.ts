// The real daemon, terminated when it already accepts requests but does not run its strategies yet: it closes its
// connections in order and exits with 0, as at any other time.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signedQuery } from '../../src/gateway/auth/signed-stamp.ts';
import { FaultStage } from '../support/daemon/fault-stage.ts';
import { bindsOf } from '../support/daemon/line-senses.ts';

const READER = 'dHdhcGQtZGVtby1yZWFkZXItc2VjcmV0LTAxMjM0NTY3ODk=';
const RESTARTING = 1012;

let stage: FaultStage;
beforeAll(async () => {
  const database = bindsOf(
    (message) => message.includes('write mark') && message.includes('starts'),
  );
  stage = await FaultStage.open({ deployment: 'erly', counted: { database } });
});
afterAll(() => stage.close());

test('a signal before strategies run drains like any other signal', async () => {
  expect(await stage.terminate()).toBe(0);
  let closed: Promise<unknown[]> | undefined;
  let ended: Promise<unknown[]> | undefined;
  const struck = stage.lines.database.strike({
    nth: 1,
    when: 'before',
    act: async () => {
      await starting;
      const { url } = stage.daemon;
      const key = { keyId: 'demo-reader', secret: READER };
      const query = signedQuery(key, Date.now(), '/ws/portfolio');
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/portfolio?${query}`);
      await once(socket, 'open');
      closed = once(socket, 'close');
      ended = once(stage.daemon.process, 'exit');
      stage.daemon.process.kill('SIGTERM');
      await closed;
    },
  });
  const starting = stage.start();
  await struck;
  expect((await closed)?.[0]).toBe(RESTARTING);
  expect((await ended)?.[0]).toBe(0);
});
