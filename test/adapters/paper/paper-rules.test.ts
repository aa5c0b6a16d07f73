import { describe, expect, it } from 'vitest';
import { quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { ACCOUNT, anOrder, BTC, OTHER, paperStage, type StageOptions } from './paper-stage.ts';

/** Joins the asks with an order of the account, then takes them with another order of the same account. */
async function meetsItself(options: StageOptions) {
  const { venue } = paperStage(options);
  venue.watch(BTC);
  const { price } = must(venue.quote(BTC)?.ask, 'there is an ask');
  const terms = { price, account: ACCOUNT };
  const own = await venue.place(anOrder(venue, { ...terms, side: 'sell', postOnly: true }));
  const sweep = anOrder(venue, { ...terms, side: 'buy', quantity: quantity('3000000') });
  return { own, answer: await venue.place(sweep) };
}

describe('the rules of a paper venue', () => {
  it('the default rules are those of the venue', async () => {
    const { own, answer } = await meetsItself({});
    expect(own).toMatchObject({ kind: 'done', value: { order: { state: 'open' } } });
    expect(answer).toMatchObject({ kind: 'refused', code: 10003, class: 'final' });
  });

  it('configured rules reach the exchange, for all accounts or for one', async () => {
    const everywhere = await meetsItself({ rules: { selfTrade: 'cancel_maker' } });
    expect(everywhere.answer).toMatchObject({ kind: 'done' });
    const accounts = [{ account: ACCOUNT, selfTrade: 'cancel_maker' as const }, { account: OTHER }];
    expect((await meetsItself({ accounts })).answer).toMatchObject({ kind: 'done' });
    const others = [{ account: ACCOUNT }, { account: OTHER, selfTrade: 'cancel_maker' as const }];
    expect((await meetsItself({ accounts: others })).answer).toMatchObject({ code: 10003 });
  });
});
