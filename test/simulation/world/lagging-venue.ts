// The paper venue with lagging queries: an answer shows the state of up to the read lag ago.
import type { LabelAnswer, OpenOrdersAnswer, Venue } from '../../../src/ports/venue.ts';
import { labelPrefix } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { SIMULATED_SETTINGS } from '../checks/bounds.ts';
import type { ExchangeOracle } from '../oracles/exchange.oracle.ts';
import { frontOf } from './port-front.ts';
import type { Trouble } from './trouble.ts';

const QUERIES: ReadonlySet<string> = new Set(['ordersByLabel', 'openOrders']);

interface Lag {
  readonly truth: ExchangeOracle;
  readonly trouble: Trouble;
  readonly readLagMs: number;
}

/** `venue` with queries that lag where the plan says so. */
export function laggingVenue(venue: Venue, lag: Lag): Venue {
  return frontOf(venue, QUERIES, {
    pass: (name, port, given) => {
      const at = lagAt(venue, lag);
      if (at === undefined) return port[name]?.(...given);
      return name === 'ordersByLabel'
        ? labelledAt(lag.truth, at, given as Parameters<Venue['ordersByLabel']>)
        : openAt(lag.truth, at, given as Parameters<Venue['openOrders']>);
    },
  });
}

/** The moment that is shown; `undefined`: this one. */
function lagAt(venue: Venue, { trouble, readLagMs }: Lag): Instant | undefined {
  const lagMs = trouble.spellMs('query_stale');
  if (lagMs === undefined) return undefined;
  // A venue that lags most shows the most that the bound allows.
  const isFarthest = trouble.pick('query_stale', 2) === 0;
  return later(venue.venueNow(), -Math.min(readLagMs, isFarthest ? readLagMs : lagMs));
}

function labelledAt(
  truth: ExchangeOracle,
  at: Instant,
  [query]: Parameters<Venue['ordersByLabel']>,
): Promise<LabelAnswer> {
  const found = truth.labelledAt(query.label, at);
  if (found.length === 0) return Promise.resolve({ kind: 'absent' });
  const orders = found.map(({ order }) => order);
  const trades = found.flatMap((one) => one.trades);
  return Promise.resolve({ kind: 'found', orders, trades });
}

function openAt(
  truth: ExchangeOracle,
  at: Instant,
  [account, prefix]: Parameters<Venue['openOrders']>,
): Promise<OpenOrdersAnswer> {
  return Promise.resolve({ kind: 'orders', orders: truth.openAt(account, prefix, at) });
}

/** What the deployment's own labels begin with. */
export const OWN_PREFIX = labelPrefix(SIMULATED_SETTINGS.deployment);
