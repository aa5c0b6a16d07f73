import { describe } from 'vitest';
import { nudgesConformance } from '../../conformance/nudges.ts';
import { MemoryNudges } from '../../doubles/memory/memory-nudges.ts';

describe('MemoryNudges', () => {
  nudgesConformance(() => {
    const faults: unknown[] = [];
    const nudges = new MemoryNudges((error) => faults.push(error));
    const [one, other] = [nudges.open(), nudges.open()];
    return Promise.resolve({ one, other, faults, close: () => Promise.resolve() });
  });
});
