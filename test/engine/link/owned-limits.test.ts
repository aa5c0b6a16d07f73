// In a deployment of several daemons the use of an account's limits is read from the daemon that owns it.

import { expect, test } from 'vitest';
import { shardOf } from '../../../src/core/ownership/shards.ts';
import { Overrides } from '../../../src/core/risk/gate/overrides.ts';
import { tradingApi } from '../../../src/engine/api/switch-operations.ts';
import { answerCalls } from '../../../src/engine/link/answer-calls.ts';
import { OwnerCalls } from '../../../src/engine/link/owner-calls.ts';
import { OwnerDispatch } from '../../../src/engine/link/owner-dispatch.ts';
import { accountId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { lonePeer } from '../../doubles/lone-api.ts';
import { MemoryPeers } from '../../doubles/memory/memory-peers.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { stage, THERE } from './owned-methods.ts';

const [HERE, ELSEWHERE] = ['10002', '10001'];
const AT = instant(1_800_000_000_000);

/** A daemon whose gate says that everything has used what the daemon is called. */
const daemon = (used: string) =>
  tradingApi({
    switches: { settings: () => [], set: () => Promise.resolve() },
    overrides: new Overrides(),
    idPrefix: '',
    limitUseOf: (account) => [{ account, control: 'gross', unit: 'USD', limit: '9', used }],
  });

function trading(isThereReached: boolean) {
  const peers = new MemoryPeers();
  const { there } = stage();
  if (isThereReached)
    peers.add(THERE, answerCalls({ ...there, ...lonePeer(), trading: daemon('2') }));
  const shard = shardOf(accountId(ELSEWHERE));
  const ownership = {
    owns: (one: number) => one !== shard,
    addressOf: (one: number) => (one === shard ? THERE : undefined),
    peers: () => [THERE],
  };
  const calls = new OwnerCalls({ ownership, peers, observer: witness() });
  return new OwnerDispatch({ calls, ledger: { shardOf: () => Promise.resolve(undefined) } }).over(
    'trading',
    daemon('1'),
  );
}

test('each account is asked of its owner, and the answers keep the order of the accounts', async () => {
  const gross = { control: 'gross', unit: 'USD', limit: '9' };
  expect(await trading(true).limitUse([ELSEWHERE, HERE], AT)).toEqual([
    { account: ELSEWHERE, ...gross, used: '2' },
    { account: HERE, ...gross, used: '1' },
  ]);
});

test('figures of an owner that does not answer are never replaced by those of another daemon', async () => {
  await expect(trading(false).limitUse([ELSEWHERE], AT)).rejects.toThrow();
});
