import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe } from 'vitest';
import { PostgresNoticeOutbox } from '../../../../src/adapters/postgres/notify/postgres-notice-outbox.ts';
import { openPostgresLedger } from '../../../../src/adapters/postgres/postgres-ledger.ts';
import { noticeOutboxConformance } from '../../../conformance/notify/notice-outbox.ts';
import { turnEventsConformance } from '../../../conformance/notify/turn-events.ts';
import { createDatabase } from '../../../support/daemon/services.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

describe('PostgresNoticeOutbox', () => {
  noticeOutboxConformance(async () => {
    const { connectionString, drop } = await createDatabase();
    cleanUp.push(drop);
    const view = () => {
      const outbox = new PostgresNoticeOutbox({ connectionString });
      cleanUp.push(() => outbox.close());
      return outbox;
    };
    return { view, pass: sleep };
  });
});

describe('PostgresTurnEvents', () => {
  turnEventsConformance(async () => {
    const { connectionString, drop } = await createDatabase();
    cleanUp.push(drop);
    const ledger = await openPostgresLedger({ connectionString });
    cleanUp.push(() => ledger.close());
    return { ledger, log: ledger.turnLog, events: ledger.turnEvents };
  });
});
