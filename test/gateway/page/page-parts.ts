// The page of a gateway under test, with money and a way to confirm of its own.
import { DEFAULT_PAGE_RULES } from '../../../src/gateway/page/page-access.ts';
import { readPageFiles } from '../../../src/gateway/page/page-files.ts';
import { MemoryPageSessions } from '../../doubles/memory/memory-page-sessions.ts';

export function pageOf(money: 'paper' | 'live', confirmsByClick: boolean) {
  const traded = { money, venues: money === 'live' ? ['deribit'] : [] };
  return {
    sessions: new MemoryPageSessions(),
    files: readPageFiles('dist/page'),
    rules: { ...DEFAULT_PAGE_RULES, traded, confirmsByClick },
  };
}
