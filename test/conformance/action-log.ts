// Contract of every action log, and of every reader of its pages: records are returned unchanged, newest first.
import { expect, test } from 'vitest';
import type {
  Action,
  ActionLog,
  ActionPageQuery,
  ActionPages,
} from '../../src/ports/action-log.ts';
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

export interface OpenedTrail {
  readonly log: Pick<ActionLog, 'record'>;
  readonly pages: ActionPages;
}

const [OWN, OTHER, FOREIGN, NONE] = ['10001', '20001', '10002', ''].map(accountId);

/** `open` returns an empty trail; every test has its own. */
export function actionPagesConformance(open: () => Promise<OpenedTrail>): void {
  const own = [OWN, OTHER].flatMap((one) => one ?? []);

  test('a page holds the actions of the named accounts unchanged, newest first', async () => {
    const { log, pages } = await open();
    const bare = actionAt(2, { instrument: undefined, label: undefined, orderId: undefined });
    const actions = [actionAt(1), bare, actionAt(3, { account: OTHER as never })];
    for (const action of actions) await log.record(action);
    await log.record(actionAt(4, { account: FOREIGN as never }));
    await log.record(actionAt(5, { account: NONE as never }));
    const found = await pages.page({ accounts: own, limit: 10 });
    expect(found.map(({ number: _number, ...action }) => action)).toEqual(actions.toReversed());
    const none = await pages.page({ accounts: [NONE as never], limit: 10 });
    expect(none.map(({ at }) => at)).toEqual([5]);
    expect(await pages.page({ accounts: [], limit: 10 })).toEqual([]);
  });

  test('pages one after the other hold every action once, also those of one instant', async () => {
    const { log, pages } = await open();
    for (let at = 0; at < 25; at += 1) {
      const account = (at % 3 === 0 ? OTHER : OWN) as never;
      await log.record(actionAt(Math.floor(at / 5), { account, orderId: String(at) }));
    }
    const seen: string[] = [];
    let before: ActionPageQuery['before'];
    for (;;) {
      const page = await pages.page({ accounts: own, before, limit: 4 });
      if (page.length === 0) break;
      seen.push(...page.map(({ orderId = '' }) => orderId));
      const last = page.at(-1);
      before = last && { at: last.at, number: last.number };
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
    expect(seen.map((id) => Math.floor(Number(id) / 5))).toEqual(
      seen.map((_, index) => 4 - Math.floor(index / 5)),
    );
  });

  test('a page can be limited to a key and to a time', async () => {
    const { log, pages } = await open();
    await log.record(actionAt(1));
    await log.record(actionAt(2, { keyId: 'other' }));
    await log.record(actionAt(3));
    const times = async (query: Partial<ActionPageQuery>): Promise<number[]> =>
      (await pages.page({ accounts: own, limit: 10, ...query })).map(({ at }) => at);
    expect(await times({ keyId: 'desk' })).toEqual([3, 1]);
    expect(await times({ from: instant(2) })).toEqual([3, 2]);
    expect(await times({ keyId: 'nobody' })).toEqual([]);
  });
}
