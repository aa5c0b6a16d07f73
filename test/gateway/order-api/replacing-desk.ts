// The order methods of a venue with some of them replaced by a test.
import type { TradingDesk } from '../../../src/ports/trading-desk.ts';

/** A spread would lose the methods that the desk's class defines. */
export const replacing = (desk: TradingDesk, own: Partial<TradingDesk>): TradingDesk =>
  new Proxy(desk, {
    get: (target, name) => {
      if (name in own) return Reflect.get(own, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
