// Contract of the transaction log of every venue, tested through the venue port alone: it explains the balance and the position
// of an account by its own trades, settlements and deliveries.
import { afterEach, expect, it } from 'vitest';
import type { AccountTransaction } from '../../../src/values/account-report.ts';
import { minus, plus, text, ZERO_MONEY, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { Currency } from '../../../src/values/ids.ts';
import { DAY_MS, later } from '../../../src/values/instant.ts';
import { VenueAct, type VenueStage, value } from '../venue-act.ts';

export interface TransactionStage extends VenueStage {
  /** Lets time pass until the next daily settlement, which is two minutes ahead at the start, is over. */
  passSettlement(): Promise<void>;
}

class LogAct extends VenueAct {
  override readonly stage: TransactionStage;

  constructor(stage: TransactionStage) {
    super(stage);
    this.stage = stage;
  }

  get currency(): Currency {
    return this.terms.settlement;
  }

  async log(page: { readonly count?: number; readonly continuation?: number | undefined } = {}) {
    const now = this.venue.venueNow();
    const window = { from: later(now, -DAY_MS), until: later(now, DAY_MS) };
    const asked = { account: this.account, currency: this.currency, ...window };
    return value(await this.venue.transactions({ ...asked, count: 100, ...page }));
  }

  async balance() {
    return value(await this.desk.summary(this.account, this.currency)).balance;
  }

  async trade(side: 'buy' | 'sell', count: number) {
    const price = await this.through(side);
    return await this.entered({ side, price, quantity: this.size(count) });
  }
}

export function transactionConformance(open: () => Promise<TransactionStage>): void {
  const acts: LogAct[] = [];
  const begin = async (): Promise<LogAct> => {
    const act = new LogAct(await open());
    acts.push(act);
    await act.stage.pass(0);
    return act;
  };
  afterEach(async () => {
    for (const { stage } of acts.splice(0)) await stage.close();
  });

  it('an account without trades has an empty log', async () => {
    const act = await begin();
    expect(await act.log()).toEqual({ transactions: [], continuation: undefined });
  });

  it('each trade is an entry with its ids, quantity, price and fee, newest first', async () => {
    const act = await begin();
    const bought = await act.trade('buy', 30);
    await act.stage.pass(1_000);
    const sold = await act.trade('sell', 10);
    const trades = [...bought.trades, ...sold.trades];
    expect(trades.length).toBeGreaterThan(1);
    const { transactions } = await act.log();
    const shown = (
      one: Pick<
        AccountTransaction,
        'tradeId' | 'orderId' | 'instrument' | 'side' | 'liquidity' | 'at'
      >,
    ) => [one.tradeId, one.orderId, one.instrument, one.side, one.liquidity, one.at];
    expect(transactions.map(shown).toReversed()).toEqual(trades.map(shown));
    for (const [at, entry] of transactions.toReversed().entries()) {
      const { quantity, price, fee } = must(trades[at], 'a trade');
      expect(entry).toMatchObject({ type: 'trade', currency: act.currency, account: act.account });
      expect([entry.quantity, entry.price, entry.fee].map(String)).toEqual(
        [quantity, price, fee].map(String),
      );
    }
  });

  it('the changes add up to the change of the balance, and each entry ends with the balance and the position', async () => {
    const act = await begin();
    let balance = await act.balance();
    for (const [side, count] of [
      ['buy', 30],
      ['sell', 10],
      ['sell', 40],
      ['buy', 20],
    ] as const) {
      await act.trade(side, count);
      await act.stage.pass(1_000);
    }
    const { transactions } = await act.log();
    let position = ZERO_QUANTITY;
    for (const entry of transactions.toReversed()) {
      balance = plus(balance, entry.change);
      const quantity = must(entry.quantity, 'a quantity');
      position = entry.side === 'buy' ? plus(position, quantity) : minus(position, quantity);
      expect([entry.balance, entry.position].map(String)).toEqual([balance, position].map(String));
      expect(text(entry.change)).toBe(text(minus(entry.cashflow, entry.fee)));
    }
    expect(text(position)).toBe('0');
    expect(String(await act.balance())).toBe(String(balance));
  });

  it('pages of any size have the same entries', async () => {
    const act = await begin();
    for (const side of ['buy', 'sell', 'buy'] as const) await act.trade(side, 10);
    const { transactions: whole } = await act.log();
    expect(whole.length).toBeGreaterThan(2);
    for (const count of [1, 2]) {
      const paged: AccountTransaction[] = [];
      let next: number | undefined;
      do {
        const page = await act.log({ count, continuation: next });
        expect(page.transactions.length).toBeLessThanOrEqual(count);
        paged.push(...page.transactions);
        next = page.continuation;
      } while (next !== undefined);
      expect(paged.map(({ seq }) => seq)).toEqual(whole.map(({ seq }) => seq));
    }
    const numbers = whole.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => b - a));
  });

  it('the daily settlement is an entry that explains what it paid', async () => {
    const act = await begin();
    await act.trade('buy', 50);
    const before = (await act.log()).transactions.length;
    await act.stage.passSettlement();
    const { transactions } = await act.log();
    const [settled, last] = transactions;
    expect(transactions).toHaveLength(before + 1);
    expect(settled).toMatchObject({ type: 'settlement', instrument: act.stage.instrument });
    const paid = minus(settled?.balance ?? ZERO_MONEY, last?.balance ?? ZERO_MONEY);
    expect(String(settled?.change)).toBe(String(paid));
    expect(String(settled?.position)).toBe(String(act.size(50)));
    expect(String(await act.balance())).toBe(String(settled?.balance));
  });
}
