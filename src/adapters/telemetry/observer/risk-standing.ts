// Which trading switches are not active and which groups of market-maker protection are not ready, as last
// observed: for gauges and the terminal. Bounded, because names come from outside.
import type {
  MmpGroupName,
  MmpKind,
  MmpStatus,
  SwitchScope,
  SwitchState,
} from '../../../ports/risk-observer.ts';
import { SWITCH_STATES } from '../metric-values.ts';
import type { Metrics } from '../metrics/metrics.ts';

type OffState = Exclude<SwitchState, 'active'>;
type NotReady = Exclude<MmpStatus, 'ready'>;

/** Beyond this number they are still logged and counted, but absent from the gauges. */
const NAMES_MAX = 10_000;

export class RiskStanding {
  readonly #metrics: Metrics;
  readonly #off = new Map<string, { readonly scope: SwitchScope; readonly state: OffState }>();
  readonly #frozen = new Map<string, { readonly kind: MmpKind; readonly status: NotReady }>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  switchSet(scope: SwitchScope, of: string, state: SwitchState): void {
    const key = `${scope}/${of}`;
    const { switches } = this.#metrics;
    if (scope === 'deployment') {
      for (const one of SWITCH_STATES) switches.set({ scope, state: one }, one === state ? 1 : 0);
      return;
    }
    const before = this.#off.get(key);
    if (before !== undefined) switches.dec({ scope, state: before.state });
    this.#off.delete(key);
    if (state === 'active' || this.#off.size >= NAMES_MAX) return;
    this.#off.set(key, { scope, state });
    switches.inc({ scope, state });
  }

  mmpSet({ account, index, kind, group }: MmpGroupName, status: MmpStatus): void {
    const key = JSON.stringify([account, index, kind, group]);
    const { mmpGroups } = this.#metrics;
    const before = this.#frozen.get(key);
    if (before !== undefined) mmpGroups.dec({ kind, status: before.status });
    this.#frozen.delete(key);
    if (status === 'ready' || this.#frozen.size >= NAMES_MAX) return;
    this.#frozen.set(key, { kind, status });
    mmpGroups.inc({ kind, status });
  }
}
