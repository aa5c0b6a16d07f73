// The order methods behind a gate where nothing is limited, switched off or protected, but for what a test names.
import { NEVER_SWITCHED } from '../../../src/engine/kill-switch/trading-switches.ts';
import { NO_PROTECTION } from '../../../src/engine/mmp/mmp-guard.ts';
import { OrderDesk, type OrderDeskOptions } from '../../../src/engine/order-entry/order-desk.ts';
import { Gate } from '../../../src/engine/risk/gate.ts';

type Guards = 'mmp' | 'switches' | 'gate';

export const openOrderDesk = (
  parts: Omit<OrderDeskOptions, Guards> & Partial<Pick<OrderDeskOptions, Guards>>,
): OrderDesk =>
  new OrderDesk({
    mmp: NO_PROTECTION,
    switches: NEVER_SWITCHED,
    gate: Gate.open(parts),
    ...parts,
  });
