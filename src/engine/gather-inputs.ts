// Reads everything that a decision about a portfolio depends on, as values of one moment.
import type { DecisionInputs } from '../core/portfolio/aggregate/decision-inputs.ts';
import { isTerminal, type PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { Settings } from '../core/terms/settings.ts';
import type { Venue, VenueDirectory } from '../ports/venue.ts';
import { type ChildLabel, instrumentName } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Quote } from '../values/quote.ts';
import { tradingUnder } from './kill-switch/apply-trading-switches.ts';
import type { SwitchesInForce } from './kill-switch/trading-switches.ts';
import { freezesFor } from './mmp/mmp-fence.ts';
import type { MmpProtecting } from './mmp/mmp-guard.ts';
import { venueOf } from './portfolio-venue.ts';
import type { RecoveryBarrier } from './recovery/recovery-barrier.ts';
import type { Gate } from './risk/gate.ts';

export interface InputSources {
  readonly settings: Settings;
  readonly venues: VenueDirectory;
  readonly gate: Gate;
  readonly mmp: Pick<MmpProtecting, 'stateOf'>;
  readonly switches: Pick<SwitchesInForce, 'strictestFor'>;
  readonly barrier: RecoveryBarrier;
  /** Children with a cancel that was sent and is not answered yet. */
  readonly cancelling: () => ReadonlySet<ChildLabel>;
  /** True if this process owns the portfolio. */
  readonly isOwned: (state: PortfolioState) => boolean;
}

export function gatherInputs(
  { settings, venues, gate, mmp, switches, barrier, cancelling: sent, isOwned }: InputSources,
  state: PortfolioState,
  now: Instant,
): DecisionInputs {
  const recovery = isOwned(state) ? barrier.blocksOf(state) : OF_ANOTHER;
  const cancelling = among(sent(), state);
  if (isTerminal(state.status) || state.spec.mirrorOf !== undefined) {
    return { settings, quotes: NO_QUOTES, recovery, cancelling };
  }
  const venue = venueOf(venues, state);
  const { id: portfolio, instruments, children: orders } = state;
  const { accountId: account } = state.spec;
  const scope = { venue, account, now, portfolio, instruments, orders };
  return {
    settings,
    quotes: quotesOf(venue, instruments.keys()),
    freezes: freezesFor(mmp, state, now),
    trading: tradingUnder(switches, state),
    recovery,
    gate: gate.inputsFor(scope),
    messages: gate.roomFor(scope),
    cancelling,
  };
}

/** A process that does not own a portfolio may cancel its orders, but places none: what it has in memory is not all. */
const OF_ANOTHER: DecisionInputs['recovery'] = {
  isAccountBlocked: true,
  isPortfolioBlocked: true,
};

const NO_QUOTES: DecisionInputs['quotes'] = new Map();

function quotesOf(venue: Venue, instruments: Iterable<string>): DecisionInputs['quotes'] {
  const quotes = new Map<string, Quote>();
  for (const name of instruments) {
    const quote = venue.quote(instrumentName(name));
    if (quote !== undefined) quotes.set(name, quote);
  }
  return quotes;
}

/** The open children of the portfolio that are among the labels; `undefined` if there is none. */
function among(
  labels: ReadonlySet<ChildLabel>,
  { children }: PortfolioState,
): readonly ChildLabel[] | undefined {
  if (labels.size === 0) return undefined;
  const found = [...children.keys()].filter((label) => labels.has(label));
  return found.length === 0 ? undefined : found;
}
