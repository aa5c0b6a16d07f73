// What a row says of its state: the portfolio's own word, or the trading switch that holds it back.
import type { SwitchRecord } from '../../gateway/client/client.ts';
import type { BlotterRow, StateWord } from './blotter-row.ts';

interface Held {
  /** Such as `held: deployment halted`. */
  readonly text: string;
  /** Who set the switch, and why. */
  readonly why: string;
}

interface Scoped {
  readonly accountId: string;
  /** Empty: of none. */
  readonly strategy: string;
  /** Of a portfolio; empty: of none. */
  readonly id: string;
}

const WIDEST_FIRST = ['deployment', 'account', 'strategy', 'portfolio'] as const;
const STATES_THAT_HOLD = ['halted', 'reducing'] as const;

/** The strictest switch that holds it back, and of equally strict ones the widest; `undefined`: none does. */
export function heldBy(switches: readonly SwitchRecord[], of: Scoped): Held | undefined {
  const names = { deployment: '', account: of.accountId, strategy: of.strategy, portfolio: of.id };
  const concerned = WIDEST_FIRST.flatMap((scope) =>
    switches.filter(
      (one) =>
        one.scope === scope && one.of === names[scope] && (scope === 'deployment' || one.of !== ''),
    ),
  );
  const [first] = STATES_THAT_HOLD.flatMap((state) =>
    concerned.filter((one) => one.state === state),
  );
  if (first === undefined) return undefined;
  const what = first.scope === 'deployment' ? 'deployment' : `${first.scope} ${first.of}`;
  return {
    text: `held: ${what} ${first.state}`,
    why: `by ${first.nickname === '' ? first.uid : first.nickname}: ${first.reason}`,
  };
}

export interface Standing {
  readonly kind: StateWord | 'held';
  readonly text: string;
  /** Empty without a reason. */
  readonly why: string;
}

/** A switch is named where the portfolio would otherwise trade. */
export function standingOf(row: BlotterRow, switches: readonly SwitchRecord[]): Standing {
  const { state, why } = row;
  const mayTrade = state === 'active' || state === 'waiting';
  const held = mayTrade ? heldBy(switches, row) : undefined;
  return held === undefined ? { kind: state, text: state, why } : { kind: 'held', ...held };
}
