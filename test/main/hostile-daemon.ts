// A daemon whose replies contain terminal control sequences in every free text (labels, notes, names,
// reasons, messages).
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import { hostileReport, hostileSummary } from './hostile-report.ts';
import { leg, record, START_MS } from './portfolio-records.ts';

/**
 * One of each kind: cursor, colour and title sequences, line ends, C1, bidirectional, invisible, a lone
 * surrogate.
 */
export const HOSTILE =
  'EVIL\u001b[2J\u001b[35m\u001b]0;title\u0007\r\nFORGED\tline\u007f\u009b31m\u0085' +
  '\u202e\u202a\u2066\u2069\u200e\u200f\u200b\u200d\ufeff\u2028\u2029\u00ad\ufe0f\ud800END';

const FACTS = {
  nickname: HOSTILE,
  accountName: HOSTILE,
  exchange: HOSTILE,
  strategy: HOSTILE,
  customizedNote: HOSTILE,
  reason: HOSTILE,
  paused: { timestamp: String(START_MS), byUid: HOSTILE },
};
const LEGS = [leg({ instrument: HOSTILE, waiting: HOSTILE, quantityIn: HOSTILE })];
const OVER = record({ ...FACTS, portfolioStatus: 3, legs: LEGS } as never);
const OPEN = record({ ...FACTS, legs: LEGS } as never);

const PLAN = {
  startTimestamp: String(START_MS),
  endTimestamp: String(START_MS + 60_000),
  amendments: 0,
  endTimestampBefore: String(START_MS),
  durationSec: '60',
  limits: {},
  limitsBefore: {},
  execution: {},
  legs: [
    { ...LEGS[0], quantity: '1', quantityBefore: '1', slices: 1, hedge: false, note: HOSTILE },
  ],
  slices: [
    { leg: 0, slice: 0, dueTimestamp: String(START_MS), quantity: '1', cumulativeQuantity: '1' },
  ],
};

const STRUCTURE = [{ instrumentName: HOSTILE, side: 'buy', ratio: '1', quantity: '1' }];
const RFQ = {
  blockRfqId: '7',
  role: 'taker',
  status: 'open',
  quantity: '25',
  legs: STRUCTURE,
  label: HOSTILE,
  bids: [{ price: '1', makers: [HOSTILE] }],
  asks: [{ price: '2', makers: [HOSTILE] }],
  makers: [HOSTILE],
  createdAt: START_MS,
  expiresAt: START_MS + 300_000,
  closedReason: null,
};
const QUOTE = {
  quoteId: '8',
  blockRfqId: '7',
  side: 'buy',
  price: '1',
  filledQuantity: '0',
  quantity: '25',
  executionInstruction: 'any_part_of',
  status: 'cancelled',
  statusReason: HOSTILE,
  label: HOSTILE,
};
/** The messages sent to a watcher of Block RFQs, by channel. */
const NEWS: readonly (readonly [string, unknown])[] = [
  ['block_rfq.taker.any', { ...RFQ, lastUpdatedAt: START_MS }],
  [
    'block_rfq.taker.any',
    { ...RFQ, lastUpdatedAt: START_MS, status: 'cancelled', closedReason: HOSTILE },
  ],
  [
    'block_rfq.maker.any',
    { ...RFQ, blockRfqId: '9', lastUpdatedAt: START_MS, role: 'maker', taker: HOSTILE },
  ],
  ['block_rfq.quotes.any', [{ ...QUOTE, lastUpdatedAt: START_MS }]],
];
/** A reason for closing has at most 123 bytes of UTF-8. */
const CLOSED = HOSTILE.replace('\ud800', '');

const TRADE = {
  timestamp: START_MS,
  blockTradeId: '9',
  blockRfqId: '7',
  side: 'buy',
  quantity: '25',
  price: '1',
  maker: HOSTILE,
  comboId: HOSTILE,
  trades: [
    {
      side: 'buy',
      quantity: '25',
      instrumentName: HOSTILE,
      price: '1',
      fee: '0',
      feeCurrency: HOSTILE,
    },
  ],
};
const SWITCH = {
  scope: 'strategy',
  of: HOSTILE,
  state: 'halted',
  uid: '1',
  nickname: HOSTILE,
  reason: HOSTILE,
  timestamp: String(START_MS),
};
const OVERRIDE = {
  id: HOSTILE,
  control: 'collar',
  accountId: '1',
  instrumentName: HOSTILE,
  side: 'buy',
  quantity: '1',
  reason: HOSTILE,
  askedBy: HOSTILE,
  grantedBy: HOSTILE,
  expiresAt: String(START_MS),
  isUsed: false,
};
const LISTED = {
  instrumentName: HOSTILE,
  kind: HOSTILE,
  expiration: START_MS,
  tickSize: '1',
};

