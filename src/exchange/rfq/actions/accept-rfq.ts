// The taker's operations on an existing RFQ: accept at once or as soon as quotes allow it, cancel an accept,
// cancel the RFQ.
import { equals, text } from '../../../values/amounts.ts';
import { opposite, type Side } from '../../../values/instrument.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { Refusal } from '../../model/refusal.ts';
import type { BlockTrade } from '../blocks/block-trade.ts';
import { type Execution, executeRfq } from '../blocks/execute-rfq.ts';
import { checkHedge, checkLegs } from '../quote-checks.ts';
import { isLive, type Rfq, type RfqTrigger } from '../rfq.ts';
import { checkBooks, takersRfq } from '../rfq-access.ts';
import type {
  AcceptRfqCommand,
  CancelRfqCommand,
  CancelRfqTriggerCommand,
} from '../rfq-command.ts';
import { cancelled, endRfq } from '../rfq-end.ts';
import * as refusal from '../rfq-refusal.ts';

export interface AcceptOutcome {
  readonly rfq: Rfq;
  readonly trades: readonly BlockTrade[];
  /** The waiting trigger. */
  readonly trigger?: RfqTrigger | undefined;
}

export function acceptRfq(
  state: ExchangeState,
  command: AcceptRfqCommand,
): AcceptOutcome | Refusal {
  const rfq = takersRfq(state, command);
  if ('code' in rfq) return rfq;
  const refused = checkAccept(rfq, command) ?? checkBooks(state, rfq);
  if (refused !== undefined) return refused;
  const ticks = limitTicks(rfq, command);
  const done = executeRfq(state, rfq, { side: command.side, ticks });
  if (done.kind === 'filled') return { rfq: state.rfqs.get(rfq.number), trades: done.trades };
  if (done.kind === 'unfilled' && command.timeInForce === 'good_til_cancelled') {
    return waiting(state, rfq, { command, ticks });
  }
  return refusedBy(state, rfq, done);
}

function checkAccept(rfq: Rfq, command: AcceptRfqCommand): Refusal | undefined {
  if (rfq.status === 'created') {
    return refusal.otherReject('blockRfqId', `is in its grace until ${rfq.opensAt}`);
  }
  const whole = rfq.unit.mul(rfq.units) as typeof command.quantity;
  if (!equals(command.quantity, whole)) {
    return refusal.invalidAmount('quantity', `accepted: that of the RFQ, ${text(whole)}`);
  }
  const legs = command.legs && checkLegs(rfq, command.legs);
  return legs ?? checkHedge(rfq, command.hedge, false);
}

/** The worst acceptable price on the grid. */
function limitTicks({ resolution }: Rfq, { price, side }: AcceptRfqCommand): number {
  const exact = price.div(resolution).toNumber();
  return side === 'buy' ? Math.floor(exact) : Math.ceil(exact);
}

function refusedBy(
  state: ExchangeState,
  rfq: Rfq,
  { kind }: Exclude<Execution, { readonly kind: 'filled' }>,
): Refusal {
  switch (kind) {
    case 'unfilled':
      return refusal.notFullyFilled('price', 'quotes do not offer that for the whole quantity');
    case 'no_funds':
      return refusal.notEnoughFunds('quantity', 'accepted: what the account can carry');
    case 'no_leg_prices':
      endRfq(state, rfq, { status: 'failed', at: state.now });
      return refusal.otherReject('price', 'leg prices inside their bands do not add up to it');
  }
}

function waiting(
  state: ExchangeState,
  rfq: Rfq,
  { command, ticks }: { readonly command: AcceptRfqCommand; readonly ticks: number },
): AcceptOutcome {
  const { side, price } = command;
  const trigger: RfqTrigger = { state: 'untriggered', side, price, ticks, since: state.now };
  const current = state.rfqs.get(rfq.number);
  const triggers = [...current.triggers.filter((other) => other.side !== side), trigger];
  state.rfqs.change({ ...current, triggers, updatedAt: state.now });
  return { rfq: state.rfqs.get(rfq.number), trades: [], trigger };
}

/** To be called when a quote was added or changed. */
export function fireTriggers(state: ExchangeState, number: number): void {
  for (const side of ['buy', 'sell'] as const) {
    const rfq = state.rfqs.get(number);
    const trigger = rfq.triggers.find((one) => one.side === side && one.state === 'untriggered');
    if (trigger === undefined || !isLive(rfq)) continue;
    fire(state, rfq, trigger);
  }
}

function fire(state: ExchangeState, rfq: Rfq, trigger: RfqTrigger): void {
  const fired = withFired(rfq, trigger.side);
  const done = executeRfq(state, fired, trigger);
  if (done.kind === 'no_funds' || done.kind === 'no_leg_prices') {
    endRfq(state, fired, { status: 'failed', at: state.now });
  }
}

/** The record after the accept of `side` has been triggered. */
const withFired = (rfq: Rfq, side: Side): Rfq => ({
  ...rfq,
  triggers: rfq.triggers.map((trigger) =>
    trigger.side === opposite(side)
      ? cancelled(trigger, 'rfq_filled')
      : { ...trigger, state: 'triggered' },
  ),
});

export function cancelTrigger(
  state: ExchangeState,
  command: CancelRfqTriggerCommand,
): Rfq | Refusal {
  const rfq = takersRfq(state, command);
  if ('code' in rfq) return rfq;
  const { side } = command;
  const triggers = rfq.triggers.map((trigger) =>
    side === undefined || trigger.side === side ? cancelled(trigger, 'user_request') : trigger,
  );
  const isSame = triggers.every((trigger, at) => trigger === rfq.triggers[at]);
  if (!isSame) state.rfqs.change({ ...rfq, triggers, updatedAt: state.now });
  return state.rfqs.get(rfq.number);
}

export function cancelRfq(state: ExchangeState, command: CancelRfqCommand): Rfq | Refusal {
  const rfq = takersRfq(state, command);
  if ('code' in rfq) return rfq;
  endRfq(state, rfq, { status: 'cancelled', at: state.now });
  return state.rfqs.get(rfq.number);
}
