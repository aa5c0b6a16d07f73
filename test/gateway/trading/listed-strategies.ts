// Strategies as an engine serves them that follows two, and has a file with a fault.
import { reject } from '../../../src/core/rejection.ts';
import type {
  StrategiesApi,
  StrategySwitch,
  StrategyView,
} from '../../../src/engine/interface/strategies-api.ts';
import { type Instant, instant } from '../../../src/values/instant.ts';
import { NOW_MS, perpetualBody } from '../gateway-under-test.ts';

const viewsAt = (nextDueAt: Instant): readonly StrategyView[] => [
  {
    name: 'one',
    description: 'First',
    file: 'one.yaml',
    account: '10001',
    label: 'one',
    schedule: '0 16 * * 1-5 UTC',
    isEnabledInFile: true,
    isOn: true,
    nextDueAt,
    body: { ...perpetualBody(), strategy: 'one' },
  },
  {
    name: 'two',
    description: '',
    file: 'two.yaml',
    account: '10002',
    label: 'two',
    isEnabledInFile: false,
    isOn: false,
    body: perpetualBody(),
  },
];

export class ListedStrategies implements StrategiesApi {
  readonly set: (StrategySwitch & { readonly name: string })[] = [];
  readonly #views: readonly StrategyView[];

  constructor(nextDueAt = instant(NOW_MS + 1_000)) {
    this.#views = viewsAt(nextDueAt);
  }

  view() {
    const faults = [{ file: 'bad.yaml', line: 3, column: 5, field: 'name', message: 'is missing' }];
    const strategies = this.#views.map((view) => {
      const set = this.set.findLast(({ name }) => name === view.name);
      if (set === undefined) return view;
      return { ...view, isOn: set.state === 'file' ? view.isOn : set.state === 'on', switch: set };
    });
    return Promise.resolve({ areRead: true, strategies, faults });
  }

  setSwitch(name: string, setting: StrategySwitch) {
    if (!this.#views.some((one) => one.name === name)) {
      const rejections = [reject('not_found', 'strategy', 'is not there')];
      return Promise.resolve({ kind: 'refused', rejections } as const);
    }
    this.set.push({ ...setting, name });
    return Promise.resolve({ kind: 'done', value: null } as const);
  }
}
