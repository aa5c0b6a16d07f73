import { describe } from 'vitest';
import { MemoryActionLog } from '../../../src/virtual/memory/memory-action-log.ts';
import { actionLogConformance } from '../../conformance/action-log.ts';

describe('MemoryActionLog', () => {
  actionLogConformance(() => Promise.resolve(new MemoryActionLog()));
});
