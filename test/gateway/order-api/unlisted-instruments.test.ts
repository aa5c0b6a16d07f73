// Every method that takes an instrument states whether an unusable name expired, is not listed or is malformed,
// and suggests the closest listed names.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/gateway/order-api/method-table.ts';
import { RidStage } from './rid-stage.ts';

let stage: RidStage;
beforeAll(async () => {
  stage = await RidStage.start();
});
afterAll(() => stage.close());

/** Never refused for its instrument: a cancel works without a listing. */
const CANCEL = 'private/cancel_all_by_instrument';
const TAKING_ONE = [...METHODS.values()]
  .filter(({ name }) => name !== CANCEL)
  .filter(({ example }) => typeof example['instrumentName'] === 'string')
  .map(({ name, example }) => [name, example] as const);

const LISTED = /; accepted: a listed instrument, such as [A-Z0-9_-]+(, [A-Z0-9_-]+){0,2}$/;
const NAMES = [
  ['BTC-6NOV20', '"BTC-6NOV20" expired on 2020-11-06 08:00 UTC'],
  ['BTC-PERPETUALS', '"BTC-PERPETUALS" is not an instrument name'],
  ['BTX-PERPETUAL', '"BTX-PERPETUAL" is not listed'],
] as const;

it('a cancel by instrument is accepted for an unlisted name', async () => {
  expect(await stage.post(CANCEL, { instrumentName: 'BTX-PERPETUAL' })).toMatchObject({
    result: 0,
  });
});

describe('a method that takes an instrument', () => {
  it('at least ten methods take an instrument', () => {
    expect(TAKING_ONE.length).toBeGreaterThanOrEqual(10);
  });

  it.each(TAKING_ONE)(
    '%s distinguishes expired, unlisted and malformed names',
    async (method, example) => {
      for (const [instrumentName, what] of NAMES) {
        const { error } = await stage.post(method, { ...example, instrumentName });
        expect(error).toMatchObject({
          code: -32602,
          data: { param: 'instrumentName', reason: expect.stringMatching(LISTED) },
        });
        expect(error?.data?.reason).toContain(what);
        expect(error?.data?.reason).toContain('BTC-');
      }
    },
  );
});
