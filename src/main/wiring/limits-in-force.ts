// The limits that a reload may change while portfolios run: what may be submitted, and the largest
// child order. A lowered limit blocks what is new and forces nothing.

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
  /** One object for the engine's whole life; its limits on one order and block follow reloads. */
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

  /** Of the controls at the gate. */
  get controls(): ControlLimits {
    return this.#controls;
  }

  /** Takes over the limits of a configuration that was read again. */
  reload(config: Config): void {
    this.#submit = submitLimits(config);
    this.#controls = controlLimits(config);
    const settings = engineSettings(config);
    this.#orderUsdMax = settings.orderUsdMax;
    this.#blockUsdMax = settings.blockUsdMax;
  }
}
