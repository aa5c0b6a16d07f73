// One resident run: users work with the real daemon on a fresh cluster until a number of transactions is in the
// ledger, while processes are stopped and killed; then all reports are compared with the exchange's trades.
import { setTimeout as sleep } from 'node:timers/promises';
import { faultsOf } from './checker.ts';
import {
  type ExchangeTrade,
  exportedEvents,
  infoOf,
  openOrdersOf,
  type PortfolioRecord,
  pagesOf,
  tradesOf,
} from './evidence.ts';
import { ACCOUNTS, type Arrangement, DUMMY, keyOf } from './files.ts';
import { type Disturbance, House } from './house.ts';
import { logFaults } from './log-check.ts';
import { memoryFaults } from './memory-check.ts';
import { expectedNews, newsFaults, retoldFaults } from './news-check.ts';
import { NewsListener } from './news-listener.ts';
import { tradeName } from './trade-listener.ts';

export interface ResidentOptions {
  readonly arrangement: Arrangement;
  /** Ends once the ledger has this many transactions, and not before `untilMs`. */
  readonly transactions: number;
  readonly untilMs?: number;
  /** The number of portfolios active at a time. */
  readonly atWork: number;
  /** The disturbances of the processes, each at a number of transactions. */
  readonly disturbances: Iterable<readonly [transactions: number, what: Disturbance]>;
  /** Another client of the database server uses up transaction numbers too. */
  readonly hasNeighbour?: boolean;
  /** The transaction number at which the work begins: another client has used up those before it. */
  readonly fromTransaction?: number;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly transactions: number;
  readonly submitted: number;
  readonly over: number;
  readonly news: number;
  readonly resyncs: number;
  readonly disturbances: number;
  readonly memoryMb: number;
  readonly errors: number;
  /** The processor seconds used by daemon and exchange. */
  readonly processorSec: number;
  /** The transactions of the other client among them. */
  readonly foreign: number;
}

export interface Outcome extends Progress {
  readonly faults: readonly string[];
  readonly trades: number;
  readonly watched: number;
  readonly byHand: number;
  /** Temporary refusals of manual orders, by message. */
  readonly refusedByHand: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, number>>;
  readonly acts: Readonly<Record<string, number>>;
}

const LOOK_MS = 200;
/** More resyncs than this are a storm; counting further shows nothing new. */
const RESYNCS_MAX = 25;
/** Without a transaction for this long, the run has stalled. */
const STALLED_MS = 300_000;

export async function reside(options: ResidentOptions): Promise<Outcome> {
  const house = await House.open(options.arrangement, options.atWork);
  try {
    const faults = await work(house, options);
    return faults.length > 0 ? brokenOff(house, faults) : await judge(house);
  } finally {
    await house.clear();
  }
}

/** Works until the last portfolio has ended. */
async function work(house: House, options: ResidentOptions): Promise<string[]> {
  const { desk, watchers, listeners } = house;
  const faults: string[] = [];
  if (options.fromTransaction !== undefined) {
    await house.neighbour.useUpTo(options.fromTransaction);
  }
  const working = desk.work();
  working.catch((error: unknown) => faults.push(`the users gave up: ${error}`));
  const disturbances = options.disturbances[Symbol.iterator]();
  let next = disturbances.next();
  let [counted, heardMs] = [0, Date.now()];
  const isDone = (): boolean =>
    house.transactions >= options.transactions &&
    next.done === true &&
    Date.now() >= (options.untilMs ?? 0);
  while (!isDone() && faults.length === 0) {
    await sleep(LOOK_MS);
    noteEnds(house);
    const latest = [...desk.submitted.keys()].at(-1);
    if (latest !== undefined && !desk.over.has(latest)) watchers.offer(latest);
    house.sampleMemory();
    if (options.hasNeighbour === true) await house.neighbour.act();
    options.onProgress?.(progressOf(house));
    if (house.transactions > counted) [counted, heardMs] = [house.transactions, Date.now()];
    if (Date.now() - heardMs > STALLED_MS) faults.push(`no transaction for ${STALLED_MS} ms`);
    if (listeners.some(({ lost }) => lost.length > RESYNCS_MAX)) faults.push('a storm of resyncs');
    if (next.done !== true && house.transactions >= next.value[0]) {
      await house.disturb(next.value[1]);
      next = disturbances.next();
      heardMs = Date.now();
    }
  }
  desk.close();
  if (faults.length > 0) return faults;
  await Promise.all([working, house.hand.close()]);
  await everythingOver(house, options);
  return faults;
}

/** Marks portfolios as ended that the news reports as ended. */
function noteEnds({ desk, listeners }: House): void {
  for (const { portfolio, status } of listeners[0]?.heard.slice(-5_000) ?? []) {
    if (status === 2 || status === 3) desk.ended(portfolio);
  }
}

async function everythingOver(house: House, options: ResidentOptions): Promise<void> {
  const { desk, daemon } = house;
  for (const id of desk.submitted.keys()) {
    await house.until(async () => {
      const { portfolioStatus } = await infoOf(daemon.url, keyOf('checker'), id);
      options.onProgress?.(progressOf(house));
      return portfolioStatus === 2 || portfolioStatus === 3;
    });
    desk.ended(id);
  }
}

