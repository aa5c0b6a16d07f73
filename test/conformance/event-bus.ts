// Contract of every EventBus towards the listeners of its own process.
import { afterEach, expect, test } from 'vitest';
import type { PortfolioSummary } from '../../src/core/portfolio/summary/portfolio-summary.ts';
import type { EventBus, PortfolioNews } from '../../src/ports/event-bus.ts';
import { accountId, portfolioId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';

/** News of portfolio `portfolio` at `version`; the other fields do not matter. */
export function newsOf(portfolio: string, version: number): PortfolioNews {
  const record: PortfolioSummary = {
    portfolio,
    account: '10001',
    portfolioType: 'TWAP',
    status: 'RUNNING',
    note: 'ünïcode and "quotes"',
    uid: 'u',
    nickname: '',
    lastEditedUid: 'u',
    submittedAt: 1,
    updatedAt: 2,
    startAt: 3,
    endAt: 4,
    durationMs: 60_000,
    frequencyMs: 1_000,
    endAction: 'CANCEL',
    mirrors: [],
    legs: [],
  } as unknown as PortfolioSummary;
  return {
    messageType: 'PORTFOLIO_SLICE',
    portfolio: portfolioId(portfolio),
    account: accountId('10001'),
    version,
    at: instant(1_767_225_600_000),
    record,
    detail: { price: '0.0001' },
  };
}

/** `onFault` must receive the exceptions of listeners. */
export function eventBusConformance(open: (onFault: (error: unknown) => void) => EventBus): void {
  const opened: EventBus[] = [];
  const begin = (onFault: (error: unknown) => void = () => undefined): EventBus => {
    const bus = open(onFault);
    opened.push(bus);
    return bus;
  };
  afterEach(async () => {
    for (const bus of opened.splice(0)) await bus.close();
  });

  test('listeners have received the news when publish returns, each once and in order', () => {
    const bus = begin();
    const heard: [PortfolioNews[], PortfolioNews[]] = [[], []];
    for (const list of heard) bus.subscribe((news) => list.push(news));
    const first = [newsOf('1', 1), newsOf('2', 1)];
    const second = [newsOf('1', 2)];
    bus.publish(first);
    bus.publish(second);
    expect(heard).toEqual([
      [...first, ...second],
      [...first, ...second],
    ]);
  });

  test('a listener that unsubscribed receives no more news', () => {
    const bus = begin();
    const heard: PortfolioNews[] = [];
    const leave = bus.subscribe((news) => heard.push(news));
    bus.publish([newsOf('1', 1)]);
    leave();
    leave();
    bus.publish([newsOf('1', 2)]);
    expect(heard.map((news) => news.version)).toEqual([1]);
  });

  test('an exception of a listener is reported and does not affect the publisher or other listeners', () => {
    const told: unknown[] = [];
    const bus = begin((error) => told.push(error));
    const heard: number[] = [];
    bus.subscribe(() => {
      throw new Error('deaf');
    });
    bus.subscribe((news) => heard.push(news.version));
    bus.publish([newsOf('1', 1), newsOf('1', 2)]);
    expect(heard).toEqual([1, 2]);
    expect(told.filter((error) => (error as Error).message === 'deaf')).toHaveLength(2);
  });

  test('no listener receives news after closing, and closing twice is harmless', async () => {
    const bus = begin();
    const heard: PortfolioNews[] = [];
    bus.subscribe((news) => heard.push(news));
    await bus.close();
    await bus.close();
    bus.publish([newsOf('1', 1)]);
    expect(heard).toEqual([]);
  });

  test('a listener that subscribes after closing receives no news', async () => {
    const bus = begin();
    await bus.close();
    const heard: PortfolioNews[] = [];
    const leave = bus.subscribe((news) => heard.push(news));
    bus.publish([newsOf('1', 1)]);
    leave();
    expect(heard).toEqual([]);
  });

  test('news that a listener publishes reaches every listener after the news it heard', () => {
    const bus = begin();
    const heard: [number[], number[]] = [[], []];
    bus.subscribe(({ version }) => {
      heard[0].push(version);
      if (version === 1) bus.publish([newsOf('1', 3)]);
    });
    bus.subscribe(({ version }) => heard[1].push(version));
    bus.publish([newsOf('1', 1), newsOf('1', 2)]);
    bus.publish([]);
    expect(heard).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });
}
