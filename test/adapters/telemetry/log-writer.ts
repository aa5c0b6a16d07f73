// A process that writes log lines to its standard output and ends in the way its argument says.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import process from 'node:process';
import { openLog } from '../../../src/adapters/telemetry/log/logger.ts';

const how = process.argv[2];
const log = openLog({ level: 'info', format: 'auto' });
for (let i = 0; i < 200; i += 1) log.logger.info({ i }, 'line');
if (how === 'exit') process.exit(3);
if (how === 'throw') throw new Error('on purpose');
if (how === 'stall') {
  // Far more than a pipe holds and than is written before the attempts to write it end.
  const text = 'x'.repeat(4_096);
  for (let i = 0; i < 4_000; i += 1) log.logger.info({ i, text }, 'line');
  let lost = 0;
  log.listen({
    onLine: () => undefined,
    onDropped: (lines) => {
      lost += lines;
    },
  });
  process.on('exit', () => writeSync(process.stderr.fd, `ended, lines lost: ${lost}`));
  process.exit(0);
}
if (how === 'outlive') {
  // The reader closes now; nobody reads what is written from here on.
  process.stdin.resume();
  await once(process.stdin, 'end');
  for (let i = 0; i < 200; i += 1) log.logger.info({ i }, 'into the void');
}
await log.close();
