// The limits that a reload may change while portfolios run: the submit limits and the largest child order. A
// lowered limit blocks new orders and forces nothing else.

import type { SubmitLimits } from '../../core/portfolio/admission/submit-limits.ts';
import type { ControlLimits } from '../../core/risk/gate/control-limits.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { Config } from '../config/config.ts';
import { engineSettings, submitLimits } from '../config/engine-settings.ts';
import { controlLimits } from '../config/rules/control-limit-rules.ts';

export class LimitsInForce {
  #submit: SubmitLimits;
  #controls: ControlLimits;
  #orderUsdMax: Settings['orderUsdMax'];
  #blockUsdMax: Settings['blockUsdMax'];
  /** One object for the engine's whole life; its limits on orders and blocks follow reloads. */
  readonly settings: Settings;

  constructor(config: Config) {
    this.#submit = submitLimits(config);
    this.#controls = controlLimits(config);
    const settings = engineSettings(config);
    this.#orderUsdMax = settings.orderUsdMax;
    this.#blockUsdMax = settings.blockUsdMax;
    this.settings = Object.defineProperties(
      { ...settings },
      {
        orderUsdMax: { enumerable: true, get: () => this.#orderUsdMax },
        blockUsdMax: { enumerable: true, get: () => this.#blockUsdMax },
      },
    );
  }

  get submit(): SubmitLimits {
    return this.#submit;
  }

  /** Limits of the controls at the gate. */
  get controls(): ControlLimits {
    return this.#controls;
  }

  /** Adopts the limits of a reloaded configuration. */
  reload(config: Config): void {
    this.#submit = submitLimits(config);
    this.#controls = controlLimits(config);
    const settings = engineSettings(config);
    this.#orderUsdMax = settings.orderUsdMax;
    this.#blockUsdMax = settings.blockUsdMax;
  }
}