/** A run that cannot continue is not checked any further, because everything else would be a consequence. */
function brokenOff(house: House, faults: readonly string[]): Outcome {
  const { desk, watchers } = house;
  return {
    ...progressOf(house),
    faults: [...faults, ...logFaults(house)],
    trades: 0,
    watched: watchers.done,
    kinds: kindsOf(desk),
    acts: desk.done,
    ...handOf(house),
  };
}

async function judge(house: House): Promise<Outcome> {
  const { desk, watchers, listeners, traders, daemon, exchangeUrl } = house;
  const key = keyOf('checker');
  const faults: string[] = [];
  await watchers.settle();
  const ids = [...desk.submitted.values()].flatMap(({ id, mirrors }) => [id, ...mirrors]);
  const infos = new Map<string, PortfolioRecord>();
  for (const id of ids) infos.set(id, await infoOf(daemon.url, key, id));
  const pages: PortfolioRecord[] = [];
  const trades: ExchangeTrade[] = [];
  for (const account of [...ACCOUNTS, DUMMY])
    pages.push(...(await pagesOf(daemon.url, key, account)));
  for (const account of ACCOUNTS) {
    const own = await tradesOf(exchangeUrl, key, account);
    trades.push(...own);
    const open = await openOrdersOf(exchangeUrl, key, account);
    if (open.length > 0) faults.push(`account ${account} still has open orders: ${open}`);
    const index = ACCOUNTS.indexOf(account);
    const trader = traders[index];
    const all = new Set(own.map(tradeName));
    await patience(() => trader?.told.size === all.size);
    for (const name of all)
      if (!trader?.told.has(name)) faults.push(`/ws/api never reported ${name}`);
    for (const name of trader?.told ?? []) {
      if (!all.has(name)) faults.push(`/ws/api reported ${name}, which the exchange does not have`);
    }
  }
  for (const words of [['audit'], ['export', '--output', house.exportPath()]]) {
    const { code, lines } = await house.run(words);
    if (code !== 0) faults.push(`${words[0]} ended with ${code}: ${lines.slice(-5).join(' | ')}`);
  }
  const events = exportedEvents(house.exportPath());
  faults.push(...faultsOf({ trades, infos, pages, events }));
  const expected = expectedNews(events);
  for (const [index, listener] of listeners.entries()) {
    await patience(() => listener.heard.length >= expected.size);
    faults.push(...newsFaults(`listener ${index}`, listener, expected));
  }
  faults.push(...(await rebuiltNews(house)));
  const orders = listeners[0]?.orders;
  await patience(() => orders?.open.length === 0);
  if (orders?.open.length !== 0) faults.push(`order.change shows open orders: ${orders?.open}`);
  for (const { faults: told } of [...traders, watchers, house.hand]) faults.push(...told);
  for (const [what, times] of desk.refused) faults.push(`${times} times refused: ${what}`);
  const reached = progressOf(house);
  await house.close();
  faults.push(...house.faults, ...logFaults(house), ...memoryFaults(house.lives));
  return {
    ...reached,
    faults,
    trades: trades.length,
    watched: watchers.done,
    kinds: kindsOf(desk),
    acts: desk.done,
    ...handOf(house),
  };
}

const handOf = ({ hand }: House) => ({
  byHand: hand.rounds,
  refusedByHand: Object.fromEntries(hand.passing),
});

function kindsOf(desk: House['desk']): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { kind } of desk.submitted.values()) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return kinds;
}

/** A client that connects now and requests the latest few thousand messages. */
async function rebuiltNews(house: House): Promise<string[]> {
  const steady = house.listeners[0]?.heard ?? [];
  const after = steady.at(-4_000)?.sequence ?? steady[0]?.sequence;
  const last = steady.at(-1)?.sequence;
  if (after === undefined || last === undefined) return ['no listener received anything'];
  const late = new NewsListener(house.daemon.url, keyOf('listener'), { after });
  await patience(() => late.heard.at(-1)?.sequence === last);
  await late.close();
  return [...late.faults, ...retoldFaults(steady, late.heard, after)];
}

const PATIENCE_LOOKS = 300;

/** Waits a while for messages in flight; whether they arrived is checked afterwards. */
async function patience(holds: () => boolean): Promise<void> {
  for (let looks = 0; looks < PATIENCE_LOOKS && !holds(); looks += 1) await sleep(50);
}

function progressOf(house: House): Progress {
  const { desk, listeners, disturbed, logs, lives, transactions } = house;
  return {
    transactions,
    submitted: desk.submitted.size,
    over: desk.submitted.size - desk.atWork,
    news: listeners[0]?.heard.length ?? 0,
    resyncs: listeners.reduce((count, { lost }) => count + lost.length, 0),
    disturbances: disturbed.length,
    memoryMb: Math.round(lives.at(-1)?.samples.at(-1) ?? 0),
    errors: logs.serious.filter(({ level }) => level !== 'warn').length,
    processorSec: Math.round(house.processorSec),
    foreign: house.neighbour.used,
  };
}
