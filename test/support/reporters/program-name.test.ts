// How the programs that tests start are named where their costs are shown.
import { expect, test } from 'vitest';
import { programOf } from './program-name.ts';

test.each([
  [['/usr/bin/redis-server', 'unixsocket:/x'], 'redis-server'],
  [
    ['/usr/bin/setpriv', '--reuid=70', '--clear-groups', '/pg/bin/postgres', '-D', '/x'],
    'postgres',
  ],
  [['/n/node', '--quiet', '/src/main/cli.ts', 'start', '--config', 'x.yaml'], 'twapd start'],
  [['/n/node', '/src/main/cli.ts', 'export', '--json'], 'other commands of twapd'],
  [['/n/node', '-e', 'setInterval(() => {}, 9)'], 'node'],
  [['/n/node', 'test/main/warm-cli-process.ts'], 'node warm-cli-process.ts'],
])('the costs of %j are those of %s', (words, name) => {
  expect(programOf(words)).toBe(name);
});
