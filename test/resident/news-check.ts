// Compares what a listener received with the exported events: every message exactly once, in order, with the
// version of its event. Only messages that a `resync` declared lost may be missing.
import type { ExportedEvent } from './evidence.ts';
import type { HeardNews, NewsListener } from './news-listener.ts';

/** The event that each message reports, from section 5 of docs/interface.md and the details in /asyncapi.json. */
const TOLD: Readonly<Record<string, string>> = {
  submitted: 'PORTFOLIO_SUBMITTED',
  started: 'PORTFOLIO_STARTED',
  slice_started: 'PORTFOLIO_SLICE',
  slices_missed: 'PORTFOLIO_SLICE_MISSED',
  slice_waiting: 'PORTFOLIO_WAITING',
  part_started: 'PORTFOLIO_PART_STARTED',
  part_chased: 'PORTFOLIO_PART_CHASED',
  part_ended: 'PORTFOLIO_PART_DONE',
  hedge_left_open: 'PORTFOLIO_HEDGE_OPEN',
  child_rejected: 'PORTFOLIO_ORDER_REJECTED',
  fill_booked: 'PORTFOLIO_PART_FILLED',
  fill_mirrored: 'PORTFOLIO_PART_FILLED',
  paused: 'PORTFOLIO_PAUSED',
  resumed: 'PORTFOLIO_RESUMED',
  amended: 'PORTFOLIO_AMENDED',
  filled: 'PORTFOLIO_FILLED',
  cancelling: 'PORTFOLIO_CANCELLING',
  cancelled: 'PORTFOLIO_CANCELLED',
  assumption_broken: 'PORTFOLIO_FAILED',
};

const FAULTS_SHOWN = 20;

/** `portfolio version type`, which identifies a message. */
export function expectedNews(events: readonly ExportedEvent[]): Set<string> {
  const expected = new Set<string>();
  for (const { portfolio, version, event } of events) {
    const type = TOLD[event.kind];
    // A mirrored fill that rounds to zero is stored and not published.
    const isEmpty = event.kind === 'fill_mirrored' && event['quantity'] === '0';
    if (type !== undefined && !isEmpty) expected.add(`${portfolio} ${version} ${type}`);
  }
  return expected;
}

const nameOf = ({ portfolio, version, type }: HeardNews): string =>
  `${portfolio} ${version} ${type}`;

/** The faults of a listener that was connected from the first submit to the last message. */
export function newsFaults(
  who: string,
  listener: NewsListener,
  expected: ReadonlySet<string>,
): string[] {
  const faults = listener.faults.map((fault) => `${who}: ${fault}`);
  const heard = new Set<string>();
  const versions = new Map<string, number>();
  for (const news of listener.heard) {
    const name = nameOf(news);
    if (heard.has(name)) faults.push(`${who} heard ${name} twice`);
    if (!expected.has(name)) faults.push(`${who} heard ${name}, which no event explains`);
    heard.add(name);
    const before = versions.get(news.portfolio) ?? 0;
    if (news.version <= before) faults.push(`${who} heard ${name} behind version ${before}`);
    versions.set(news.portfolio, Math.max(before, news.version));
  }
  const missing = [...expected].filter((name) => !heard.has(name));
  if (listener.lost.length === 0) {
    for (const name of missing) faults.push(`${who} never heard ${name}`);
  }
  const stretches = listener.lost.map(({ after, upTo, reason }) => `${after} to ${upTo} ${reason}`);
  // No listener is away for an hour or ten thousand messages, so none may lose any.
  if (stretches.length > 0) {
    const shown = stretches.slice(0, 3).join('; ');
    faults.unshift(
      `${who} had to resynchronize ${stretches.length} times (${shown}) and missed ${missing.length} messages`,
    );
  }
  return faults.length <= FAULTS_SHOWN
    ? faults
    : [...faults.slice(0, FAULTS_SHOWN), `${who}: ${faults.length - FAULTS_SHOWN} more faults`];
}

/** A client that connects later must receive the same messages from `after` on. */
export function retoldFaults(
  steady: readonly HeardNews[],
  rebuiltNews: readonly HeardNews[],
  after: bigint,
): string[] {
  const names = (news: readonly HeardNews[]): string[] =>
    news.filter(({ sequence }) => sequence > after).map((one) => `${one.sequence} ${nameOf(one)}`);
  const [there, here] = [names(steady), names(rebuiltNews)];
  const at = there.findIndex((name, index) => here[index] !== name);
  if (at < 0) return [];
  return [`read again from ${after}: message ${at} was ${there[at]} and is ${here[at]}`];
}
