// Source-text mutants of amounts: a rounding in the wrong direction, a lost sign, a dropped term.
import type { SourceMutant } from './source-mutant.ts';

export const MONEY_MUTANTS: readonly SourceMutant[] = [
  {
    name: 'catch-up-share-rounded-down',
    what: 'The share of what is behind is rounded down, so that the last slices have to carry the rest.',
    file: 'src/core/schedule/catch-up.ts',
    find: "denominator: slicesLeft, rounding: 'up' }",
    put: "denominator: slicesLeft, rounding: 'down' }",
    killedBy: ['test/core/catch-up.property.test.ts'],
  },
  {
    name: 'catch-up-cap-rounded-up',
    what: 'The cap of a slice that catches up is rounded up, above what was asked for.',
    file: 'src/core/schedule/catch-up.ts',
    find: "onStep(share(planned, demand.maxCatchUp), step, 'down')",
    put: "onStep(share(planned, demand.maxCatchUp), step, 'up')",
    killedBy: ['test/core/catch-up.property.test.ts'],
  },
  {
    name: 'mmp-limit-rounded',
    what: 'A limit of market-maker protection with more decimals than can be counted is taken.',
    file: 'src/core/mmp/mmp-config.ts',
    find: "isPositive(limit) && rounded(limit, LIMIT_PLACES, 'down').eq(limit)",
    put: 'isPositive(limit)',
    killedBy: ['test/core/mmp/decide-mmp.test.ts'],
  },
];
