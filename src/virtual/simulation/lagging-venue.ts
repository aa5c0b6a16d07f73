// The paper venue whose queries may be behind: an answer shows what was true up to the read lag ago.
import type { LabelAnswer, OpenOrdersAnswer, Venue } from '../../ports/venue.ts';
import { labelPrefix } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import { SIMULATED_SETTINGS } from './bounds.ts';
import type { ExchangeTruth } from './exchange-truth.ts';
import { frontOf } from './port-front.ts';
import type { Trouble } from './trouble.ts';

const THROUGH_NOBODY: ReadonlySet<string> = new Set();

/** `venue` with queries that lag where the plan says so. */
export function laggingVenue(
  venue: Venue,
  {
    truth,
    trouble,
    readLagMs,
  }: {
    readonly truth: ExchangeTruth;
    readonly trouble: Trouble;
    readonly readLagMs: number;
  },
): Venue {
  const behind = () => {
    const lagMs = trouble.spellMs('query_stale');
    if (lagMs === undefined) return undefined;
    // A venue that lags most shows the most that the bound allows.
    const isFarthest = trouble.pick('query_stale', 2) === 0;
    return later(venue.venueNow(), -Math.min(readLagMs, isFarthest ? readLagMs : lagMs));
  };
  const ordersByLabel: Venue['ordersByLabel'] = (query): Promise<LabelAnswer> => {
    const at = behind();
    if (at === undefined) return venue.ordersByLabel(query);
    const found = truth.labelledAt(query.label, at);
    if (found.length === 0) return Promise.resolve({ kind: 'absent' });
    const orders = found.map(({ order }) => order);
    const trades = found.flatMap((one) => one.trades);
    return Promise.resolve({ kind: 'found', orders, trades });
  };
  const openOrders: Venue['openOrders'] = (account, prefix): Promise<OpenOrdersAnswer> => {
    const at = behind();
    if (at === undefined) return venue.openOrders(account, prefix);
    return Promise.resolve({ kind: 'orders', orders: truth.openAt(account, prefix, at) });
  };
  return Object.assign(frontOf(venue, THROUGH_NOBODY), { ordersByLabel, openOrders });
}

/** What the deployment's own labels begin with. */
export const OWN_PREFIX = labelPrefix(SIMULATED_SETTINGS.deployment);
