// Strategies as an engine serves them that follows two, and has a file with a fault.
import { reject } from '../../../src/core/rejection.ts';
import type {
  StrategiesApi,
  StrategySwitch,
  StrategyView,
} from '../../../src/engine/interface/strategies-api.ts';
import { instant } from '../../../src/values/instant.ts';
import { NOW_MS, perpetualBody } from '../gateway-under-test.ts';

const VIEWS: readonly StrategyView[] = [
  {
    ...{ name: 'one', description: 'First', file: 'one.yaml', account: '10001', label: 'one' },
    ...{ schedule: '0 16 * * 1-5 UTC', isEnabledInFile: true, isOn: true },
    nextDueAt: instant(NOW_MS + 1_000),
    body: { ...perpetualBody(), strategy: 'one' },
  },
  {
    ...{ name: 'two', description: '', file: 'two.yaml', account: '10002', label: 'two' },
    ...{ isEnabledInFile: false, isOn: false, body: perpetualBody() },
  },
];

export class ListedStrategies implements StrategiesApi {
  readonly set: (StrategySwitch & { readonly name: string })[] = [];

  view() {
    const faults = [{ file: 'bad.yaml', line: 3, column: 5, field: 'name', message: 'is missing' }];
    const strategies = VIEWS.map((view) => {
      const set = this.set.findLast(({ name }) => name === view.name);
      if (set === undefined) return view;
      return { ...view, isOn: set.state === 'file' ? view.isOn : set.state === 'on', switch: set };
    });
    return Promise.resolve({ areRead: true, strategies, faults });
  }

  setSwitch(name: string, setting: StrategySwitch) {
    if (!VIEWS.some((one) => one.name === name)) {
      const rejections = [reject('not_found', 'strategy', 'is not there')];
      return Promise.resolve({ kind: 'refused', rejections } as const);
    }
    this.set.push({ ...setting, name });
    return Promise.resolve({ kind: 'done', value: null } as const);
  }
}
