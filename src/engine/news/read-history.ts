// Reads the past messages of one portfolio from its stored events: without its state, and without the engine's thread.
import type { AuditReads } from '../../ports/audit-reads.ts';
import { accountId } from '../../values/ids.ts';
import type { ReadHistory } from '../interface/news-api.ts';
import { pastNewsOf } from '../turns/publish-events.ts';

export const historyFrom =
  (reads: Pick<AuditReads, 'eventsAfter'>): ReadHistory =>
  async ({ portfolio, after, limit }) => {
    const events = await reads.eventsAfter(portfolio, after, limit);
    const [first] = after === 0 ? events : await reads.eventsAfter(portfolio, 0, 1);
    if (first?.kind !== 'submitted') return undefined;
    const { accountId: account, legs } = first.spec;
    return {
      account: accountId(account),
      news: pastNewsOf(events, { after, legs }),
      end: after + events.length,
      isComplete: events.length < limit,
    };
  };
