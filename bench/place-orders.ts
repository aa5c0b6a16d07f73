// Orders from a client in its own process, so that its cost is not counted as the gateway's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ClientKey } from '../src/gateway/auth/signed-stamp.ts';
import { KEY } from './key.ts';
import type { ClientReport, ClientWish } from './rid-client.ts';

export async function placeOrders(
  port: number,
  wish: Omit<ClientWish, 'port' | 'key'>,
  key: ClientKey = { ...KEY, keyId: KEY.id },
): Promise<ClientReport> {
  const child = fork(new URL('./rid-client.ts', import.meta.url), { stdio: 'inherit' });
  child.send({ ...wish, port, key } satisfies ClientWish);
  const ended = (code: number | null): never => {
    throw new Error(`the client of the bench ended with ${code} before its report`);
  };
  child.once('exit', ended);
  const [report] = (await once(child, 'message')) as [ClientReport];
  child.off('exit', ended);
  child.kill();
  return report;
}
