// Market-maker protection counts the trade of a combo once, with the exposure of all its legs.
import { afterEach, expect, test } from 'vitest';
import { price, quantity, shifted } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { value } from '../../conformance/venue-act.ts';
import { MAKER, MmpStage } from '../../support/engine/mmp-stage.ts';

let stage: MmpStage;
afterEach(() => stage.close([]));

test('a flagged order of a combo counts with all its legs, once, also after an interruption', async () => {
  stage = new MmpStage();
  const process = await stage.started();
  await stage.configure(process);
  const { venue } = stage;
  const futures = venue
    .instruments()
    .filter(({ kind, base }) => kind === 'future' && base === 'BTC');
  const trades = [
    { instrument: must(futures.at(-1), 'a future').name, side: 'buy' },
    { instrument: instrumentName('BTC-PERPETUAL'), side: 'sell' },
  ] as const;
  const { instrument } = value(await venue.combos.create({ account: MAKER, trades }));
  venue.watch(instrument.name);
  await stage.pass(1_000);
  const ask = must(venue.quote(instrument.name)?.ask, 'an ask');
  const placed = await process.desk.place({
    account: MAKER,
    instrument: instrument.name,
    side: 'buy',
    type: 'limit',
    mmp: true,
    quantity: quantity('20000'),
    price: shifted(ask.price, price('100')),
    label: '',
    timeInForce: 'immediate_or_cancel',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
  });
  expect(value(placed).order.filledQuantity).toEqual(quantity('20000'));
  await stage.pass(100);
  const used = (): number => must([...process.guard.windows()][0]?.used.quantity, 'a window');
  const counted = used();
  // The limit is 2 coins; both legs of 20 000 USD are 0.45 coins of it.
  expect(counted).toBeGreaterThan(0.15);
  expect(counted).toBeLessThan(0.3);
  await venue.detach(MAKER);
  await venue.attach(MAKER);
  await stage.pass(100);
  expect(used()).toBe(counted);
});
