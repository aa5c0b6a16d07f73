// The profit of the session on Deribit's wire, by what made it: options, closed ones included, or futures.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { btcCall, btcPerpetual } from '../../../exchange/instruments.ts';
import { DeribitScene } from '../deribit-scene.ts';

let scene: DeribitScene;
beforeEach(() => {
  scene = new DeribitScene();
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

test('the realised profit of a closed option is that of options, that of a closed perpetual that of futures', async () => {
  for (const [of, amount, bought, sold] of [
    [btcCall, '1', '0.1', '0.12'],
    [btcPerpetual, '99000', '99000', '100000'],
  ] as const) {
    await scene.rid.other('sell', amount, bought, of);
    await scene.get('private/buy', { instrument_name: of.name, amount, price: bought });
    await scene.rid.other('buy', amount, sold, of);
    await scene.get('private/sell', { instrument_name: of.name, amount, price: sold });
  }
  expect(await scene.get('private/get_account_summary', { currency: 'BTC' })).toMatchObject({
    session_rpl: '0.03',
    options_session_rpl: '0.02',
    futures_session_rpl: '0.01',
  });
});
