// What is called where, for every method of the portfolio operations and of the order methods, when the account is
// owned here, by a daemon that answers, or by one that cannot be asked: nothing that may trade is done twice, and
// no cancel is lost.
import { describe, expect, test } from 'vitest';
import { isUnsent, type Refused, refusal } from '../../../src/core/order/answer-class.ts';
import { reject } from '../../../src/core/rejection.ts';
import { PeerUnreached } from '../../../src/ports/deployment/engine-peers.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { accountId } from '../../../src/values/ids.ts';
import { BY } from '../../support/engine/engine-world.ts';
import {
  ACCOUNT,
  CANCELS,
  CHANGES,
  DONE,
  LOCAL_READS,
  type Method,
  OF,
  ORDER,
  outcome,
  READS,
  REPEATABLE,
  request,
  SETTINGS,
  type Stage,
  SUBMIT,
  stage,
  THERE,
  TRADES,
  UNSTORED,
  VENUE,
} from './owned-methods.ts';

/** Waits until the call has begun there, and ends that daemon before it answers. */
async function unanswered(of: Stage, method: Method): Promise<unknown> {
  const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
  of.there.answer = () => {
    begin();
    return new Promise(() => undefined);
  };
  const asked = outcome(request(of, method));
  await isBegun;
  of.peers.remove(THERE);
  return await asked;
}

describe('an account that is owned here, or by nobody', () => {
  test.each([...CHANGES, ...READS])(
    '$method is done here alone, as it was asked',
    async (method) => {
      for (const is of ['here', 'nobody'] as const) {
        const s = stage();
        s.owner.is = is;
        expect(await request(s, method)).toEqual(DONE(method));
        expect(s.here.made).toEqual([method]);
        expect(s.there.made).toEqual([]);
        expect(s.failures).toEqual([]);
      }
    },
  );
});

describe('an account of another daemon that answers', () => {
  test.each([...CHANGES, ...READS])(
    '$method is done there alone, and its answer comes back',
    async (method) => {
      const s = stage();
      expect(await request(s, method)).toEqual(DONE(method));
      expect(s.there.made).toEqual([method]);
      expect(s.here.made).toEqual([]);
      expect(s.failures).toEqual([]);
    },
  );

  test.each(CHANGES)(
    '$method that the owner refuses is refused and done nowhere else',
    async (method) => {
      const s = stage();
      const refused = method.method.startsWith('portfolios')
        ? { kind: 'refused', rejections: [reject('conflict', 'portfolioId', 'no')] }
        : refusal(10_009, { param: 'quantity', reason: 'too much' });
      s.there.answer = () => Promise.resolve(refused);
      expect(await request(s, method)).toEqual(refused);
      expect(s.there.methods).toEqual([method.method]);
      expect(s.here.made).toEqual([]);
    },
  );

  test.each(LOCAL_READS)('$method is read here', async (method) => {
    const s = stage();
    expect(await request(s, method)).toEqual(DONE(method));
    expect(s.here.made).toEqual([method]);
    expect(s.there.made).toEqual([]);
  });

  test('what is not about one account comes from this daemon', async () => {
    const { here, methods, there } = stage();
    here.answer = ({ method }) => method;
    expect(methods.mmp.listen(() => undefined)).toBe('mmp.listen');
    expect(await methods.rfqs.tape(VENUE, { count: 5 })).toBe('rfqs.tape');
    expect(there.made).toEqual([]);
  });

  test.each([...TRADES, ...CANCELS, ...READS].filter(({ method }) => !method.startsWith('mmp')))(
    '$method of an account that this daemon has no desk for is refused here',
    async ({ method, args: [of, ...others] }) => {
      const s = stage();
      const account = accountId('dummy');
      const args = [typeof of === 'string' ? account : { ...(of as object), account }, ...others];
      expect(await request(s, { method, args })).toMatchObject({
        kind: 'refused',
        code: -32602,
        class: 'final',
        details: { param: 'accountId' },
      });
      expect([...s.here.made, ...s.there.made, ...s.failures]).toEqual([]);
    },
  );

  test('a portfolio that is not stored is looked for here', async () => {
    const s = stage();
    await s.operations.cancel(UNSTORED, BY);
    expect(s.here.methods).toEqual(['portfolios.cancel']);
    expect(s.there.made).toEqual([]);
  });

  test('a place and the cancel after it begin at the owner in this order, whichever is answered first', async () => {
    const {
      methods: { orders },
      there,
      here,
    } = stage();
    const answers: (() => void)[] = [];
    there.answer = ({ method }) =>
      new Promise((resolve) => {
        answers.unshift(() => resolve({ kind: 'done', value: method }));
        if (answers.length === 3) for (const give of answers) give();
      });
    const asked = [orders.place(ORDER), orders.cancel(OF), orders.cancelAll({ account: ACCOUNT })];
    const values = (await Promise.all(asked)).map((one) => one.kind === 'done' && one.value);
    expect(values).toEqual(['orders.place', 'orders.cancel', 'orders.cancelAll']);
    expect(there.methods).toEqual(values);
    expect(here.made).toEqual([]);
  });
});