const POSITION = {
  instrumentName: HOSTILE,
  kind: HOSTILE,
  side: 'buy',
  size: HOSTILE,
  averagePrice: HOSTILE,
  floatingProfitLoss: HOSTILE,
  realizedProfitLoss: HOSTILE,
  totalProfitLoss: HOSTILE,
  delta: HOSTILE,
  initialMargin: HOSTILE,
  maintenanceMargin: HOSTILE,
  openOrdersMargin: HOSTILE,
};
const SUMMARY = {
  accountId: HOSTILE,
  currency: HOSTILE,
  balance: HOSTILE,
  equity: HOSTILE,
  availableFunds: HOSTILE,
  marginBalance: HOSTILE,
  initialMargin: HOSTILE,
  maintenanceMargin: HOSTILE,
  sessionRpl: HOSTILE,
  sessionUpl: HOSTILE,
  deltaTotal: HOSTILE,
  optionsValue: HOSTILE,
  optionsGamma: HOSTILE,
  optionsVega: HOSTILE,
  optionsTheta: HOSTILE,
  spotReserve: HOSTILE,
};
const LIMIT = {
  accountId: HOSTILE,
  control: HOSTILE,
  instrumentName: HOSTILE,
  unit: HOSTILE,
  limit: HOSTILE,
  used: HOSTILE,
};
const ORDER = {
  orderId: HOSTILE,
  instrumentName: HOSTILE,
  side: HOSTILE,
  orderType: HOSTILE,
  orderState: HOSTILE,
  price: HOSTILE,
  quantity: HOSTILE,
  filledQuantity: HOSTILE,
  averagePrice: HOSTILE,
  timeInForce: HOSTILE,
  label: HOSTILE,
  cancelReason: HOSTILE,
  createdAt: START_MS,
  lastUpdatedAt: START_MS,
};
const FILL = {
  tradeId: HOSTILE,
  timestamp: START_MS,
  orderId: HOSTILE,
  instrumentName: HOSTILE,
  side: HOSTILE,
  price: HOSTILE,
  quantity: HOSTILE,
  liquidity: HOSTILE,
  fee: HOSTILE,
  feeCurrency: HOSTILE,
  label: HOSTILE,
  profitLoss: HOSTILE,
  iv: HOSTILE,
};
const TICKER = {
  instrumentName: HOSTILE,
  timestamp: START_MS,
  state: HOSTILE,
  bestBidPrice: HOSTILE,
  bestBidAmount: HOSTILE,
  bestAskPrice: HOSTILE,
  bestAskAmount: HOSTILE,
  lastPrice: HOSTILE,
  markPrice: HOSTILE,
  markIv: HOSTILE,
  underlyingPrice: HOSTILE,
  underlyingIndex: HOSTILE,
  funding8h: HOSTILE,
  openInterest: HOSTILE,
  stats: { volume: HOSTILE, high: HOSTILE, low: HOSTILE, priceChange: HOSTILE },
  greeks: { delta: HOSTILE, gamma: HOSTILE, vega: HOSTILE, theta: HOSTILE, rho: HOSTILE },
};
const OPTION = {
  instrumentName: `BTC-${HOSTILE}`,
  kind: HOSTILE,
  baseCurrency: HOSTILE,
  quoteCurrency: HOSTILE,
  settlementCurrency: HOSTILE,
  marginKind: HOSTILE,
  optionKind: 'CALL',
  strike: HOSTILE,
  expiration: START_MS,
  contractSize: HOSTILE,
  quantityUnit: HOSTILE,
  minTradeAmount: HOSTILE,
  qtyTickSize: HOSTILE,
  tickSize: HOSTILE,
  priceIndex: HOSTILE,
  makerCommission: HOSTILE,
  takerCommission: HOSTILE,
};

/** Keyed by the last part of the path, or by the last two where it is not enough. */
const SESSION = {
  id: HOSTILE,
  keyId: HOSTILE,
  scopes: ['read'],
  address: HOSTILE,
  agent: HOSTILE,
  openedAt: String(START_MS),
  usedAt: String(START_MS),
  endsAt: String(START_MS),
};
/** Two entries that do not add up. */
const ENTRIES = ['1', '5'].map((balance, seq) => ({
  seq,
  type: HOSTILE,
  timestamp: Date.now() - 60_000 + seq,
  currency: HOSTILE,
  instrumentName: HOSTILE,
  tradeId: HOSTILE,
  orderId: HOSTILE,
  fee: '1',
  cashflow: '2',
  change: '1',
  balance,
  position: balance,
}));

