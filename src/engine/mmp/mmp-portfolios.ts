// Connects market maker protection with the portfolios that name a group: it learns their groups, and they are
// re-evaluated when a freeze ends, instead of being left to their next check.
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { Engine } from '../engine.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { CommittedTurn } from '../turns/committed-turn.ts';
import type { MmpProtecting } from './mmp-guard.ts';

export interface MmpPortfoliosOptions {
  readonly mmp: Pick<MmpProtecting, 'start' | 'drain' | 'stop' | 'know' | 'onThaw'>;
  readonly engine: Pick<Engine, 'advance'> & { readonly turns: Pick<Engine['turns'], 'states'> };
}

type Thawed = Parameters<Parameters<MmpProtecting['onThaw']>[0]>[0];

export class MmpPortfolios implements EngineComponent {
  readonly #options: MmpPortfoliosOptions;
  #unsubscribe = (): void => undefined;

  constructor(options: MmpPortfoliosOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { mmp } = this.#options;
    await mmp.start();
    this.#unsubscribe = mmp.onThaw((thawed) => this.#thawed(thawed));
  }

  drain(): Promise<void> {
    this.#unsubscribe();
    return this.#options.mmp.drain();
  }

  stop(): void {
    this.#unsubscribe();
    this.#options.mmp.stop();
  }

  committed({ state }: Pick<CommittedTurn, 'state'>): void {
    this.decided(state);
  }

  decided({ id, spec }: PortfolioState): void {
    const { mmpGroup } = spec.execution;
    if (mmpGroup !== undefined) this.#options.mmp.know(id, mmpGroup);
  }

  #thawed({ account, group }: Thawed): void {
    const { engine } = this.#options;
    for (const { id, spec } of engine.turns.states()) {
      const isMeant = spec.accountId === account && spec.execution.mmpGroup !== undefined;
      if (isMeant && (group === '' || spec.execution.mmpGroup === group)) void engine.advance(id);
    }
  }
}
