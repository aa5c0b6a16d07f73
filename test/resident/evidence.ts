// The data that the resident reads at the end, each through a client interface: the exchange's trades, every
// portfolio's record by info and by page, and the events that the command line exports.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiKey, methodRequest, portfolioRequest } from './signed-requests.ts';

export interface ExchangeTrade {
  readonly instrumentName: string;
  readonly tradeId: string;
  readonly orderId: string;
  readonly label: string | undefined;
  readonly side: string;
  readonly quantity: string;
  readonly price: string;
  readonly fee: string;
  readonly feeCurrency: string;
  readonly timestamp: number;
}

export interface LegRecord {
  readonly instrument: string;
  readonly side: number;
  readonly placeQuantity: string;
  readonly filledQuantity: string;
  readonly remainingQuantity: string;
  readonly outstandingQuantity: string;
  readonly filledAvgPrice: string;
  readonly fees: readonly { readonly fee: string; readonly currency: string }[];
}

export interface PortfolioRecord {
  readonly portfolioId: string;
  readonly accountId: string;
  readonly portfolioStatus: number;
  readonly reason?: string;
  readonly scale?: string;
  readonly mirrorOf?: string;
  readonly customizedNote: string;
  readonly legs: readonly LegRecord[];
}

/** An event of the ledger, as `twapd export` writes it. */
export interface ExportedEvent {
  readonly portfolio: string;
  readonly version: number;
  readonly event: Readonly<Record<string, unknown>> & { readonly kind: string };
}

const PAGE = 100;
const TRADES = 1_000;
const ASK_AGAIN_MS = 200;
const AGAIN_MAX = 300;

/** Requests until there is a reply: reads may be repeated any number of times. */
// biome-ignore lint/suspicious/noExplicitAny: untyped replies
export async function insist(request: () => Promise<{ status: number; body: any }>): Promise<any> {
  for (let again = 0; ; again += 1) {
    const { status, body } = await request().catch((error: Error) => ({
      status: 0,
      body: { message: error.message },
    }));
    if (status === 200) return body;
    if (again === AGAIN_MAX) throw new Error(`no answer: ${status} ${JSON.stringify(body)}`);
    await sleep(ASK_AGAIN_MS);
  }
}

/** Every trade of an account, oldest first. */
export async function tradesOf(
  url: string,
  key: ApiKey,
  account: string,
): Promise<ExchangeTrade[]> {
  const trades = new Map<string, ExchangeTrade>();
  const asked = { accountId: account, currency: 'any', sorting: 'asc', count: TRADES };
  for (let from = 0; ; ) {
    const method = 'private/get_user_trades_by_currency';
    const { result } = await insist(() =>
      methodRequest(url, key, method, { ...asked, startTimestamp: from }),
    );
    for (const trade of result.trades) {
      trades.set(`${trade.instrumentName} ${trade.tradeId}`, trade);
    }
    if (!result.hasMore) return [...trades.values()];
    const next = result.trades.at(-1).timestamp;
    if (next === from) throw new Error(`${TRADES} trades in one millisecond`);
    from = next;
  }
}

/** The ids of the orders open on the exchange. */
export async function openOrdersOf(url: string, key: ApiKey, account: string): Promise<string[]> {
  const asked = { accountId: account };
  const { result } = await insist(() => methodRequest(url, key, 'private/get_open_orders', asked));
  const orders = Array.isArray(result) ? result : result.orders;
  return orders.map(({ orderId }: { orderId: string }) => orderId);
}

export async function infoOf(url: string, key: ApiKey, id: string): Promise<PortfolioRecord> {
  const { succ, value, message } = await insist(() =>
    portfolioRequest(url, key, `info?portfolioId=${id}`),
  );
  if (!succ) throw new Error(`info of ${id}: ${message}`);
  return value;
}

/** Every portfolio of an account, page by page. */
export async function pagesOf(
  url: string,
  key: ApiKey,
  account: string,
): Promise<PortfolioRecord[]> {
  const records: PortfolioRecord[] = [];
  for (let page = 1; ; page += 1) {
    const query = `accountId=${account}&pageSize=${PAGE}&currentPage=${page}`;
    const { succ, value, message } = await insist(() =>
      portfolioRequest(url, key, `page?${query}`),
    );
    if (!succ) throw new Error(`page ${page} of ${account}: ${message}`);
    records.push(...value.values);
    if (page >= value.pageCount) return records;
  }
}

export const exportedEvents = (path: string): ExportedEvent[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
