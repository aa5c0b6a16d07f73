// `check` against a real daemon: instruments, sizes and limits are judged by the rules of a submit.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { perpetualBody } from '../../gateway/gateway-under-test.ts';
import { twapd } from '../../main/cli-world.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../../support/daemon/daemon-process.ts';

let files: DaemonFiles;
let daemon: Daemon | undefined;
beforeAll(() => {
  files = daemonFiles('chck', 'config/paper.yaml', 'apart');
});
afterAll(async () => {
  await daemon?.end('SIGKILL');
  files.remove();
});

test('an unknown instrument gets the nearest listed ones, and a size its lot, at their lines', async () => {
  daemon = await startDaemon(files);
  const { url } = daemon;
  const file = (name: string, leg: object): string => {
    const path = join(files.folder, `${name}.json`);
    const [first] = perpetualBody()['legs'] as readonly object[];
    writeFileSync(path, JSON.stringify(perpetualBody({ legs: [{ ...first, ...leg }] }), null, 1));
    return path;
  };
  const paths = [
    file('fine', {}),
    file('typo', { instrument: 'BTC-PERPETUAI' }),
    file('gone', { instrument: 'BTC-27NOV20-20000-C', instrumentType: 'OPTION' }),
    file('small', { quantity: '15' }),
  ];
  const words = ['check', ...paths, '--config', files.configPath, '--url', url];
  const { code, out, err } = await twapd(words);
  expect(code).toBe(1);
  // The kind is left out where the name of the folder is long.
  expect(out).toMatch(/✓ \S+fine\.json +(?:\S+ \S+ +)?0 +asked/);
  expect(err).toMatch(/typo\.json:\d+:\d+ legs\[0\]\.instrument: .*such as BTC-PERPETUAL/);
  expect(err).toMatch(
    /gone\.json:\d+:\d+ legs\[0\]\.instrument: .* expired on 2020-11-27 08:00 UTC/,
  );
  expect(err).toMatch(/small\.json:\d+:\d+ legs\[0\]\.quantity: 15 is not a multiple of the lot/);
  expect(err).toContain('3 faults');
});
