// Assigns sequence numbers to the messages of logged turns. Messages that were just published by this process or
// received from another are used as they are; the others are rebuilt from the ledger.

import { Replay } from '../../core/portfolio/aggregate/replay.ts';
import { summarize } from '../../core/portfolio/summary/summarize.ts';
import type { PortfolioNews } from '../../ports/event-bus.ts';
import type { Ledger, StoredPortfolio } from '../../ports/ledger.ts';
import type { LoggedTurn, TurnGroup } from '../../ports/turn-log.ts';
import { assert, must } from '../../values/assert.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import type { SequencedNews } from '../interface/news-api.ts';
import { newsOf } from '../turns/publish-events.ts';
import { sequenceOf } from './news-sequence.ts';

/** The maximum number of received messages kept until they are requested. */
const HEARD_MAX = 5_000;

export class NewsSequencer {
  readonly #ledger: Pick<Ledger, 'load'>;
  readonly #heard = new Map<string, PortfolioNews>();

  constructor(ledger: Pick<Ledger, 'load'>) {
    this.#ledger = ledger;
  }

  /** Keeps a message until its number is known; beyond the maximum the oldest is dropped. */
  receive(news: PortfolioNews): void {
    this.#heard.set(nameOf(news.portfolio, news.version), news);
    if (this.#heard.size <= HEARD_MAX) return;
    for (const oldest of this.#heard.keys()) {
      this.#heard.delete(oldest);
      return;
    }
  }

  get isWaiting(): boolean {
    return this.#heard.size > 0;
  }

  forget(): void {
    this.#heard.clear();
  }

  /** The messages of each group, in order, for accounts that are wanted. */
  async number(
    groups: readonly TurnGroup[],
    isWanted: (account: AccountId) => boolean,
  ): Promise<readonly (readonly SequencedNews[])[]> {
    const wanted = groups.flatMap(({ turns }) => turns).filter(({ account }) => isWanted(account));
    const told = new Map<LoggedTurn, readonly PortfolioNews[]>();
    const missing = new Map<PortfolioId, LoggedTurn[]>();
    for (const turn of wanted) {
      const heard = this.#heardOf(turn);
      if (heard.length === turn.tells) told.set(turn, heard);
      else missing.set(turn.portfolio, [...(missing.get(turn.portfolio) ?? []), turn]);
    }
    for (const turns of missing.values()) await this.#readUp(turns, told);
    return groups.map((group) =>
      group.turns.flatMap((turn, index) => numbered(group, index, told.get(turn) ?? [])),
    );
  }

  /** Drops messages that have been handed out. */
  release(groups: readonly TurnGroup[]): void {
    for (const { turns } of groups) {
      for (const { portfolio, fromVersion, version } of turns) {
        for (let at = fromVersion + 1; at <= version; at += 1) {
          this.#heard.delete(nameOf(portfolio, at));
        }
      }
    }
  }

  #heardOf({ portfolio, fromVersion, version }: LoggedTurn): readonly PortfolioNews[] {
    const found: PortfolioNews[] = [];
    for (let at = fromVersion + 1; at <= version; at += 1) {
      const news = this.#heard.get(nameOf(portfolio, at));
      if (news !== undefined) found.push(news);
    }
    return found;
  }

  async #readUp(
    turns: readonly LoggedTurn[],
    told: Map<LoggedTurn, readonly PortfolioNews[]>,
  ): Promise<void> {
    const portfolio = must(turns[0], 'at least one turn is missing').portfolio;
    const stored = must(await this.#ledger.load(portfolio), `portfolio ${portfolio} is logged`);
    for (const [index, news] of rebuiltNews(stored, turns).entries()) {
      told.set(must(turns[index], 'one list of messages a turn'), news);
    }
  }
}

const nameOf = (portfolio: PortfolioId, version: number): string => `${portfolio}/${version}`;

const numbered = (
  { position, turns }: TurnGroup,
  turn: number,
  news: readonly PortfolioNews[],
): readonly SequencedNews[] => {
  const { fromVersion } = must(turns[turn], 'a turn of its group');
  return news.map((one) => ({
    ...one,
    sequence: sequenceOf({ position, turn, event: one.version - fromVersion }),
  }));
};

/** The messages of each turn; all turns belong to the stored portfolio and are in order. */
function rebuiltNews(
  { portfolio, version, events }: StoredPortfolio,
  turns: readonly LoggedTurn[],
): readonly (readonly PortfolioNews[])[] {
  const replay = new Replay(portfolio);
  let at = 0;
  return turns.map((turn) => {
    assert(turn.version <= version && turn.version >= at, `turn ${portfolio}/${turn.version}`);
    for (const event of events.slice(at, turn.version)) replay.add(event);
    at = turn.version;
    const after = must(replay.state, `portfolio ${portfolio} has events`);
    return newsOf(after, events.slice(turn.fromVersion, turn.version), summarize(after));
  });
}
