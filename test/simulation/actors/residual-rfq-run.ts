// The Block RFQs of portfolios in one run: the makers that quote them, and the oracles that check them.
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { SIMULATED_SETTINGS } from '../checks/bounds.ts';
import {
  ResidualRfqOracle,
  type ResidualRfqOracleOptions,
} from '../oracles/residual-rfq.oracle.ts';
import type { SimulationPlan } from '../plan/plan.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import type { Requested } from '../world/venue-of-life.ts';
import { BlockMaker } from './block-maker.ts';

export interface ResidualRfqRunOptions
  extends Omit<ResidualRfqOracleOptions, 'reachMs' | 'skewMs'> {
  readonly plan: SimulationPlan;
}

export class ResidualRfqRun {
  readonly #truth: ResidualRfqOracle;
  readonly #maker: BlockMaker;

  constructor({ plan, ...parts }: ResidualRfqRunOptions) {
    const { skewMs } = plan.margins;
    const reachMs = SIMULATED_SETTINGS.quoteAgeMaxMs + skewMs + plan.marketStepMs;
    this.#truth = new ResidualRfqOracle({ ...parts, reachMs, skewMs });
    this.#maker = new BlockMaker(plan.seed, parts.market);
  }

  act(alive: readonly SimulatedDaemon[]): void {
    this.#maker.act(alive);
  }

  /** True when it was about an RFQ of a portfolio. */
  heard(event: ExchangeEvent): boolean {
    return this.#truth.heard(event);
  }

  /** True when it was about an RFQ of a portfolio. */
  requested(daemon: SimulatedDaemon, requested: Requested): boolean {
    return this.#truth.requested(daemon, requested);
  }
}
