// Contract of every reader of the audit trail: pages are newest first, and together they are the whole trail.
import { expect, test } from 'vitest';
import type { ActionLog } from '../../src/ports/action-log.ts';
import type { ActionPageQuery, ActionPages } from '../../src/ports/action-pages.ts';
import { accountId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import { actionAt } from './action-log.ts';

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
