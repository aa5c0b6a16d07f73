// The history of a portfolio over REST.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GatewayUnderTest, READER, TAKER } from '../gateway-under-test.ts';
import { type SubmittedPortfolio, submitPortfolio } from './submitted-portfolio.ts';

let gateway: GatewayUnderTest;
let portfolio: string;
let client: SubmittedPortfolio['client'];

beforeEach(async () => {
  ({ gateway, portfolio, client } = await submitPortfolio());
});
afterEach(() => gateway.close());

test('a reader of the account reads the history from any version on, without asking the engine for the record', async () => {
  const whole = await client(READER).history(portfolio);
  expect(whole).toMatchObject({
    kind: 'done',
    value: {
      events: [
        {
          messageType: 'PORTFOLIO_SUBMITTED',
          version: 1,
          timestamp: expect.stringMatching(/^\d+$/),
        },
      ],
      version: 1,
      isComplete: true,
    },
  });
  expect(await client(READER).history(portfolio, { after: 1, limit: 5 })).toEqual({
    kind: 'done',
    value: { events: [], version: 1, isComplete: true },
  });
  expect([...gateway.crossed].filter((call) => call.startsWith('portfolios.info'))).toEqual([]);
});

test('the history is refused beyond a thousand events, and from a version below zero', async () => {
  expect(await client(TAKER).history(portfolio, { limit: 1_001 })).toMatchObject({
    kind: 'refused',
    code: 40001,
    errors: [{ field: 'limit' }],
  });
  expect(await client(TAKER).history(portfolio, { after: -1 })).toMatchObject({
    kind: 'refused',
    errors: [{ field: 'after' }],
  });
});

test('a gateway without a ledger says that it has no history', async () => {
  const bare = await GatewayUnderTest.start({}, { historyOf: undefined });
  const { json } = await bare.request(
    `/tt/broker/openapi/portfolios/history?portfolioId=${portfolio}`,
  );
  expect(json).toMatchObject({ code: 40401, message: expect.stringContaining('no history') });
  await bare.close();
});
