// Derives the limits of the gateway, and which wires it serves, from the configuration.
import { DEFAULT_LIMITS, type GatewayLimits } from '../../../gateway/limits/limits.ts';
import type { PageRules } from '../../../gateway/page/page-access.ts';
import type { ProxySignIn } from '../../../gateway/page/proxy-people.ts';
import { HOUR_MS, MINUTE_MS } from '../../../values/instant.ts';
import type { Config } from '../config.ts';
import { isLocal, type VenuePlace } from './venue-place.ts';

export function gatewayLimits({ gateway }: Pick<Config, 'gateway'>): GatewayLimits {
  const { perKey, perAddress, connectionsMax, inFlightMax } = gateway;
  const { strangersWork, strangersOpening } = gateway;
  const { credits, tier } = gateway.deribit;
  const { read, submit, cancel, order, orderCancel, query } = perKey;
  const { address, stream, rid } = DEFAULT_LIMITS;
  return {
    ...DEFAULT_LIMITS,
    connectionsMax,
    inFlightMax,
    rates: { read, submit, cancel },
    address: {
      ...address,
      failures: perAddress.failures,
      open: perAddress.open,
      connectionsMax: perAddress.connections,
      opening: perAddress.opening,
      openingOfAll: strangersOpening,
    },
    work: { key: perKey.work, address: perAddress.work, strangers: strangersWork },
    stream: { ...stream, connectionsPerKeyMax: perKey.newsConnections },
    rid: {
      ...rid,
      rates: { order, order_cancel: orderCancel, query },
      connectionsPerKeyMax: perKey.methodConnections,
      connectionsPerStrangerMax: perAddress.methodConnections,
    },
    deribit: { credits, tier },
  };
}

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
  const { personHeader, secretHeader, people } = section;
  return { personHeader, secretHeader, secret: proxySecret.reveal(), people };
}

/** How sessions of the page live. */
export const pageRules = ({ gateway }: Config): PageRules => ({
  access: gateway.page.access,
  idleMs: gateway.page.idleMinutes * MINUTE_MS,
  sessionMs: gateway.page.sessionHours * HOUR_MS,
});
