import { describe } from 'vitest';
import { pageSessionsConformance } from '../../conformance/page/page-sessions.ts';
import { MemoryPageSessions } from '../../doubles/memory/memory-page-sessions.ts';

describe('MemoryPageSessions', () => {
  const sessions = new MemoryPageSessions();
  pageSessionsConformance(() => Promise.resolve(sessions));
});
