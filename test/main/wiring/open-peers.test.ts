// The links of a daemon without a key outside the database.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Secret } from '../../../src/main/config/secrets/secret.ts';
import { serviceSection } from '../../../src/main/config/sections/service-section.ts';
import { openPeers } from '../../../src/main/wiring/open-peers.ts';
import { instant } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';

const service = serviceSection.parse({});
const KEY = new Secret(randomBytes(32).toString('base64'));

/** What a start warns of, with a link that listens on this address. */
async function warnings(host: string, linkKey: Secret | undefined): Promise<readonly string[]> {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const peers = await openPeers({
    config: { service: { ...service, link: { ...service.link, host } }, linkKey },
    ledger: new MemoryLedger({ now: () => instant(0) }),
    log: { hide: () => undefined, logger },
    report: (error) => expect.fail(String(error)),
  });
  await peers.close();
  return lines;
}

test('a link beyond loopback without a key is warned of once, with what to set', async () => {
  const lines = await warnings('0.0.0.0', undefined);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('service.link.host: is 0.0.0.0');
  for (const name of ['TWAPD_KEYS_SECRET', 'gateway.keysSecret', 'TWAPD_LINK_KEY']) {
    expect(lines[0]).toContain(name);
  }
});

test('a link with a key, or on loopback, is not warned of', async () => {
  expect(await warnings('0.0.0.0', KEY)).toEqual([]);
  expect(await warnings('127.0.0.1', undefined)).toEqual([]);
});
