// Limits that can be replaced while the gateway is serving: holders of the object, or of a part of it, always
// see the values in force. Counters are not reset.
import type { GatewayLimits, Lane, RidLane } from './limits.ts';
import type { BucketRule } from './token-bucket.ts';

export class LiveLimits {
  /** Always the same object. */
  readonly current: GatewayLimits;
  /** Rates of the portfolio operations and of the order methods. */
  readonly rates: Readonly<Record<Lane | RidLane, BucketRule>>;

  constructor(limits: GatewayLimits) {
    const { rates, address, work, stream, rid, deribit } = limits;
    this.current = {
      ...limits,
      rates: { ...rates },
      address: { ...address },
      work: { ...work },
      stream: { ...stream },
      rid: { ...rid, rates: { ...rid.rates } },
      deribit: { ...deribit },
    };
    this.rates = { ...rates, ...rid.rates };
  }

  replace(limits: GatewayLimits): void {
    const { rates, address, work, stream, rid, deribit, ...plain } = limits;
    const { current } = this;
    Object.assign(current, plain);
    Object.assign(current.rates, rates);
    Object.assign(current.address, address);
    Object.assign(current.work, work);
    Object.assign(current.stream, stream);
    Object.assign(current.deribit, deribit);
    const { rates: ridRates, ...ridPlain } = rid;
    Object.assign(current.rid, ridPlain);
    Object.assign(current.rid.rates, ridRates);
    Object.assign(this.rates, rates, ridRates);
  }
}