const ANSWERS: Readonly<Record<string, unknown>> = {
  'page-sessions': [SESSION],
  get_transaction_log: { transactions: ENTRIES },
  submit: { portfolioId: HOSTILE, mirrorPortfolioIds: [HOSTILE] },
  plan: PLAN,
  amend: PLAN,
  info: OVER,
  report: hostileReport(HOSTILE),
  'report-summary': hostileSummary(HOSTILE),
  page: { pageCount: 1, totalCount: 2, values: [OPEN, OVER] },
  cancel: null,
  'cancel-all': null,
  pause: null,
  resume: null,
  switches: [SWITCH],
  switch: SWITCH,
  overrides: [OVERRIDE],
  override: OVERRIDE,
  'override-grant': OVERRIDE,
  create_rfq: RFQ,
  get_rfqs: { blockRfqs: [RFQ] },
  get_quotes: { results: [QUOTE] },
  create_quote: QUOTE,
  cancel_quote: QUOTE,
  cancel_rfq: RFQ,
  cancel_trigger: RFQ,
  cancel_all_quotes: 3,
  get_trades: { trades: [TRADE] },
  trade: { blockTrades: [TRADE], tradeTrigger: null },
  get_makers: { results: [HOSTILE] },
  get_instruments: { results: [LISTED] },
  'public/get_instruments': [OPTION],
  get_positions: [POSITION],
  get_account_summary: SUMMARY,
  limits: [LIMIT],
  get_open_orders: [ORDER],
  get_user_trades_by_currency: { trades: [FILL], hasMore: false },
  get_order_book: { ...TICKER, bids: [[HOSTILE, HOSTILE]], asks: [[HOSTILE, HOSTILE]] },
  ticker: TICKER,
};

export interface HostileDaemon {
  readonly url: string;
  /** Refuses every request from now on, with an equally hostile reason. */
  refuse: (isRefusing: boolean) => void;
  /** Paths without a reply of their own. */
  readonly unknown: readonly string[];
  close: () => Promise<void>;
}

export const startHostileDaemon = (): Promise<HostileDaemon> => startAnsweringDaemon(ANSWERS);

/** `answers` are keyed as those above; other texts are hostile all the same. */
export async function startAnsweringDaemon(
  answers: Readonly<Record<string, unknown>>,
): Promise<HostileDaemon> {
  let isRefusing = false;
  const unknown: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    response.setHeader('content-type', 'application/json');
    void textOf(request).then((asked) => {
      response.end(isRefusing ? refusal(path) : answer(path, { answers, unknown, asked }));
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    // Only the socket of the methods exists; clients of other sockets fall back to polling.
    if (request.url !== '/ws/api') return void socket.destroy();
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.once('message', () => {
        for (const frame of isRefusing ? [REFUSED] : frames()) client.send(JSON.stringify(frame));
        if (!isRefusing) client.close(1000, CLOSED);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    refuse: (now) => {
      isRefusing = now;
    },
    unknown,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const REFUSED = { jsonrpc: '2.0', rid: 'subscribe', error: { code: 13_020, message: CLOSED } };

function frames(): readonly object[] {
  const result = [...new Set(NEWS.map(([channel]) => channel))];
  return [
    { jsonrpc: '2.0', rid: 'subscribe', result },
    ...NEWS.map(([channel, data]) => ({
      jsonrpc: '2.0',
      method: 'subscription',
      params: { channel, data },
    })),
  ];
}

interface Answering {
  readonly answers: typeof ANSWERS;
  readonly unknown: string[];
  /** The body of the request. */
  readonly asked: string;
}

/** An answer that is a function is of what is asked. */
function answer(path: string, { answers, unknown, asked }: Answering): string {
  if (path === '/readyz') return JSON.stringify({ ready: false, reasons: [HOSTILE] });
  if (path === '/metrics') return METRICS;
  const whole = path.split('/').slice(-2).join('/');
  const name = Object.hasOwn(answers, whole) ? whole : (path.split('/').at(-1) ?? '');
  // A client that finds no socket falls back to polling.
  if (!Object.hasOwn(answers, name) && !path.startsWith('/ws/')) unknown.push(path);
  const known = answers[name];
  const value = typeof known === 'function' ? known(asked) : known;
  if (path.startsWith('/api/')) return JSON.stringify({ jsonrpc: '2.0', rid: 1, result: value });
  return JSON.stringify({ succ: true, code: 200, message: 'ok', value, errors: [] });
}

/** Labels of metrics contain names too. */
const METRICS = `twapd_trading_switches{scope="deployment",state="${HOSTILE.replaceAll(/[\r\n]/g, '')}"} 1\n`;

function refusal(path: string): string {
  if (path === '/readyz') return JSON.stringify({ ready: false, reasons: [HOSTILE] });
  if (path.startsWith('/api/')) {
    const data = { param: HOSTILE, reason: HOSTILE };
    return JSON.stringify({
      jsonrpc: '2.0',
      rid: 1,
      error: { code: 13_020, message: HOSTILE, data },
    });
  }
  const errors = [{ field: HOSTILE, code: 40_004, message: HOSTILE }];
  return JSON.stringify({ succ: false, code: 40_004, message: HOSTILE, value: null, errors });
}
