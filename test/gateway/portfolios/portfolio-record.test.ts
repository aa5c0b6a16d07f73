import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  LegSummary,
  PortfolioSummary,
} from '../../../src/core/portfolio/summary/portfolio-summary.ts';
import { portfolioRecord } from '../../../src/gateway/portfolios/portfolio-record.ts';
import { portfolioRecordSchema } from '../../../src/gateway/portfolios/record-schema.ts';

const STATUSES = ['pending', 'active', 'cancelling', 'filled', 'cancelled'] as const;
const amount = fc
  .tuple(fc.nat(1_000_000), fc.nat(999))
  .map(([whole, part]) => (part === 0 ? String(whole) : `${whole}.${part}`));
const time = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });

const legs = fc.record<LegSummary>({
  legId: fc.constant('1-0'),
  instrument: fc.string(),
  kind: fc.constantFrom('option', 'perpetual', 'future', 'spot'),
  side: fc.constantFrom('buy', 'sell'),
  status: fc.constantFrom(...STATUSES),
  quantity: amount,
  quantityIn: fc.constantFrom('USD', 'BTC'),
  filled: amount,
  averagePrice: amount,
  remaining: amount,
  outstanding: amount,
  scheduled: amount,
  fees: fc.uniqueArray(fc.record({ currency: fc.constantFrom('BTC', 'USDC', 'ETH'), amount }), {
    selector: (fee) => fee.currency,
  }),
  currencies: fc.constant({
    forCcy: 'BTC',
    domCcy: 'USD',
    markCcy: 'USD',
    notionalCcy: 'USD',
    defaultPvCcy: 'BTC',
  }),
  slices: fc.record({ planned: fc.nat(), placed: fc.nat(), missed: fc.nat(), next: fc.nat() }),
  reprices: fc.nat(),
  waiting: fc.option(fc.string(), { nil: undefined }),
  hedge: fc.boolean(),
  priority: fc.option(fc.constant(true), { nil: undefined }),
  imbalance: fc.option(fc.record({ ahead: amount, bound: amount }), { nil: undefined }),
});

const balance = fc.record<NonNullable<PortfolioSummary['balance']>>({
  parts: fc.integer({ min: 1, max: 1_000 }),
  eachLimitMs: fc.nat(),
  totalLimitMs: fc.nat(),
  totalEndAction: fc.constantFrom(1, 2),
  partTimeout: fc.constantFrom('chase', 'keep'),
  partsDone: fc.nat(1_000),
  stage: fc.option(fc.constantFrom('work', 'chase', 'sweep'), { nil: undefined }),
});

const anySummary = fc.record<PortfolioSummary>({
  portfolio: fc.maxSafeNat().map((id) => String(id + 1)),
  account: fc.constant('10001'),
  portfolioType: fc.constantFrom('TWAP', 'BALANCE'),
  status: fc.constantFrom(...STATUSES),
  reason: fc.option(fc.constantFrom('filled' as const, 'time_limit' as const), { nil: undefined }),
  strategy: fc.option(fc.string(), { nil: undefined }),
  note: fc.string(),
  uid: fc.string(),
  nickname: fc.string(),
  lastEditedUid: fc.string(),
  submittedAt: time,
  updatedAt: time,
  startAt: time,
  endAt: time,
  durationMs: fc.nat(86_400_000),
  frequencyMs: fc.nat(3_600).map((seconds) => seconds * 1_000),
  endAction: fc.constantFrom('cancel', 'market'),
  mirrorOf: fc.option(fc.constant('5'), { nil: undefined }),
  mirrors: fc.array(fc.constant('6'), { maxLength: 2 }),
  balance,
  legs: fc.array(legs, { minLength: 1, maxLength: 20, size: 'max' }),
});

const summaries = anySummary.map((one) =>
  one.portfolioType === 'BALANCE' ? one : { ...one, balance: undefined },
);

const timed = anySummary.map((one): PortfolioSummary => {
  const { balance: _, ...rest } = one;
  return { ...rest, portfolioType: 'TWAP' };
});

