// The limits of the gate that hold for a deployment as a whole are shared out among its daemons, so that together they
// never exceed them; the share of one that joins begins empty (`src/engine/risk/message-budgets.ts`). What holds for an
// account is enforced by the one daemon that owns it and needs no share.
import type { ControlLimits, MessageRate } from '../../core/risk/gate/control-limits.ts';
import type { Ownership } from './ownership.ts';

/** An equal share of a rate; a bucket holds at least one message, or nothing could be sent. */
const shareOf = (rate: MessageRate, daemons: number): MessageRate => ({
  perSecond: rate.perSecond / daemons,
  burst: Math.max(1, Math.floor(rate.burst / daemons)),
});

/** The limits of one of so many daemons: its message budgets over all accounts are a share of those configured. */
export function deploymentLimitShare(limits: ControlLimits, daemons: number): ControlLimits {
  const { messages, version } = limits;
  if (messages === undefined || daemons === 1) return limits;
  const { instrument, process } = messages;
  return {
    ...limits,
    version: `${version}/${daemons}`,
    messages: {
      ...messages,
      ...(instrument !== undefined && { instrument: shareOf(instrument, daemons) }),
      ...(process !== undefined && { process: shareOf(process, daemons) }),
    },
  };
}

/** The limits in force at this daemon: the same object as long as neither they nor the number of daemons change. */
export function sharedLimits(
  limits: () => ControlLimits,
  ownership: Pick<Ownership, 'daemons'>,
): () => ControlLimits {
  let last = { of: limits(), daemons: 1, shared: limits() };
  return () => {
    const [of, daemons] = [limits(), ownership.daemons()];
    if (last.of !== of || last.daemons !== daemons) {
      last = { of, daemons, shared: deploymentLimitShare(of, daemons) };
    }
    return last.shared;
  };
}
