import { describe } from 'vitest';
import { MemoryPageSessions } from '../../../src/virtual/memory/memory-page-sessions.ts';
import { pageSessionsConformance } from '../../conformance/page/page-sessions.ts';

describe('MemoryPageSessions', () => {
  const sessions = new MemoryPageSessions();
  pageSessionsConformance(() => Promise.resolve(sessions));
});
