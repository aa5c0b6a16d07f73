import { describe, expect, it } from 'vitest';
import { DEFAULT_SUBMIT_LIMITS } from '../../src/core/portfolio/admission/submit-limits.ts';
import { DEFAULT_SETTINGS } from '../../src/core/terms/settings.ts';
import { seededMarket } from '../../src/exchange/market/market.ts';
import { price, quantity } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { accountId, deploymentId } from '../../src/values/ids.ts';
import { HOUR_MS, later, MINUTE_MS, utcInstant } from '../../src/values/instant.ts';
import { World } from '../../src/virtual/world.ts';
import { BY, form, legForm } from '../support/engine/engine-world.ts';
import { settle } from './settle.ts';

const EIGHT = utcInstant({ year: 2026, month: 11, day: 20, hour: 8 });
const DYNAMIC = {
  priceType: 'dynamic',
  price: price('90000'),
  priceIn: 'USD',
  dynamicPriceStrategy: 'bid',
  dynamicPriceOffset: price('0'),
  dynamicMs: 1_000,
} as const;

/** Slices every two seconds from a minute before the settlement until two minutes after. */
async function overSettlement(seed: string) {
  const startAt = later(EIGHT, -MINUTE_MS);
  const world = new World({
    startAt,
    market: seededMarket({ seed, startAt }),
    accounts: [{ account: accountId('10001') }],
    settings: { ...DEFAULT_SETTINGS, deployment: deploymentId('test') },
    limits: {
      ...DEFAULT_SUBMIT_LIMITS,
      durationSecMin: 1,
      frequencySecMin: 1,
      dummyAccounts: new Set(),
    },
    latencyMs: 20,
    settle,
  });
  await world.start();
  const outcome = await world.operations.submit(
    form({
      twapTrade: { durationSec: 180, frequencySec: 2 },
      legs: [
        legForm({ quantity: quantity('90000') }),
        legForm({ quantity: quantity('27000'), priceOptions: DYNAMIC }),
        legForm({ instrument: 'BTC_USDC-PERPETUAL', side: 'sell', quantity: quantity('0.9') }),
      ],
    }),
    BY,
  );
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  await world.run(later(EIGHT, HOUR_MS));
  const info = must(await world.operations.info(outcome.value.portfolio), 'the portfolio');
  const events = (await world.ledger.load(outcome.value.portfolio))?.events ?? [];
  await world.close();
  return { info, events };
}

describe('a portfolio that is active at the 08:00 settlement', () => {
  it.each(['one', 'two'])(
    'a portfolio that is active at the 08:00 settlement is filled to the last contract, whatever the pause refused (%s)',
    async (seed) => {
      const { info, events } = await overSettlement(seed);
      expect(info).toMatchObject({ status: 'filled', reason: 'filled' });
      expect(info.legs.map(({ filled, remaining }) => [filled, remaining])).toEqual([
        ['90000', '0'],
        ['27000', '0'],
        ['0.9', '0'],
      ]);
      const refusals = JSON.stringify(events).match(/"code":10041/g) ?? [];
      expect(refusals.length).toBeGreaterThan(0);
    },
  );
});
