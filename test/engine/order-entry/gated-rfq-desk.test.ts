// Block RFQs behind the engine's gate: they pass the venue's conformance suite, and a request that is too large or
// objected to never reaches the venue.

import { describe, expect, it } from 'vitest';
import { answerOfCode, refusal } from '../../../src/core/order/answer-class.ts';
import { REJECTION_CODES } from '../../../src/core/rejection.ts';
import { type ControlLimits, NO_LIMITS } from '../../../src/core/risk/gate/control-limits.ts';
import type { OverrideWish } from '../../../src/core/risk/gate/overrides.ts';
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts';
import { cancelPendingAccepts } from '../../../src/engine/kill-switch/halt-mass-cancel.ts';
import { NEVER_SWITCHED } from '../../../src/engine/kill-switch/trading-switches.ts';
import { NO_PROTECTION } from '../../../src/engine/mmp/mmp-guard.ts';
import type { GatedRfqOptions } from '../../../src/engine/order-entry/gated-rfq-desk.ts';
import { Gate } from '../../../src/engine/risk/gate.ts';
import type { RfqDesk } from '../../../src/ports/block-rfq.ts';
import type { Observation } from '../../../src/ports/observer.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import { money, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, deploymentId } from '../../../src/values/ids.ts';
import { BTC, paperStage } from '../../adapters/paper/paper-stage.ts';
import { MAKERS, RFQ_ACCOUNTS, TAKER } from '../../adapters/paper/rfq-accounts.ts';
import { blockRfqConformance } from '../../conformance/block-rfq.ts';
import { expectRefused, RfqAct, type RfqStage, value } from '../../conformance/rfq-act.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const DUMMY = accountId('20001');
const RISK_LIMIT = REJECTION_CODES.risk_limit;

type Answered = Observation<'rfq_answered'>;
type Ended = Observation<'rfq_ended'>;

interface Options {
  readonly blockUsdMax?: string;
  readonly quoteObjection?: GatedRfqOptions['mmp']['quoteObjection'];
  readonly switches?: GatedRfqOptions['switches'];
  readonly gateLimits?: () => ControlLimits;
  /** Wraps methods between the gate and the venue. */
  readonly between?: (rfqs: RfqDesk) => Partial<RfqDesk>;
}

