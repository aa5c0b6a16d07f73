// Rebuilds the news of turns from the ledger, identical to what was published, or would have been if the process
// had not died.
import { evolve, fold } from '../../core/portfolio/aggregate/evolve.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { summarize } from '../../core/portfolio/summary/summarize.ts';
import type { PortfolioNews } from '../../ports/event-bus.ts';
import type { StoredPortfolio } from '../../ports/ledger.ts';
import type { LoggedTurn } from '../../ports/turn-log.ts';
import { assert, must } from '../../values/assert.ts';
import { newsOf } from '../turns/publish-events.ts';

/** The messages of each turn; all turns belong to the stored portfolio and are in order. */
export function rebuiltNews(
  { portfolio, version, events }: StoredPortfolio,
  turns: readonly LoggedTurn[],
): readonly (readonly PortfolioNews[])[] {
  let state: PortfolioState | undefined;
  let at = 0;
  return turns.map((turn) => {
    assert(turn.version <= version && turn.version >= at, `turn ${portfolio}/${turn.version}`);
    const more = events.slice(at, turn.version);
    state = state === undefined ? fold(portfolio, more) : more.reduce(evolve, state);
    at = turn.version;
    const after = must(state, `portfolio ${portfolio} has events`);
    return newsOf(after, events.slice(turn.fromVersion, turn.version), summarize(after));
  });
}
