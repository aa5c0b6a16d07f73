// Contract of every action log: records are returned unchanged, newest first.
import { expect, test } from 'vitest';
import type { Action, ActionLog } from '../../src/ports/action-log.ts';
import { accountId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';

export const actionAt = (at: number, changes: Partial<Action> = {}): Action => ({
  at: instant(at),
  keyId: 'desk',
  uid: '7001',
  nickname: 'Desk ünö',
  address: '192.0.2.1',
  method: 'private/buy',
  account: accountId('10001'),
  instrument: 'BTC-PERPETUAL',
  label: `a, "label" {of} ${at}`,
  orderId: String(at),
  outcome: 'done',
  ...changes,
});

/** `open` returns an empty log; every test has its own. */
export function actionLogConformance(open: () => Promise<ActionLog>): void {
  test('find returns recorded actions unchanged, newest first', async () => {
    const log = await open();
    const bare = actionAt(2, { instrument: undefined, label: undefined, orderId: undefined });
    const actions = [actionAt(1), bare, actionAt(3, { outcome: 'refused 10009', address: '' })];
    for (const action of actions) await log.record(action);
    expect(await log.find({ limit: 10 })).toEqual(actions.toReversed());
    expect(await log.find({ limit: 2 })).toEqual(actions.toReversed().slice(0, 2));
  });

  test('find filters by key, account and time', async () => {
    const log = await open();
    await log.record(actionAt(1));
    await log.record(actionAt(2, { keyId: 'other' }));
    await log.record(actionAt(3, { account: accountId('10002') }));
    await log.record(actionAt(4));
    const times = async (query: Parameters<ActionLog['find']>[0]): Promise<number[]> =>
      (await log.find(query)).map(({ at }) => at);
    expect(await times({ keyId: 'desk', limit: 10 })).toEqual([4, 3, 1]);
    expect(await times({ account: '10001', limit: 10 })).toEqual([4, 2, 1]);
    expect(await times({ from: instant(3), limit: 10 })).toEqual([4, 3]);
    expect(await times({ keyId: 'desk', account: '10001', from: instant(2), limit: 10 })).toEqual([
      4,
    ]);
    expect(await times({ keyId: 'nobody', limit: 10 })).toEqual([]);
  });

  test('concurrent records are all kept, in order', async () => {
    const log = await open();
    const actions = Array.from({ length: 2_500 }, (_, at) => actionAt(at));
    await Promise.all(actions.map((action) => log.record(action)));
    const found = await log.find({ limit: 5_000 });
    expect(found.map(({ at }) => at)).toEqual(actions.map(({ at }) => at).reverse());
    expect(log.isBehind).toBe(false);
  });
}
