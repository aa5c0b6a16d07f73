// Two engines that each own a share of the accounts, what is submitted to them, and what must hold whatever happens.
import { expect } from 'vitest';
import { shardOf } from '../../../src/core/ownership/shards.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { NewOrder } from '../../../src/ports/trading-desk.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import type { AccountId, PortfolioId } from '../../../src/values/ids.ts';
import {
  type EngineDaemon,
  EngineDeployment,
  OF_A,
  OF_B,
} from '../../support/engine/engine-deployment.ts';
import { BY, form, legForm } from '../../support/engine/engine-world.ts';
import { perpetual } from '../../support/engine/markets.ts';
import { nonEmpty } from '../../support/non-empty.ts';

export const PERP = perpetual();
export const SECOND = 1_000;
/** 20 slices, one a second. */
export const twentySlices = (accountId: AccountId): PortfolioForm =>
  form({ accountId, twapTrade: { durationSec: 20, frequencySec: 1 }, legs: [legForm()] });
/** Rests below the market until it is cancelled. */
export const resting = (accountId: AccountId): PortfolioForm =>
  form({
    accountId,
    twapTrade: { durationSec: 600, frequencySec: 300 },
    legs: [
      legForm({ priceOptions: { priceType: 'limit', price: price('90000'), priceIn: 'USD' } }),
    ],
  });

export async function submitted(at: Pick<EngineDaemon, 'operations'>, asked: PortfolioForm) {
  const outcome = await at.operations.submit(asked, BY);
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  return outcome.value;
}

export async function pair(options?: ConstructorParameters<typeof EngineDeployment>[0]) {
  const d = new EngineDeployment(options);
  const a = await d.started('a');
  const b = await d.started('b');
  expect([OF_A, OF_B].map((account) => a.ownership.owns(shardOf(account)))).toEqual([true, false]);
  expect([OF_A, OF_B].map((account) => b.ownership.owns(shardOf(account)))).toEqual([false, true]);
  return { d, a, b };
}

/** Nothing was sent twice, no order was taken for a foreign one, and no failure was reported elsewhere than at `at`. */
export function expectCalm(
  d: EngineDeployment,
  daemons: readonly EngineDaemon[],
  at?: string,
): void {
  const labels = d.venue.kept.map(({ order }) => order.label);
  expect(new Set(labels).size).toBe(labels.length);
  for (const { world, name } of nonEmpty(daemons)) {
    expect(
      world.observer.failures.filter(({ where }) => where !== at),
      name,
    ).toEqual([]);
    expect(world.observer.foreign, name).toEqual([]);
  }
  expect(d.faults).toEqual([]);
}

export const statusOf = async (at: EngineDaemon, id: PortfolioId): Promise<string | undefined> =>
  (await at.operations.info(id))?.status;

export const manual = (account: AccountId): NewOrder => ({
  account,
  instrument: PERP.name,
  side: 'buy',
  type: 'limit',
  label: 'by me',
  quantity: quantity('10'),
  price: price('100000'),
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  mmp: false,
});
