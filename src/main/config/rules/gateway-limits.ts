// Derives the limits of the gateway from the configuration.
import { DEFAULT_LIMITS, type GatewayLimits } from '../../../gateway/limits/limits.ts';
import type { Config } from '../config.ts';

export function gatewayLimits({ gateway }: Pick<Config, 'gateway'>): GatewayLimits {
  const { perKey, perAddress, connectionsMax, inFlightMax } = gateway;
  const { strangersWork, strangersOpening } = gateway;
  const { read, submit, cancel, order, orderCancel, query } = perKey;
  const { address, stream, rid } = DEFAULT_LIMITS;
  return {
    ...DEFAULT_LIMITS,
    ...{ connectionsMax, inFlightMax },
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
  };
}
