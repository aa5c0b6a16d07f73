// An order at the moment it is sent, child or manual, with its state at the exchange: the input of the
// control oracles.
import type { AccountId } from '../../../src/values/ids.ts';
import type { Instrument, Side } from '../../../src/values/instrument.ts';
import type { TrueOrder } from '../oracles/exchange.oracle.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';

export interface CheckedOrder {
  readonly daemon: SimulatedDaemon;
  /** The one that sends it: the daemon continues to its next life. */
  readonly life: SimulatedDaemon['life'];
  readonly account: AccountId;
  readonly instrument: Instrument;
  readonly side: Side;
  /** Total, what is filled included. */
  readonly quantity: number;
  readonly price: number;
  readonly label: string;
  readonly reduceOnly: boolean;
  /** It may match as it arrives. */
  readonly takes: boolean;
  /** The order that is changed, as the exchange has it. */
  readonly before: TrueOrder | undefined;
  /** Of a new child. */
  readonly child:
    | { readonly portfolio: string; readonly leg: number; readonly slice: number }
    | undefined;
}

/** Spot counts in its quote; of an option nothing is said. */
export const usdOf = (
  { kind, amountUnit }: Instrument,
  quantity: number,
  price: number,
): number => {
  if (amountUnit === 'usd') return quantity;
  return kind === 'option' ? 0 : quantity * price;
};
