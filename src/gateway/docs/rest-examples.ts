// An example request of each portfolio operation for the documents; each is accepted as written.

export interface RestExample {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string>>;
}

const PORTFOLIO = {
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: 600, frequencySec: 60 },
  legs: [
    {
      instrument: 'BTC-PERPETUAL',
      instrumentType: 'PERPETUAL',
      side: 1,
      quantity: '10000',
      priceOptions: {
        priceType: 'DYNAMIC',
        price: '60000',
        priceIn: 'USD',
        dynamicPriceStrategy: 'MID',
        dynamicMs: 1_000,
      },
    },
  ],
  customizedNote: 'example',
} as const;

const ID = '1776668676325001';

/** By the last part of the address. */
export const REST_EXAMPLES: Readonly<Record<string, RestExample>> = {
  submit: { body: PORTFOLIO },
  plan: { body: PORTFOLIO },
  info: { query: { portfolioId: ID } },
  history: { query: { portfolioId: ID, after: '0', limit: '100' } },
  course: { query: { portfolioId: ID, after: '0' } },
  report: { query: { portfolioId: ID } },
  counts: { query: { accountId: '10001' } },
  'report-summary': { query: { strategy: 'accumulate', limit: '50' } },
  page: { query: { accountId: '10001', portfolioTag: 'OPEN_ORDER', pageSize: '10' } },
  cancel: { body: { portfolioId: ID, accountId: 10001 } },
  amend: {
    body: {
      portfolioId: ID,
      durationSec: 900,
      legs: [{ leg: 0, quantity: '12000', filledSeen: '0' }],
      preview: true,
    },
  },
  pause: { body: { portfolioId: ID } },
  resume: { body: { portfolioId: ID, accountId: 10001 } },
  switch: { body: { scope: 'account', of: '10001', state: 'active', reason: 'example' } },
  actions: { query: { accountId: '10001', limit: '10' } },
  'strategy-switch': { body: { strategy: 'accumulate', state: 'off', reason: 'example' } },
  override: {
    body: {
      control: 'price_collar',
      accountId: 10001,
      instrumentName: 'BTC-PERPETUAL',
      side: 'buy',
      quantity: '1000',
      reason: 'example',
    },
  },
  'override-grant': { body: { id: 'example' } },
  'page-code': { body: { purpose: 'open', scopes: ['read'] } },
  'page-session-end': { body: { id: 'example' } },
  'cancel-all': { body: { accountId: 10001, coinOrSymbol: 'BTC' } },
};