const ACCOUNTS = { describe: () => ({ name: 'main', exchange: 'PAPER' }) };

describe('the portfolio record', () => {
  it('the portfolio record has the published shape, survives JSON, and keeps everything of the summary', () => {
    fc.assert(
      fc.property(summaries, (summary) => {
        const record = JSON.parse(JSON.stringify(portfolioRecord(summary, ACCOUNTS)));
        expect(portfolioRecordSchema.strict().parse(record)).toEqual(record);
        expect(record).toMatchObject({
          portfolioId: summary.portfolio,
          submitTimestamp: String(summary.submittedAt),
          updateTimestamp: String(summary.updatedAt),
          customizedNote: summary.note,
        });
        const isTwap = summary.portfolioType === 'TWAP';
        expect(['twapTrade' in record, 'balanceTrade' in record]).toEqual([isTwap, !isTwap]);
        if (summary.balance !== undefined) {
          expect(record.balanceTrade).toMatchObject({
            parts: summary.balance.parts,
            eachLimitMs: String(summary.balance.eachLimitMs),
            totalLimitMs: String(summary.balance.totalLimitMs),
            totalEndAction: summary.balance.totalEndAction,
            totalMs: String(summary.updatedAt - summary.submittedAt),
          });
        }
        for (const [index, leg] of summary.legs.entries()) {
          expect(record.legs[index]).toMatchObject({
            side: leg.side === 'buy' ? 1 : 2,
            placeQuantity: leg.quantity,
            filledQuantity: leg.filled,
            remainingQuantity: leg.remaining,
            ...leg.currencies,
          });
        }
      }),
    );
  });

  it('the portfolio record gives every leg a unique id that fits into a 64-bit integer', () => {
    fc.assert(
      fc.property(summaries, (summary) => {
        const ids = portfolioRecord(summary, ACCOUNTS).legs.map((leg) => BigInt(leg.legId));
        expect(new Set(ids).size).toBe(summary.legs.length);
        for (const id of ids) expect(BigInt.asIntN(64, id)).toBe(id);
      }),
    );
  });

  it.each([
    ['pending', 1],
    ['active', 1],
    ['filled', 2],
    ['cancelled', 3],
    ['cancelling', 4],
  ] as const)('the portfolio record shows %s as %d', (status, number) => {
    const [summary] = fc.sample(summaries, 1);
    if (summary === undefined) throw new Error('no sample');
    expect(portfolioRecord({ ...summary, status }, ACCOUNTS).portfolioStatus).toBe(number);
  });

  it('the portfolio record shows a duration that ends within a second as whole seconds, rounded up', () => {
    const [summary] = fc.sample(timed, 1);
    if (summary === undefined) throw new Error('no sample');
    const shown = [39_001, 39_999, 40_000, 40_001].map(
      (durationMs) => portfolioRecord({ ...summary, durationMs }, ACCOUNTS).twapTrade?.durationSec,
    );
    expect(shown).toEqual(['40', '40', '40', '41']);
  });

  it('the portfolio record adds up the fees of the legs by currency', () => {
    const [summary] = fc.sample(timed, 1);
    const [leg] = fc.sample(legs, 1);
    if (summary === undefined || leg === undefined) throw new Error('no sample');
    const fee = (currency: string, amount: string) => ({ ...leg, fees: [{ currency, amount }] });
    const record = portfolioRecord(
      {
        ...summary,
        submittedAt: 1_000,
        updatedAt: 10_937,
        legs: [fee('BTC', '0.1'), fee('BTC', '0.2'), fee('USDC', '-3')],
      },
      ACCOUNTS,
    );
    expect(record.twapTrade).toMatchObject({
      totalMs: '9937',
      fees: [
        { fee: '0.3', defaultPvCcy: 'BTC' },
        { fee: '-3', defaultPvCcy: 'USDC' },
      ],
    });
    expect(record.legs.map((one) => one.fee)).toEqual(['0.1', '0.2', '0']);
  });
});
