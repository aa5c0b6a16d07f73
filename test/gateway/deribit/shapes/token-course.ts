// Tokens on a real connection: a named session, forked, exchanged for another account of the key, and logged out.
import { expect } from 'vitest';
import type { ApiKey } from '../../../../src/gateway/auth/key-store.ts';
import { until } from '../../../adapters/until.ts';
import { RawClient } from '../raw-client.ts';
import type { WireCheck } from './wire-check.ts';

export async function tokenCourse(url: string, key: ApiKey, check: WireCheck): Promise<void> {
  const client = await RawClient.connect(url, { check });
  const session = await client.get('public/auth', {
    grant_type: 'client_credentials',
    client_id: key.id,
    client_secret: key.secret,
    scope: 'session:shapes',
    state: 'mine',
  });
  expect(session).toMatchObject({ state: 'mine', sid: expect.any(String) });
  const renewed = await client.get('public/auth', {
    grant_type: 'refresh_token',
    refresh_token: session.refresh_token,
  });
  const forked = await client.get('public/fork_token', {
    refresh_token: renewed.refresh_token,
    session_name: 'forked',
  });
  expect(forked.scope).toContain('session:forked');
  const exchanged = await client.get('public/exchange_token', {
    refresh_token: forked.refresh_token,
    subject_id: Number(key.accounts[0]),
  });
  const access_token = exchanged.access_token;
  const other = await RawClient.connect(url, { check });
  await other.get('private/get_positions', { access_token });
  await other.close();
  client.request('private/logout', {}).catch(() => undefined);
  await until(() => client.closed !== undefined);
}
