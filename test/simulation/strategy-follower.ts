// The production strategy runner, as a run of the simulation opens it: due times, keys, cursor and retries are the
// runner's own; only the files are left out.
import type { Strategy } from '../../src/main/strategy/strategy.ts';
import { StrategyRunner } from '../../src/main/strategy/strategy-runner.ts';
import { wallTimeAt } from '../../src/values/wall-time.ts';
import type { FiringPlan, FollowStrategies } from './world/strategy-seam.ts';

/** Not that of the machine, nor of the clocks of a run. */
const ZONE = 'Asia/Tokyo';

export const followStrategies: FollowStrategies = (life, firings) => {
  const runner = new StrategyRunner(life);
  const inForce = new Map(firings.map((firing) => [firing.name, strategyOf(firing)]));
  void runner.follow({ inForce, faults: [] });
};

const strategyOf = ({ when, ...firing }: FiringPlan): Strategy => ({
  ...firing,
  description: '',
  enabled: true,
  schedule:
    typeof when === 'number'
      ? { kind: 'once', wall: wallTimeAt(when, ZONE), zone: ZONE }
      : { kind: 'cron', ...when },
  body: {},
  faultOf: (field, message) => ({ source: `${firing.name}.yaml`, field, message }),
  path: `${firing.name}.yaml`,
});