describe('an owner that cannot be reached', () => {
  test.each(TRADES)('$method is refused as not sent, and done nowhere', async (method) => {
    const s = stage();
    s.peers.remove(THERE);
    const answer = (await request(s, method)) as Refused;
    expect(answer).toMatchObject({ kind: 'refused', class: 'later' });
    expect(isUnsent(answer)).toBe(true);
    expect(answer.details?.reason).toContain(ACCOUNT);
    expect([...s.here.made, ...s.there.made]).toEqual([]);
  });

  test.each(TRADES)(
    '$method is refused as not sent where the owner is of a version that does not know it',
    async (method) => {
      const s = stage();
      s.there.answer = () => Promise.reject(new PeerUnreached('not known'));
      const answer = (await request(s, method)) as Refused;
      expect(isUnsent(answer)).toBe(true);
      expect(answer.details?.reason).toContain('not known');
      expect(s.here.made).toEqual([]);
    },
  );

  test.each([...CANCELS, ...READS, ...SETTINGS, SUBMIT, ...REPEATABLE])(
    '$method is done here once, and the owner is reported',
    async (method) => {
      const s = stage();
      s.peers.remove(THERE);
      expect(await request(s, method)).toEqual(DONE(method));
      expect(s.here.methods).toEqual([method.method]);
      expect(s.there.made).toEqual([]);
      expect(s.failures.map(({ where }) => where)).toEqual(['owner']);
    },
  );

  test('each call goes to the daemon that owns the account at that instant', async () => {
    const s = stage();
    const { orders } = s.methods;
    for (const is of ['there', 'here', 'there'] as const) {
      s.owner.is = is;
      await orders.place(ORDER);
    }
    expect(s.there.methods).toEqual(['orders.place', 'orders.place']);
    expect(s.here.methods).toEqual(['orders.place']);
    s.owner.is = 'there';
    s.peers.remove(THERE);
    expect(await orders.place(ORDER)).toMatchObject({ kind: 'refused', class: 'later' });
    s.owner.is = 'here';
    expect(await orders.place(ORDER)).toEqual(DONE({ method: 'orders.place', args: [] }));
  });
});

describe('an owner that does not answer', () => {
  test.each([...TRADES, ...SETTINGS])(
    'the outcome of $method is unknown, and it is not done again',
    async (method) => {
      const s = stage();
      expect(await unanswered(s, method)).toMatchObject({ kind: 'unknown' });
      expect(s.there.methods).toEqual([method.method]);
      expect(s.here.made).toEqual([]);
    },
  );

  test.each([...CANCELS, ...READS, ...REPEATABLE])(
    '$method is done here as well',
    async (method) => {
      const s = stage();
      expect(await unanswered(s, method)).toEqual(DONE(method));
      expect(s.there.methods).toEqual([method.method]);
      expect(s.here.methods).toEqual([method.method]);
      expect(s.failures.map(({ where }) => where)).toEqual(['owner']);
    },
  );

  test('a submit without a key fails and says that the portfolio may have been created', async () => {
    const s = stage();
    const failure = await unanswered(s, SUBMIT);
    expect(failure).toBeInstanceOf(LedgerFailure);
    expect(failure).toMatchObject({ maybe: true });
    expect(s.here.made).toEqual([]);
  });
});

describe('an owner whose answer is a failure', () => {
  const failing = (error: Error): Stage => {
    const s = stage();
    s.there.answer = () => Promise.reject(error);
    return s;
  };

  test.each([...TRADES, ...SETTINGS])(
    'the outcome of $method is unknown, with the reason of the owner',
    async (method) => {
      const s = failing(new Error('the socket of the venue broke'));
      expect(await request(s, method)).toEqual({
        kind: 'unknown',
        reason: 'the socket of the venue broke',
      });
      expect(s.here.made).toEqual([]);
    },
  );

  test.each([...CANCELS, ...READS, ...REPEATABLE])(
    '$method is done here as well',
    async (method) => {
      for (const error of [new Error('broke'), new LedgerFailure('away', false)]) {
        const s = failing(error);
        expect(await request(s, method)).toEqual(DONE(method));
        expect(s.here.methods).toEqual([method.method]);
      }
    },
  );

  test('a submit without a key fails with what the ledger told the owner', async () => {
    for (const maybe of [true, false]) {
      const s = failing(new LedgerFailure('the ledger is away', maybe));
      const failure = await outcome(request(s, SUBMIT));
      expect(failure).toBeInstanceOf(LedgerFailure);
      expect(failure).toMatchObject({ maybe, message: 'the ledger is away' });
      expect(s.here.made).toEqual([]);
    }
  });

  test('a submit without a key that fails in another way may have been created', async () => {
    const s = failing(new TypeError('x is not a function'));
    expect(await outcome(request(s, SUBMIT))).toMatchObject({ name: 'LedgerFailure', maybe: true });
    expect(s.here.made).toEqual([]);
  });
});
