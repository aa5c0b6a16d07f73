// The replies to a portfolio, an order or a Block RFQ with an instrument that cannot be traded: whether it expired,
// is not listed or is not a valid name, and the nearest listed ones.
import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts';
import { must } from '../../../src/values/assert.ts';
import { deploymentId, instrumentName } from '../../../src/values/ids.ts';
import { BTC, paperStage } from '../../adapters/paper/paper-stage.ts';
import { MAKERS, RFQ_ACCOUNTS, TAKER } from '../../adapters/paper/rfq-accounts.ts';
import { RfqAct } from '../../conformance/rfq-act.ts';
import { VenueAct } from '../../conformance/venue-act.ts';
import { BY, form, legForm, world } from '../../support/engine/engine-world.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const NAMES = [
  ['BTC-6NOV20', '"BTC-6NOV20" expired on 2020-11-06 08:00 UTC', 'ends_after_expiry'],
  ['btc-perpetual', '"btc-perpetual" is not an instrument name', 'invalid_parameter'],
  ['ETH-PERPETUAL', '"ETH-PERPETUAL" is not listed', 'invalid_parameter'],
] as const;

describe.each(NAMES)('a leg of %s', (instrument, what, kind) => {
  test('a submit or plan is refused with the fault and the nearest listed instruments', async () => {
    const { operations } = world();
    const asked = form({ legs: [legForm({ instrument })] });
    for (const outcome of [await operations.submit(asked, BY), await operations.plan(asked, BY)]) {
      expect(outcome).toMatchObject({
        kind: 'refused',
        rejections: [
          {
            kind,
            field: 'legs[0].instrument',
            message: `${what}; accepted: a listed instrument, such as BTC-PERPETUAL`,
          },
        ],
      });
    }
  });
});

function desks() {
  const { clock, venue, pass } = paperStage({ accounts: RFQ_ACCOUNTS });
  const desk = openOrderDesk({
    venues: { forAccount: () => venue, all: () => [venue] },
    settings: { ...DEFAULT_SETTINGS, deployment: deploymentId('test') },
    clock,
    observer: witness(),
    limits: () => ({ dummyAccounts: new Set() }),
  });
  const shared = {
    rfqs: must(desk.rfqsFor(TAKER), 'Block RFQs'),
    desk: must(desk.forAccount(TAKER), 'a desk'),
    venue,
    pass,
    taker: TAKER,
    makers: MAKERS,
    perpetual: BTC,
    close: () => venue.close(),
  };
  const orders = new VenueAct({
    venue,
    desk: shared.desk,
    account: TAKER,
    instrument: BTC,
    pass,
    now: () => clock.now(),
    close: shared.close,
  });
  return { rfq: new RfqAct(shared), orders, desk: shared.desk };
}

/** None of these is listed on the paper exchange. */
const ABSENT = [
  ['BTC-6NOV20', '"BTC-6NOV20" expired on 2020-11-06 08:00 UTC'],
  ['btc-perpetual', '"btc-perpetual" is not an instrument name'],
  ['BTX-PERPETUAL', '"BTX-PERPETUAL" is not listed'],
] as const;

describe.each(ABSENT)('on the paper exchange %s', (name, what) => {
  const instrument = instrumentName(name);
  const reason = expect.stringMatching(/; accepted: a listed instrument, such as BTC/);

  test('an order is refused with the fault and the nearest listed instruments', async () => {
    const { orders, desk } = desks();
    const reply = await desk.place({ ...(await orders.order()), instrument });
    expect(reply).toMatchObject({
      kind: 'refused',
      code: -32602,
      details: { param: 'instrumentName', reason },
    });
    expect(JSON.stringify(reply)).toContain(JSON.stringify(what).slice(1, -1));
  });

  test.each(['legs', 'hedge'])(
    'an unlisted instrument among the %s of a Block RFQ is refused before it is sent',
    async (param) => {
      const { rfq } = desks();
      const asked = rfq.newRfq();
      const [leg] = asked.legs;
      const named = { ...must(leg, 'a leg'), instrument };
      const hedge = { ...named, price: await rfq.mark(BTC) };
      const reply = await rfq.rfqs.create(
        param === 'legs' ? { ...asked, legs: [named] } : { ...asked, hedge },
      );
      expect(reply).toMatchObject({
        kind: 'refused',
        code: 10020,
        details: { param, reason },
      });
      expect(JSON.stringify(reply)).toContain(JSON.stringify(what).slice(1, -1));
    },
  );
});
