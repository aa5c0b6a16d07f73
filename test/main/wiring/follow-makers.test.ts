// The keys in force decide which accounts are Block RFQ makers, verified at the paper exchange itself.
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { followMakers, makersOf } from '../../../src/main/wiring/follow-makers.ts';
import { quantity, ratio, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type AccountId, accountId } from '../../../src/values/ids.ts';
import { DAY_MS, SECOND_MS } from '../../../src/values/instant.ts';
import {
  ACCOUNT,
  NOON,
  OTHER,
  type PaperStage,
  paperStage,
} from '../../adapters/paper/paper-stage.ts';

const key = (id: string, makerAlias: string | undefined, ...accounts: AccountId[]): ApiKey => ({
  id,
  makerAlias,
  accounts,
  secret: '',
  uid: '1',
  nickname: id,
  scopes: ['trade'],
});
const THIRD = accountId('10003');

describe('makers of keys', () => {
  test('makers are the accounts of keys with an alias, without dummies and other venues', () => {
    const keys = [key('a', 'ONE', OTHER, THIRD), key('b', undefined, ACCOUNT)];
    const { aliases, conflicts } = makersOf(keys, [ACCOUNT, OTHER]);
    expect([...aliases]).toEqual([[OTHER, 'ONE']]);
    expect(conflicts).toEqual([]);
  });

  test('an account has one alias and an alias one account: the first key wins, and the conflict is reported', () => {
    const keys = [key('a', 'ONE', OTHER), key('b', 'ONE', ACCOUNT), key('c', 'TWO', OTHER)];
    const { aliases, conflicts } = makersOf(keys, [ACCOUNT, OTHER]);
    expect([...aliases]).toEqual([[OTHER, 'ONE']]);
    expect(conflicts).toEqual([
      'the key b does not make account 10001 the maker ONE: ONE is 10002',
      'the key c does not make account 10002 the maker TWO: account 10002 is ONE',
    ]);
  });
});

/** Keys that a test changes, with notification. */
class ChangingKeys {
  keys: readonly ApiKey[] = [];
  readonly #listeners = new Set<() => void>();
  all = (): readonly ApiKey[] => this.keys;
  watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  become(...keys: readonly ApiKey[]): void {
    this.keys = keys;
    for (const listener of this.#listeners) listener();
  }
}

describe('a maker by a key', () => {
  let stage: PaperStage | undefined;
  afterEach(async () => await stage?.venue.close());

  async function answered<T>(reply: Promise<T>): Promise<T> {
    await must(stage, 'a stage').pass(10);
    return await reply;
  }

  test('a maker receives RFQs and quotes as long as its key is in force, and its quotes end with the key', async () => {
    const on = paperStage();
    stage = on;
    const keys = new ChangingKeys();
    const report = (error: unknown): never => {
      throw error;
    };
    const accounts = [ACCOUNT, OTHER];
    const stop = followMakers({ venue: on.venue, accounts, keys, report });
    const { rfqs } = on.venue;
    expect(rfqs.aliasOf(OTHER)).toBeUndefined();

    keys.become(key('desk', 'DESK1', OTHER));
    expect(rfqs.aliasOf(OTHER)).toBe('DESK1');
    const option = on.venue.instruments().find(
      ({ kind, base, expiresAt = 0, option: terms }) =>
        kind === 'option' &&
        String(base) === 'BTC' &&
        expiresAt > NOON + 20 * DAY_MS &&
        // Out of the money, where no book is wide.
        terms?.type === 'call' &&
        toNumber(terms.strike) > 100_000,
    );
    const { name: instrument } = must(option, 'an option is listed');
    const leg = { instrument, quantity: quantity('30'), side: 'buy' as const };
    const ticker = await answered(on.venue.market.ticker(instrument));
    const offer = must(ticker?.ask, 'somebody offers it').price;
    const made = await answered(
      rfqs.create({
        account: ACCOUNT,
        legs: [leg],
        makers: ['DESK1'],
        disclosed: true,
        allocations: [],
      }),
    );
    if (made.kind !== 'done') throw new Error(JSON.stringify(made));
    const rfqId = made.value.id;
    const quote = {
      account: OTHER,
      rfqId,
      quantity: quantity('30'),
      side: 'sell' as const,
      legs: [{ ...leg, ratio: ratio('1'), price: offer }],
      executionInstruction: 'all_or_none' as const,
    };
    const seat = await answered(rfqs.rfqs({ account: OTHER, count: 1 }));
    if (seat.kind !== 'done') throw new Error(JSON.stringify(seat));
    const own = must(seat.value.rfqs[0], 'the maker sees it').id;
    await on.pass(6 * SECOND_MS);
    expect(await answered(rfqs.quote({ ...quote, rfqId: own }))).toMatchObject({ kind: 'done' });
    const shown = async () => {
      const reply = await answered(rfqs.rfqs({ account: ACCOUNT, id: rfqId, count: 1 }));
      return reply.kind === 'done' ? reply.value.rfqs[0]?.asks.length : undefined;
    };
    expect(await shown()).toBe(1);

    keys.become();
    expect(rfqs.aliasOf(OTHER)).toBeUndefined();
    expect(await shown()).toBe(0);
    expect(await answered(rfqs.quote({ ...quote, rfqId: own }))).toMatchObject({ kind: 'refused' });
    expect(await answered(rfqs.makers(ACCOUNT))).toEqual({ kind: 'done', value: [] });

    keys.become(key('a', 'DESK1', OTHER));
    keys.become(key('a', 'RENAMED', OTHER));
    expect(rfqs.aliasOf(OTHER)).toBe('RENAMED');
    stop();
    keys.become();
    expect(rfqs.aliasOf(OTHER)).toBe('RENAMED');
  });
});
