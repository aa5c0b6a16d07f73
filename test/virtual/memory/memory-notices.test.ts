import { describe } from 'vitest';
import { instant, later } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { noticeOutboxConformance } from '../../conformance/notify/notice-outbox.ts';
import { turnEventsConformance } from '../../conformance/notify/turn-events.ts';
import { MemoryNoticeOutbox } from '../../doubles/memory/memory-notice-outbox.ts';
import { MemoryTurnEvents } from '../../doubles/memory/memory-turn-events.ts';

describe('MemoryNoticeOutbox', () => {
  noticeOutboxConformance(() => {
    let now = instant(0);
    const outbox = new MemoryNoticeOutbox(() => now);
    const pass = (ms: number): Promise<void> => {
      now = later(now, ms);
      return Promise.resolve();
    };
    return Promise.resolve({ view: () => outbox, pass });
  });
});

describe('MemoryTurnEvents', () => {
  turnEventsConformance(() => {
    const ledger = new MemoryLedger({ now: () => instant(0) });
    return Promise.resolve({ ledger, log: ledger.turnLog, events: new MemoryTurnEvents(ledger) });
  });
});
