import { setImmediate } from 'node:timers';
import { describe } from 'vitest';
import { engineLineConformance } from '../../conformance/deployment/engine-line.ts';
import { MemoryEngineLine } from '../../doubles/memory/memory-engine-line.ts';

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
