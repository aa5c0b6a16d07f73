// Derives the limits of the gateway, and which wires it serves, from the configuration.
import { DEFAULT_LIMITS, type GatewayLimits } from '../../../gateway/limits/limits.ts';
import type { BucketRule } from '../../../gateway/limits/token-bucket.ts';
import type { PageRules } from '../../../gateway/page/page-access.ts';
import type { ProxySignIn } from '../../../gateway/page/proxy-people.ts';
import { HOUR_MS, MINUTE_MS } from '../../../values/instant.ts';
import type { Config } from '../config.ts';
import { PROXY_SECRET_HEADER } from '../sections/page-section.ts';
import { hasPaperOnly, isLocal, moneyOf, type VenuePlace } from './venue-place.ts';

export function gatewayLimits({ gateway }: Pick<Config, 'gateway'>): GatewayLimits {
  const { perKey, perAddress, connectionsMax, inFlightMax } = gateway;
  const { address, stream, rid, rates, work, deribit } = DEFAULT_LIMITS;
  const { tier } = gateway.deribit;
  const ofAddresses = perAddress.connections / address.connectionsMax;
  return {
    ...DEFAULT_LIMITS,
    connectionsMax,
    inFlightMax,
    rates: {
      read: atRate(rates.read, perKey.read),
      submit: atRate(rates.submit, perKey.submit),
      cancel: atRate(rates.cancel, perKey.cancel),
    },
    address: {
      ...address,
      open: timesRate(address.open, ofAddresses),
      connectionsMax: perAddress.connections,
      opening: timesRate(address.opening, ofAddresses),
      openingOfAll: timesRate(
        address.openingOfAll,
        Math.max(connectionsMax / DEFAULT_LIMITS.connectionsMax, ofAddresses),
      ),
    },
    work: {
      key: atRate(work.key, perKey.work),
      address: timesRate(work.address, perKey.work / work.key.perSecond),
      strangers: timesRate(work.strangers, perKey.work / work.key.perSecond),
    },
    stream: { ...stream, connectionsPerKeyMax: perKey.connections },
    rid: {
      ...rid,
      rates: {
        order: atRate(rid.rates.order, perKey.order),
        order_cancel: atRate(rid.rates.order_cancel, perKey.order),
        query: atRate(rid.rates.query, perKey.query),
      },
      connectionsPerKeyMax: perKey.connections,
    },
    deribit: tier === 'off' ? { ...deribit, credits: 'off' } : { credits: 'on', tier },
  };
}

/** Another rate that saves up for as long as `rule`, so that a burst means the same at each rate. */
const atRate = (rule: BucketRule, perSecond: number): BucketRule => ({
  perSecond,
  burst: Math.max(1, Math.round((rule.burst / rule.perSecond) * perSecond)),
});

const timesRate = (rule: BucketRule, factor: number): BucketRule =>
  atRate(rule, rule.perSecond * factor);

/** Why Deribit's wire is not served; `undefined` if it is. */
export function whyNoDeribit({
  gateway,
  venues,
}: Pick<Config, 'gateway'> & {
  readonly venues: Readonly<Record<string, VenuePlace>>;
}): string | undefined {
  if (!gateway.deribit.served) return 'gateway.deribit.served is false';
  // Orders on this machine cost nothing: they are those of the built-in exchange.
  const live = Object.entries(venues).filter(([, venue]) => !isLocal(venue));
  if (live.length === 0) return undefined;
  return `${live.map(([name]) => name).join(', ')} is not a paper exchange`;
}

/** Who comes to the page by a proxy; `undefined`: nobody. */
export function proxySignIn({ gateway, proxySecret }: Config): ProxySignIn | undefined {
  const section = gateway.page.proxySignIn;
  if (section === undefined || proxySecret === undefined) return undefined;
  const { personHeader, people } = section;
  return { personHeader, secretHeader: PROXY_SECRET_HEADER, secret: proxySecret.reveal(), people };
}

/** How sessions of the page live. */
export const pageRules = ({ gateway, venues }: Config): PageRules => ({
  access: gateway.page.access,
  idleMs: gateway.page.idleMinutes * MINUTE_MS,
  sessionMs: gateway.page.sessionHours * HOUR_MS,
  traded: moneyOf(venues, true),
  confirmsByClick: hasPaperOnly(venues),
});
