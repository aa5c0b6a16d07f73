import { setImmediate } from 'node:timers';
import { describe } from 'vitest';
import { MemoryEngineLine } from '../../../src/virtual/memory/memory-engine-line.ts';
import { engineLineConformance } from '../../conformance/deployment/engine-line.ts';

const CALLS_MAX = 8;

describe('MemoryEngineLine', () => {
  engineLineConformance(() => {
    const line = new MemoryEngineLine({ carry: (act) => setImmediate(act), callsMax: CALLS_MAX });
    return Promise.resolve({
      line,
      callsMax: CALLS_MAX,
      connect: (serving) => Promise.resolve(line.connect(serving)),
      disconnect: () => Promise.resolve(line.disconnect()),
    });
  });
});
