// Block RFQs of every account of the key, as taker and as maker, and own quotes: whole records as their channels publish them.
import { computed, signal } from '@preact/signals';
import type { MethodResults } from '../../../gateway/client/client.ts';
import { followChannel } from '../../link/channel-socket.ts';
import { callMethod } from '../../link/page-session.ts';
import { FollowedList } from '../followed-list.ts';
import { tradingAccounts } from '../trading-accounts.ts';
import { painted } from './painted.ts';

type OfAccount<T> = T & { readonly account: string };
export type Rfq = OfAccount<MethodResults['block/rfqs/create_rfq']>;
export type Quote = OfAccount<MethodResults['block/rfqs/get_quotes']['results'][number]>;
export type RfqLevel = NonNullable<Rfq['asks']>[number];

const OPEN: ReadonlySet<string> = new Set(['created', 'open']);
const ENDED_MAX = 20;

const rfqs = new Map<string, Rfq>();
const quotes = new Map<string, Quote>();
const latestRfqs = painted(() => newestFirst(rfqs));
const latestQuotes = painted(() => newestFirst(quotes));

const rfqsRead = new FollowedList();

/** Whatever has been heard of, the newest first. */
export const knownRfqs = latestRfqs.shown;
export const ownQuotes = latestQuotes.shown;

/** The newest first. */
export const rfqsShown = computed(() => rfqsRead.shown(latestRfqs.shown.value));
/** They are published with the begin of their channel, and read with the Block RFQs. */
export const quotesShown = computed(() => rfqsRead.shown(latestQuotes.shown.value));
/** Aliases of makers that can be addressed. */
export const makers = signal<readonly string[]>([]);

export function isOpen({ status }: { readonly status: string }): boolean {
  return OPEN.has(status);
}

interface Dated {
  readonly createdAt: number;
  readonly lastUpdatedAt: number;
  readonly status: string;
}

/** Every open one, and the latest of those that ended. */
function newestFirst<T extends Dated>(known: ReadonlyMap<string, T>): readonly T[] {
  const sorted = [...known.values()].sort((a, b) => b.createdAt - a.createdAt);
  return [...sorted.filter(isOpen), ...sorted.filter((one) => !isOpen(one)).slice(0, ENDED_MAX)];
}

function keep<T extends Dated>(known: Map<string, T>, key: string, record: T): void {
  const before = known.get(key);
  if (before === undefined || before.lastUpdatedAt <= record.lastUpdatedAt) known.set(key, record);
}

/** Follows them until the returned function is called. */
export function followRfqs(): () => void {
  const leaves = tradingAccounts().flatMap((account) => {
    const hear = (data: unknown): void => {
      const rfq = data as Rfq;
      keep(rfqs, `${account}/${rfq.role}/${rfq.blockRfqId}`, { ...rfq, account });
      latestRfqs.mark();
    };
    const begin = (): void => {
      rfqsRead.begin(account);
      void readRfqs(account, hear);
    };
    return [
      followChannel({ channel: 'block_rfq.taker.any', account }, { hear, begin }),
      followChannel({ channel: 'block_rfq.maker.any', account }, { hear }),
      followChannel(
        { channel: 'block_rfq.quotes.any', account },
        {
          hear: (data) => {
            for (const quote of data as readonly Quote[]) keepQuote({ ...quote, account });
          },
        },
      ),
    ];
  });
  void readMakers();
  return () => {
    for (const leave of leaves) leave();
    rfqsRead.left();
  };
}

function keepQuote(quote: Quote): void {
  keep(quotes, `${quote.account}/${quote.quoteId}`, quote);
  latestQuotes.mark();
}

/** Ended ones are not published at the beginning, and those that ended meanwhile would look open. */
async function readRfqs(account: string, hear: (rfq: unknown) => void): Promise<void> {
  const answer = await callMethod('block/rfqs/get_rfqs', { accountId: account, count: ENDED_MAX });
  if (answer.kind !== 'done') {
    return rfqsRead.retry(account, answer, () => readRfqs(account, hear));
  }
  for (const rfq of answer.value.blockRfqs) hear(rfq);
  for (const quote of [...quotes.values()]) {
    if (quote.account !== account || !isOpen(quote)) continue;
    const asked = { accountId: account, quoteId: quote.quoteId };
    const found = await callMethod('block/rfqs/get_quotes', asked);
    if (found.kind !== 'done') continue;
    for (const one of found.value.results) keepQuote({ ...one, account });
  }
  rfqsRead.read(account);
}

async function readMakers(): Promise<void> {
  for (const account of tradingAccounts()) {
    const answer = await callMethod('block/rfqs/get_makers', { accountId: account });
    if (answer.kind !== 'done') continue;
    makers.value = answer.value.results.map((one) => String(one));
    return;
  }
}

/** The worst price of the levels, best first, that together have the whole quantity; absent if they do not. */
export function wholePrice(levels: readonly RfqLevel[], quantity: string): string | undefined {
  let sum = 0;
  for (const level of levels) {
    sum += Number(level.quantity);
    if (sum >= Number(quantity)) return level.price;
  }
  return undefined;
}
