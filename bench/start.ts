// Processor seconds of a command from its start to its end, alongside those of a Node that does nothing, in turns: `--version`
// and `--help`, which call nobody, and `list` and `quote`, which read the configuration and call a server that answers at
// once. From the sources, and from `dist` too where it is built. Then a warm start of the daemon.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { opened } from './opened.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';
import { benchWarmStart } from './warm-start.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const ROUNDS = 9;
const TARGET = 'at most 0.4 s';
const ENTRIES = ['src/main/cli.ts', 'dist/main/cli.js'];

const PAGE = { succ: true, code: 0, message: '', value: { totalCount: 0, values: [] } };
const BOOK = {
  result: {
    instrumentName: 'BTC-PERPETUAL',
    state: 'open',
    timestamp: 1_796_115_600_000,
    bids: [['90000', '10']],
    asks: [['90000.5', '10']],
    stats: { volume: '1', low: null, high: null, priceChange: null },
  },
};

export async function benchStart(): Promise<readonly Row[]> {
  const stack = opened();
  const server = await answering();
  stack.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entries = ENTRIES.filter((entry) => existsSync(join(ROOT, entry)));
  const commands = [['--version'], ['--help'], ['list', '--url', url]];
  commands.push(['quote', 'BTC-PERPETUAL', '--url', url]);
  const runs = [
    { what: 'node -e 0', words: ['-e', '0'] },
    ...entries.flatMap((entry) =>
      commands.map((words) => ({ what: `${entry} ${words[0]}`, words: [entry, ...words] })),
    ),
  ].map((run) => ({ ...run, seconds: [] as number[] }));
  // The first round fills the compile cache and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { words, seconds } of runs) {
      const spent = await processorSec(words);
      if (round > 0) seconds.push(spent);
    }
  }
  const commandRows = runs.map(({ what, seconds }) => ({
    what: `processor time of ${what}`,
    value: `${Math.min(...seconds).toFixed(3)} s at least, ${percentile(seconds, 0.5).toFixed(3)} s in the middle of ${ROUNDS}`,
    ...(what.includes('cli') && { yardstick: TARGET }),
  }));
  return [...commandRows, ...(await benchWarmStart())];
}

/** User and system time of a Node with these words, as the shell measures it for a process that has ended. */
async function processorSec(words: readonly string[]): Promise<number> {
  const measured = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null';
  const env = { ...process.env, NO_COLOR: '1' };
  const given = ['-c', measured, '_', process.execPath, ...words];
  const { stderr } = await promisify(execFile)('bash', given, { cwd: ROOT, env });
  const [user, system] = stderr.trim().split(/\s+/).map(Number);
  return (user ?? Number.NaN) + (system ?? Number.NaN);
}

async function answering(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const isMethod = request.url?.startsWith('/api/') === true;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(isMethod ? BOOK : PAGE));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
