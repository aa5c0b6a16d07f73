// Archives the days of a ledger in a process of its own, which kills itself when it begins the step that is named.
// Arguments: address, place, day before which, step or `none`.
import process from 'node:process';
import { archiveDays } from '../../../../src/main/ledger/archive/archive-ledger.ts';
import type { DayName } from '../../../../src/ports/archive/submit-day.ts';
import { filesAt } from './archive-place.ts';

const [connectionString = '', place = '', before = '', fatal = ''] = process.argv.slice(2);
await archiveDays(
  {
    connectionString,
    files: filesAt(JSON.parse(place)),
    deployment: 'test',
    witness: { of: () => undefined },
    now: () => new Date(),
    onStep: (_day, step) => {
      process.stdout.write(`${step}\n`);
      if (step === fatal) process.kill(process.pid, 'SIGKILL');
    },
  },
  before as DayName,
);
