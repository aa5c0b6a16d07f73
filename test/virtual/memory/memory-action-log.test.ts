import { describe } from 'vitest';
import { actionLogConformance, actionPagesConformance } from '../../conformance/action-log.ts';
import { MemoryActionLog } from '../../doubles/memory/memory-action-log.ts';

describe('MemoryActionLog', () => {
  actionLogConformance(() => Promise.resolve(new MemoryActionLog()));
  actionPagesConformance(() => {
    const log = new MemoryActionLog();
    return Promise.resolve({ log, pages: log });
  });
});
