// Every portfolio that the page knows. News replaces a record as a whole; an older record never replaces a newer one, so that
// a slow answer cannot undo what news has told since.
import { computed, signal } from '@preact/signals';
import type { PageRecord } from '../../gateway/client/client.ts';
import type { PortfolioRecord } from '../../gateway/portfolios/record-schema.ts';
import { link } from '../link/news-socket.ts';
import { access, request } from '../link/page-session.ts';
import { type BlotterRow, blotterRow } from './blotter-row.ts';
import { current, type Shown } from './panel-state.ts';

/** At most so many ended ones of an account are read; those that end while the page is open are added. */
const ENDED_PAGES = 2;
const PAGE_SIZE = 100;
const RETRY_MS = 1_000;
const PAINT_MS = 150;
const ORDERS_EVERY_MS = 2_000;
const WAITS_EVERY_MS = 3_000;
/** Requests for rows that wait, in one round. */
const WAITS_AT_ONCE = 10;

/** Ended ones that were submitted since then were all read, Unix milliseconds; 0: all there are. */
export const endedReadSince = signal(0);

const rows = new Map<string, BlotterRow>();
const painted = signal(0);
let isPaintDue = false;

/** When the latest complete reading of {@link followOpenOrders} began, by `performance.now()`. */
export const ordersAsOf = signal(0);

/** Repainted a few times a second, however many records arrive. */
export const blotterRows = computed((): readonly BlotterRow[] => {
  void painted.value;
  return [...rows.values()];
});

export function keepRecord(record: PortfolioRecord): void {
  const before = rows.get(record.portfolioId);
  if (before !== undefined && before.updatedMs > Number(record.updateTimestamp)) return;
  rows.set(record.portfolioId, blotterRow(record));
  if (isPaintDue) return;
  isPaintDue = true;
  setTimeout(() => {
    isPaintDue = false;
    painted.value += 1;
  }, PAINT_MS);
}

/** When every account had been read for the first time, by `performance.now()`. */
const firstReadMs = signal<number | undefined>(undefined);
const readFault = signal('');

/** News keeps them current as long as it arrives. */
export const portfoliosShown = computed((): Shown<readonly BlotterRow[]> => {
  if (firstReadMs.value === undefined) return { kind: 'unread', fault: readFault.value };
  const value = blotterRows.value;
  return link.value.kind === 'reconnecting'
    ? { kind: 'stale', value, sinceMs: link.value.sinceMs, fault: '' }
    : current(value);
});

/** Reads the portfolios of every account, one request after the other, until each was answered. */
export async function rereadPortfolios(): Promise<void> {
  if (access.value.kind !== 'open') return;
  for (const { id } of access.value.hello.accounts) {
    await readPages(id, 'OPEN_ORDER', Infinity);
    await readPages(id, 'ORDER_HISTORY', ENDED_PAGES);
  }
  firstReadMs.value ??= performance.now();
}

/**
 * Keeps `hasOrders` of the rows true: news has no message for an order that is placed again or closed unfilled. While
 * this is followed, the open portfolios are read every two seconds. Call what is returned to end it.
 */
export function followOpenOrders(): () => void {
  let isFollowed = true;
  const follow = async (): Promise<void> => {
    while (isFollowed && access.value.kind === 'open') {
      const began = performance.now();
      for (const { id } of access.value.hello.accounts) {
        if (isFollowed) await readPages(id, 'OPEN_ORDER', Infinity);
      }
      if (isFollowed) ordersAsOf.value = began;
      await new Promise((resolve) => setTimeout(resolve, ORDERS_EVERY_MS));
    }
  };
  void follow();
  return () => {
    isFollowed = false;
  };
}

/**
 * Keeps rows that wait true as long as there is a session: news says that a portfolio waits, and has no message for a wait that
 * ends by an order which rests. Of many, some are read in each round, the others in the next.
 */
export async function followWaits(): Promise<void> {
  let from = 0;
  while (access.value.kind === 'open') {
    const waiting = [...rows.values()].filter(({ state }) => state === 'waiting');
    const isVisible = !document.hidden && link.value.kind === 'live';
    from = from < waiting.length ? from : 0;
    const round = isVisible ? waiting.slice(from, from + WAITS_AT_ONCE) : [];
    for (const { id } of round) {
      const answer = await request<PortfolioRecord>(`api/info?portfolioId=${id}`);
      if (answer.kind === 'done') keepRecord(answer.value);
    }
    from += round.length;
    await new Promise((resolve) => setTimeout(resolve, WAITS_EVERY_MS));
  }
}

async function readPages(account: string, tag: string, most: number): Promise<void> {
  for (let page = 1; page <= most; ) {
    if (access.value.kind !== 'open') return;
    const query = new URLSearchParams({
      accountId: account,
      portfolioTag: tag,
      pageSize: String(PAGE_SIZE),
      currentPage: String(page),
    });
    const answer = await request<PageRecord>(`api/page?${query}`);
    if (answer.kind === 'done') {
      for (const record of answer.value.values) keepRecord(record);
      if (page >= answer.value.pageCount) return;
      const oldest = Number(answer.value.values.at(-1)?.submitTimestamp);
      if (page === most) endedReadSince.value = Math.max(endedReadSince.value, oldest);
      page += 1;
    } else {
      readFault.value = answer.message;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
