import { describe } from 'vitest';
import { MemoryActionLog } from '../../../src/virtual/memory/memory-action-log.ts';
import { actionLogConformance, actionPagesConformance } from '../../conformance/action-log.ts';

describe('MemoryActionLog', () => {
  actionLogConformance(() => Promise.resolve(new MemoryActionLog()));
  actionPagesConformance(() => {
    const log = new MemoryActionLog();
    return Promise.resolve({ log, pages: log });
  });
});
