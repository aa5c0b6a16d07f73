// The paper venue with lagging queries: an answer shows the state of up to the read lag ago.
import { orderRecord, tradeRecord } from '../../../src/adapters/paper/order-shapes.ts';
import type { OpenOrdersFilter, Reply } from '../../../src/ports/trading-desk.ts';
import type { Reconciled, ReconcileQuery, Venue } from '../../../src/ports/venue.ts';
import { type InstrumentName, labelPrefix } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { SIMULATED_SETTINGS } from '../checks/bounds.ts';
import type { ExchangeOracle } from '../oracles/exchange.oracle.ts';
import { frontOf } from './port-front.ts';
import type { Trouble } from './trouble.ts';

const QUERIES: ReadonlySet<string> = new Set(['reconcile', 'openOrders']);

interface Lag {
  readonly truth: ExchangeOracle;
  readonly trouble: Trouble;
  readonly readLagMs: number;
}

/** `venue` with queries about children that lag where the plan says so. */
export function laggingVenue(venue: Venue, lag: Lag): Venue {
  const termsOf = (name: InstrumentName) => venue.market.instrument(name);
  const labelledAt = ({ label }: ReconcileQuery, at: Instant): Reply<Reconciled> => {
    const { orders, trades } = lag.truth.labelledAt(label, at);
    return done({
      orders: orders.map((order) => orderRecord(order, termsOf)),
      trades: trades.map((trade) => tradeRecord(trade, termsOf)),
    });
  };
  const openAt = ({ account, labelPrefix: prefix = '' }: OpenOrdersFilter, at: Instant) => {
    const open = lag.truth.openAt(account, prefix, at);
    return done(open.map((order) => orderRecord(order, termsOf)).reverse());
  };
  return frontOf(venue, QUERIES, {
    pass: (name, port, given) => {
      const [query] = given as [ReconcileQuery & OpenOrdersFilter];
      const isOfChildren = name === 'reconcile' || query.labelPrefix !== undefined;
      const at = isOfChildren ? lagAt(venue, lag) : undefined;
      if (at === undefined) return port[name]?.(...given);
      return Promise.resolve(name === 'reconcile' ? labelledAt(query, at) : openAt(query, at));
    },
  });
}

const done = <T>(value: T): Reply<T> => ({ kind: 'done', value });

/** The moment that is shown; `undefined`: this one. */
function lagAt(venue: Venue, { trouble, readLagMs }: Lag): Instant | undefined {
  const lagMs = trouble.spellMs('query_stale');
  if (lagMs === undefined) return undefined;
  // A venue that lags most shows the most that the bound allows.
  const isFarthest = trouble.pick('query_stale', 2) === 0;
  return later(venue.venueNow(), -Math.min(readLagMs, isFarthest ? readLagMs : lagMs));
}

/** What the deployment's own labels begin with. */
export const OWN_PREFIX = labelPrefix(SIMULATED_SETTINGS.deployment);
