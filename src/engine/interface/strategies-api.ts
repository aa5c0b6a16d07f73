// Strategies as their files and people have set them: which are followed, when each is due next, and what is wrong with
// their files.
import type { Actor } from '../../core/terms/spec.ts';
import type { Instant } from '../../values/instant.ts';
import type { Outcome } from './change-operations.ts';

/** Overrides `enabled` of the file; `file` ends that. */
export interface StrategySwitch {
  readonly state: 'on' | 'off' | 'file';
  readonly by: Actor;
  readonly reason: string;
  readonly at: Instant;
}

export interface StrategyView {
  readonly name: string;
  readonly description: string;
  /** Name of its file in the folder of strategies. */
  readonly file: string;
  readonly account: string;
  /** What its portfolios carry as `strategy`. */
  readonly label: string;
  /** The submit body, plain JSON. */
  readonly body: unknown;
  /** In words; absent: it is submitted by people only. */
  readonly schedule?: string | undefined;
  readonly isEnabledInFile: boolean;
  /** Whether it is submitted when it is due. */
  readonly isOn: boolean;
  readonly switch?: StrategySwitch | undefined;
  readonly nextDueAt?: Instant | undefined;
}

export interface StrategyFault {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly field: string;
  readonly message: string;
}

export interface StrategiesView {
  /** Strategies are read once recovery has ended. */
  readonly areRead: boolean;
  /** By name; of a faulty file the last version without faults. */
  readonly strategies: readonly StrategyView[];
  readonly faults: readonly StrategyFault[];
}

export interface StrategiesApi {
  /** Rejects if the ledger cannot be read. */
  view(): Promise<StrategiesView>;
  /**
   * Resolves once the switch is durable. What was submitted before continues; a strategy that is switched on owes nothing
   * from before. Refuses unknown names; rejects if the ledger does.
   */
  setSwitch(name: string, setting: StrategySwitch): Promise<Outcome<null>>;
}
