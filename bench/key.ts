// The key with which the clients of benches sign.
import type { ApiKey } from '../src/gateway/auth/key-store.ts';
import { accountId } from '../src/values/ids.ts';

export const KEY: ApiKey = {
  id: 'bench',
  secret: Buffer.from('the secret of the bench 0123456789').toString('base64'),
  uid: '1',
  nickname: 'bench',
  accounts: [accountId('10001')],
  scopes: ['trade'],
};
