// Checks the order that the news of every portfolio must have, on the messages of real runs.
import { expect } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { summarize } from '../../../src/core/portfolio/summary/summarize.ts';
import { newsOf } from '../../../src/engine/turns/publish-events.ts';
import type { NewsType, PortfolioNews } from '../../../src/ports/event-bus.ts';

/** What can be published of a portfolio before its first slice or part. */
const BEFORE_START: ReadonlySet<NewsType> = new Set<NewsType>([
  'PORTFOLIO_SUBMITTED',
  'PORTFOLIO_AMENDED',
  'PORTFOLIO_PAUSED',
  'PORTFOLIO_RESUMED',
  'PORTFOLIO_CANCELLING',
  'PORTFOLIO_CANCELLED',
  'PORTFOLIO_FILLED',
  'PORTFOLIO_FAILED',
]);

/** What can still arrive after the end of a portfolio: a fill reported late, and what is wrong with it. */
const AFTER_END: ReadonlySet<NewsType> = new Set<NewsType>([
  'PORTFOLIO_PART_FILLED',
  'PORTFOLIO_FAILED',
]);

const ENDS: ReadonlySet<NewsType> = new Set<NewsType>(['PORTFOLIO_FILLED', 'PORTFOLIO_CANCELLED']);

/** The messages of a whole history. */
export const newsOfAll = ({
  state,
  events,
}: {
  readonly state: PortfolioState;
  readonly events: readonly PortfolioEvent[];
}): readonly PortfolioNews[] => newsOf(state, events, summarize(state));

type Message = Pick<PortfolioNews, 'messageType' | 'version' | 'detail'>;

/** Checks the messages of one portfolio, from the first on. */
export function expectNewsOrder(news: readonly Message[]): void {
  const types = news.map(({ messageType }) => messageType);
  expect(types[0], 'the first message').toBe('PORTFOLIO_SUBMITTED');
  expect(timesOf(types, 'PORTFOLIO_SUBMITTED')).toBe(1);
  expect(timesOf(types, 'PORTFOLIO_STARTED')).toBeLessThanOrEqual(1);
  expect(timesOf(types, 'PORTFOLIO_CANCELLING')).toBeLessThanOrEqual(1);
  const started = types.indexOf('PORTFOLIO_STARTED');
  const early = started < 0 ? types : types.slice(0, started);
  expect(
    early.filter((type) => !BEFORE_START.has(type)),
    'news before PORTFOLIO_STARTED',
  ).toEqual([]);
  const end = types.findIndex((type) => ENDS.has(type));
  const late = end < 0 ? [] : types.slice(end + 1);
  expect(
    late.filter((type) => !AFTER_END.has(type)),
    'news after the end',
  ).toEqual([]);
  const versions = news.map(({ version }) => version);
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  expectPairs(types, 'PORTFOLIO_PAUSED', 'PORTFOLIO_RESUMED');
  expectPairs(types, 'PORTFOLIO_PART_STARTED', 'PORTFOLIO_PART_DONE');
  expectFillsAfterSlices(news);
}

const timesOf = (types: readonly NewsType[], type: NewsType): number =>
  types.filter((one) => one === type).length;

/** Each `after` must follow a `before` of its own. */
function expectPairs(types: readonly NewsType[], before: NewsType, after: NewsType): void {
  const open = types.filter((type) => type === before || type === after);
  const wrong = open.filter((type, index) => (index % 2 === 0 ? before : after) !== type);
  expect(wrong, `${before} and ${after} alternate`).toEqual([]);
}

/** A fill names its leg, and that leg has started a slice or is accepted in a Block RFQ. */
function expectFillsAfterSlices(news: readonly Message[]): void {
  const begun = new Set<unknown>();
  for (const { messageType, detail } of news) {
    const leg = legOf(detail);
    if (messageType === 'PORTFOLIO_SLICE') begun.add(leg);
    if (messageType !== 'PORTFOLIO_PART_FILLED') continue;
    expect(leg, 'the leg of a fill').toEqual(expect.any(Number));
    const isAccepted = news.some((one) => one.messageType === 'PORTFOLIO_RFQ_ACCEPTING');
    const isMirror = isRecord(detail) && detail['kind'] === 'fill_mirrored';
    expect(begun.has(leg) || isAccepted || isMirror, `a fill of leg ${leg} before its slice`).toBe(
      true,
    );
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const legOf = (detail: unknown): unknown => (isRecord(detail) ? detail['leg'] : undefined);