function staged(options: Options = {}) {
  const {
    blockUsdMax,
    quoteObjection = NO_PROTECTION.quoteObjection,
    switches = NEVER_SWITCHED,
    gateLimits = () => NO_LIMITS,
    between = () => ({}),
  } = options;
  const { clock, venue: paper, pass } = paperStage({ accounts: RFQ_ACCOUNTS });
  const answered: Answered[] = [];
  const ended: Ended[] = [];
  const refusals: string[] = [];
  const observer = witness({
    rfq_answered: (answer) => answered.push(answer),
    control_refused: ({ control, stage }) => refusals.push(`${control} ${stage}`),
    rfq_ended: (end) => ended.push(end),
  });
  const inner = between(paper.rfqs);
  const rfqs = new Proxy(paper.rfqs, {
    get: (target, name) => {
      const own = (inner as Record<string | symbol, unknown>)[name] ?? Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
  const venue = new Proxy(paper, {
    get: (target, name) => {
      if (name === 'rfqs') return rfqs;
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
  const gate = new Gate({ clock, observer, limits: gateLimits });
  const desk = openOrderDesk({
    venues: { forAccount: () => venue, all: () => [venue] },
    settings: {
      ...DEFAULT_SETTINGS,
      deployment: deploymentId('test'),
      ...(blockUsdMax === undefined ? {} : { blockUsdMax: money(blockUsdMax) }),
    },
    clock,
    observer,
    mmp: { ...NO_PROTECTION, quoteObjection },
    switches,
    gate,
    limits: () => ({ dummyAccounts: new Set([DUMMY]) }),
  });
  const stage: RfqStage = {
    rfqs: must(desk.rfqsFor(TAKER), 'Block RFQs'),
    venue,
    pass,
    taker: TAKER,
    makers: MAKERS,
    perpetual: BTC,
    close: () => paper.close(),
  };
  const act = new RfqAct(stage);
  return { desk, stage, venue: paper, clock, gate, act, answered, ended, refusals };
}

describe('the Block RFQs of OrderDesk', () => {
  blockRfqConformance(() => Promise.resolve(staged({ blockUsdMax: '100000000' }).stage));

  it('an account that only mirrors has no Block RFQ desk', () => {
    const { desk } = staged();
    expect(desk.rfqsFor(DUMMY)).toBeUndefined();
    expect(desk.venues().map(({ rfqs }) => rfqs !== undefined)).toEqual([true]);
  });
});

describe('an RFQ of an instrument that is not listed', () => {
  it('the venue decides about an instrument while its listing is not known', async () => {
    let sent = 0;
    const { act, venue } = staged({
      between: () => ({
        create: () => {
          sent += 1;
          return Promise.resolve(refusal(10_020, { param: 'legs', reason: 'of the venue' }));
        },
      }),
    });
    const asked = act.newRfq();
    venue.instrument = () => undefined;
    expect(await act.rfqs.create(asked)).toMatchObject({
      details: { reason: expect.stringContaining('accepted: a listed instrument') },
    });
    expect(sent).toBe(0);
    Object.assign(venue, { instruments: () => undefined });
    expect(await act.rfqs.create(asked)).toMatchObject({ details: { reason: 'of the venue' } });
    expect(sent).toBe(1);
  });
});

describe('the block limit', () => {
  it('an RFQ above the block limit is blocked with the reason', async () => {
    const { act, answered, refusals } = staged({ blockUsdMax: '150000' });
    const reply = await act.rfqs.create(act.newRfq());
    expectRefused(reply, RISK_LIMIT, 'legs[0].quantity');
    expect(reply).toMatchObject({ details: { reason: expect.stringContaining('200000') } });
    const { rfqs } = value(await act.rfqs.rfqs({ account: TAKER, count: 5 }));
    expect(rfqs).toEqual([]);
    expect(answered).toMatchObject([
      { method: 'create', outcome: 'blocked', control: 'block_value', account: TAKER },
    ]);
    expect(refusals).toEqual(['block_value quote']);
  });

  it.each([
    ['24', true],
    ['26', false],
  ])(
    'the block limit counts 25 options as 25 coins: with a limit of %s coins, blocked is %s',
    async (coins, isBlocked) => {
      const spot = (await staged().act.mark(BTC)).toNumber();
      const { act } = staged({ blockUsdMax: String(Math.round(spot * Number(coins))) });
      const [call] = await act.calls();
      const legs = [{ instrument: call.name, quantity: quantity('25'), side: 'buy' as const }];
      const { kind } = await act.rfqs.create(act.newRfq({ legs }));
      expect(kind).toBe(isBlocked ? 'refused' : 'done');
    },
  );

  it('the block limit blocks quotes and accepts for an RFQ created before the limit', async () => {
    // The RFQ bypasses this gate, as if sent by another process.
    const { act, answered } = staged({ blockUsdMax: '150000' });
    const past = staged();
    const { stage } = past;
    expect(value(await stage.rfqs.create(past.act.newRfq())).status).toBe('created');
    const quote = await past.act.newQuote('sell');
    expectRefused(await act.rfqs.quote(quote), RISK_LIMIT);
    expectRefused(await act.rfqs.editQuote({ ...quote, of: { quoteId: '1' } }), RISK_LIMIT);
    const legs = quote.legs;
    const accept = {
      account: TAKER,
      rfqId: '1',
      quantity: quote.quantity,
      side: 'buy' as const,
      legs,
      price: must(legs[0], 'a leg').price,
      timeInForce: 'fill_or_kill' as const,
    };
    expectRefused(await act.rfqs.accept(accept), RISK_LIMIT);
    expect(answered.map(({ method, outcome }) => [method, outcome])).toEqual([
      ['quote', 'blocked'],
      ['edit_quote', 'blocked'],
      ['trade', 'blocked'],
    ]);
  });

  it('a change of a quote whose side cannot be read is not sent', async () => {
    let isAway = false;
    const { act } = staged({
      blockUsdMax: '10000000',
      gateLimits: () => ({ version: '1' }),
      between: (rfqs) => ({
        quotes: async (filter) =>
          isAway ? answerOfCode(10_028, 'too_many_requests') : await rfqs.quotes(filter),
      }),
    });
    await act.opened();
    const { id } = await act.quoted('sell');
    const terms = await act.newQuote('sell');
    isAway = true;
    expectRefused(await act.rfqs.editQuote({ ...terms, of: { quoteId: id } }), 10040);
    isAway = false;
    expect((await act.rfqs.editQuote({ ...terms, of: { quoteId: id } })).kind).toBe('done');
  });

  it.each<[string, Reply<never>]>([
    ['is not answered', { kind: 'unknown', reason: 'away' }],
    ['is refused for too many requests', answerOfCode(10_028, 'too_many_requests')],
    ['is refused for lack of a right', answerOfCode(13_021, 'forbidden')],
  ])('the legs of an accept are looked up, and nothing is sent if that %s', async (_what, told) => {
    let isAway = false;
    const { act, answered } = staged({
      blockUsdMax: '10000000',
      between: (rfqs) => ({
        rfqs: async (filter) => (isAway ? told : await rfqs.rfqs(filter)),
      }),
    });
    const rfq = await act.opened();
    const accept = act.acceptOf(rfq, await act.quoted('sell'));
    isAway = true;
    expectRefused(await act.rfqs.accept(accept), 10040);
    isAway = false;
    expect((await act.seen(rfq.id)).status).toBe('open');
    expect(value(await act.rfqs.accept(accept)).rfq.status).toBe('filled');
    expect(answered.filter(({ method }) => method === 'trade')).toMatchObject([
      { outcome: 'blocked' },
      { outcome: 'done', rfq: rfq.id },
    ]);
  });
});

describe('a changed quote', () => {
  it.each([
    ['sell', true],
    ['buy', false],
  ] as const)(
    'a changed quote is judged by the side that it has: %s, sent %s',
    async (side, isSent) => {
      let sent = 0;
      const limits = { version: '1-test', quantityMax: new Map([['*', quantity('1')]]) };
      let isLimited = false;
      const { act, gate, clock } = staged({
        gateLimits: () => (isLimited ? limits : NO_LIMITS),
        between: () => ({
          editQuote: () => {
            sent += 1;
            return Promise.resolve({ kind: 'unknown', reason: 'no answer' });
          },
        }),
      });
      await act.opened();
      const quote = await act.quoted(side);
      const terms = await act.newQuote(side);
      const wish: OverrideWish = {
        control: 'order_volume',
        account: MAKERS[0].account,
        instrument: BTC,
        side: 'sell',
        quantity: terms.quantity,
        reason: 'agreed by telephone',
      };
      const at = clock.now();
      gate.overrides.request(wish, { id: 'a', by: 'key-1', at, lifeMs: 60_000 });
      expect(gate.overrides.grant('a', 'key-2', at)).toMatchObject({ kind: 'granted' });
      isLimited = true;
      const reply = await act.rfqs.editQuote({ ...terms, of: { quoteId: quote.id } });
      expect(reply).toMatchObject(
        isSent ? { kind: 'unknown' } : { kind: 'refused', code: RISK_LIMIT },
      );
      expect(sent).toBe(isSent ? 1 : 0);
    },
  );
});

describe('the quote guard', () => {
  const frozen = refusal(13030);

  it('the quote guard is called for every quote and edit, and never for a cancel', async () => {
    const asked: unknown[] = [];
    let isFrozen = false;
    const { act } = staged({
      quoteObjection: (quote) => {
        asked.push([quote.account, quote.mmpGroup, quote.instruments]);
        return isFrozen ? { reply: frozen, control: 'mmp' } : undefined;
      },
    });
    await act.opened();
    const quote = await act.quoted('sell', { mmpGroup: 'desk' });
    isFrozen = true;
    const terms = await act.newQuote('sell');
    expect(await act.rfqs.quote(terms)).toEqual(frozen);
    expect(await act.rfqs.editQuote({ ...terms, of: { quoteId: quote.id } })).toEqual(frozen);
    const account = MAKERS[0].account;
    value(await act.rfqs.cancelQuote({ account, of: { quoteId: quote.id } }));
    expect(value(await act.rfqs.cancelQuotes({ account }))).toBe(0);
    expect(asked).toEqual([
      [account, 'desk', [BTC]],
      [account, '', [BTC]],
      [account, '', [BTC]],
    ]);
  });

  it('a quote guard that fails blocks the quote', async () => {
    const { act } = staged({
      quoteObjection: () => {
        throw new Error('the state is unreadable');
      },
    });
    await act.opened();
    expectRefused(await act.rfqs.quote(await act.newQuote('sell')), 10040);
  });
});

describe('the end of an RFQ', () => {
  it('the end of an RFQ is reported once, with its outcome and the number of its quotes', async () => {
    const { act, ended } = staged();
    const traded = await act.opened();
    await act.quoted('buy', {}, 1);
    const sold = await act.quoted('sell');
    await act.stage.pass(10);
    await act.accepted(traded, sold);
    const taken = await act.opened();
    value(await act.rfqs.cancelRfq({ account: TAKER, rfqId: taken.id }));
    const late = await act.opened();
    await act.stage.pass(300_000);
    expect(ended.map(({ rfq, end, account, quotes }) => [rfq, end, account, quotes])).toEqual([
      [traded.id, 'traded', TAKER, 2],
      [taken.id, 'cancelled', TAKER, 0],
      [late.id, 'expired', TAKER, 0],
    ]);
  });
});

describe('a halt of Block RFQs', () => {
  it('a halt refuses requests that could trade, and cancels pending accepts', async () => {
    let state: 'active' | 'halted' = 'active';
    const { act, venue, clock, answered } = staged({
      switches: {
        strictestFor: () =>
          state === 'active'
            ? undefined
            : {
                scope: 'account',
                of: TAKER,
                state,
                by: { uid: '7', nickname: 'tester' },
                reason: 'test',
                at: clock.now(),
              },
      },
    });
    const rfq = await act.opened();
    const terms = await act.newQuote('sell');
    const { price } = must(terms.legs[0], 'a leg');
    const waits = {
      account: TAKER,
      rfqId: rfq.id,
      quantity: rfq.quantity,
      side: 'buy' as const,
      price,
      timeInForce: 'good_til_cancelled',
    } as const;
    expect(value(await act.rfqs.accept(waits)).trigger).toMatchObject({ state: 'untriggered' });
    state = 'halted';
    const halted = REJECTION_CODES.trading_halted;
    expectRefused(await act.rfqs.accept(waits), halted);
    expectRefused(await act.rfqs.create(act.newRfq()), halted);
    expectRefused(await act.rfqs.quote(terms), halted);
    expect(answered.at(-1)).toMatchObject({ method: 'quote', outcome: 'blocked' });
    expect(value(await cancelPendingAccepts(venue.rfqs, TAKER))).toBe(1);
    expect(value(await cancelPendingAccepts(venue.rfqs, TAKER))).toBe(0);
    // A quote that bypasses this gate finds no pending accept.
    value(await venue.rfqs.quote(terms));
    expect((await act.seen(rfq.id)).status).toBe('open');
    value(await act.rfqs.cancelRfq({ account: TAKER, rfqId: rfq.id }));
  });
});
