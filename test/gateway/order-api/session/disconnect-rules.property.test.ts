// PT-16: which orders are cancelled when a connection closes. Whatever rules are set in whatever order, an
// account rule applies to later connections and a connection rule to that connection only; other orders are
// never touched.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusal } from '../../../../src/core/order/answer-class.ts';
import type { OrderRecord } from '../../../../src/core/order/order-record.ts';
import {
  type AccountRules,
  DisconnectRules,
} from '../../../../src/gateway/order-api/session/disconnect-rules.ts';
import { SessionOrders } from '../../../../src/gateway/order-api/session/session-orders.ts';
import type { TradingDesk } from '../../../../src/ports/trading-desk.ts';
import { accountId, orderId } from '../../../../src/values/ids.ts';

const ACCOUNTS = ['1', '2', '3'].map(accountId);
const account = fc.constantFrom(...ACCOUNTS);

test('the last rule set applies: an account rule to later connections, a connection rule to that connection', () => {
  const act = fc.oneof(
    fc.record({ kind: fc.constant('opens') }),
    fc.record({
      kind: fc.constant('says'),
      by: fc.nat(5),
      account,
      scope: fc.constantFrom('connection', 'account'),
      enabled: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40, size: 'max' }), (acts) => {
      const shared: AccountRules = new Set();
      const rules: DisconnectRules[] = [];
      /** The last rule by account; and by connection and account, starting from the former. */
      const ofAccounts = new Map<string, boolean>();
      const own: Map<string, boolean>[] = [];
      for (const one of acts) {
        if (one.kind === 'opens') {
          const opened = new DisconnectRules(shared);
          opened.adopt(ACCOUNTS);
          rules.push(opened);
          own.push(new Map(ofAccounts));
          continue;
        }
        const by = one.by % Math.max(1, rules.length);
        rules[by]?.set(one.account, one.scope, one.enabled);
        if (rules.length === 0) continue;
        own[by]?.set(one.account, one.enabled);
        if (one.scope === 'account') ofAccounts.set(one.account, one.enabled);
      }
      for (const [index, rule] of rules.entries()) {
        const expected = ACCOUNTS.filter((of) => own[index]?.get(of) === true);
        expect([...rule.inForce()].sort()).toEqual(expected);
        for (const of of ACCOUNTS) {
          expect(rule.has(of, 'connection')).toBe(own[index]?.get(of) === true);
          expect(rule.has(of, 'account')).toBe(ofAccounts.get(of) === true);
        }
      }
    }),
  );
});

interface Resting {
  readonly id: string;
  /** The connection that placed it; -1 for none, as for a portfolio's children. */
  readonly by: number;
  readonly of: OrderRecord['account'];
  /** Whether it has been triggered and replaced by another order. */
  readonly isFired: boolean;
}

test('all orders of a closed connection and the orders they triggered are cancelled, and no others', async () => {
  const orders = fc.array(
    fc.record({ by: fc.integer({ min: -1, max: 2 }), of: account, isFired: fc.boolean() }),
    { maxLength: 30, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(orders, fc.array(account), async (all, gone) => {
      const placed = all.map((one, index): Resting => ({ ...one, id: `o${index}` }));
      const open = new Map<string, OrderRecord>();
      const record = (id: string, of: Resting['of'], more: object = {}) =>
        ({ orderId: orderId(id), account: of, state: 'open', ...more }) as OrderRecord;
      const desk: Pick<TradingDesk, 'openOrders' | 'cancel'> = {
        openOrders: ({ account: of }) => {
          const value = [...open.values()].filter((order) => order.account === of);
          return Promise.resolve({ kind: 'done', value });
        },
        cancel: ({ of }) => {
          const id = 'orderId' in of ? of.orderId : of.label;
          const value = open.get(id);
          open.delete(id);
          return value === undefined
            ? Promise.resolve(refusal(10004))
            : Promise.resolve({ kind: 'done', value });
        },
      };
      const connections = [0, 1, 2].map(
        () => new SessionOrders({ forAccount: () => desk as TradingDesk }),
      );
      for (const { id, by, of, isFired } of placed) {
        connections[by]?.note(record(id, of, { state: isFired ? 'untriggered' : 'open' }));
        const fired = record(`${id}-fired`, of, { triggerOrderId: orderId(id) });
        const there = isFired ? fired : record(id, of);
        open.set(there.orderId, there);
      }
      for (const of of gone) await connections[0]?.cancelAll(of);
      const left = placed.filter(({ by, of }) => by !== 0 || !gone.includes(of));
      const ids = left.map(({ id, isFired }) => (isFired ? `${id}-fired` : id));
      expect([...open.keys()].sort()).toEqual(ids.sort());
    }),
  );
});
