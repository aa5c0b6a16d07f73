import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { EXCHANGE_OVERRIDES, OVERRIDES } from '../../../src/main/config/environment.ts';
import { Secret } from '../../../src/main/config/secrets/secret.ts';
import {
  cannotListen,
  listeningWarnings,
  requireFreePort,
} from '../../../src/main/lifecycle/listening.ts';
import { Authority } from '../../support/certificates/certificates.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function taken(): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  return typeof at === 'object' && at !== null ? at.port : 0;
}

type Given = Parameters<typeof requireFreePort>[0];
const given = (service: Readonly<Record<string, unknown>>, overrides = OVERRIDES): Given => ({
  config: { path: 'config/paper.yaml', service: service as unknown as Given['config']['service'] },
  overrides,
});

describe('a port that is in use', () => {
  test('a port in use is reported with the settings that select another one', async () => {
    const port = await taken();
    await expect(requireFreePort(given({ host: '127.0.0.1', port }))).rejects.toThrow(
      `port ${port} of 127.0.0.1 is in use by another process; stop that one, or set another port: service.port in config/paper.yaml, or TWAPD_PORT`,
    );
    await expect(
      requireFreePort(given({ host: '127.0.0.1', port }, EXCHANGE_OVERRIDES)),
    ).rejects.toThrow('TWAPD_EXCHANGE_PORT');
  });

  test('a port that passed the check is still free for the next listener', async () => {
    const port = await taken();
    await new Promise((resolve) => servers.pop()?.close(resolve));
    await requireFreePort(given({ host: '127.0.0.1', port }));
    await requireFreePort(given({ host: '127.0.0.1', port }));
    await requireFreePort(given({ host: '127.0.0.1', port: 0 }));
  });
});

describe('an address that cannot be listened on', () => {
  test.each([
    ['EACCES', 'a port from 1024 on'],
    ['EADDRNOTAVAIL', 'is not an address of this machine (EADDRNOTAVAIL)'],
    ['ENOTFOUND', 'TWAPD_HOST'],
  ])('an address that fails with %s is reported with what is accepted', (code, said) => {
    const error = Object.assign(new Error('raw'), { code });
    const told = cannotListen(error, given({ host: '192.0.2.1', port: 80 }));
    expect((told as Error).message).toContain(said);
  });

  test('any other error is returned unchanged', () => {
    const error = new Error('raw');
    expect(cannotListen(error, given({ host: '127.0.0.1', port: 80 }))).toBe(error);
  });
});

describe('certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-listening-'));
  const authority = new Authority(folder, 'authority');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const warned = (days: number): readonly string[] => {
    const { cert, key } = authority.certify('gateway', { days });
    return listeningWarnings({ tls: { cert, key: new Secret(key) } });
  };

  test('a certificate that ends within two weeks causes a warning that says when', () => {
    expect(warned(30)).toEqual([]);
    expect(warned(3).join()).toMatch(/expires at \d{4}-.*renew it and send SIGHUP/);
  });

  test('without TLS there is nothing to warn of', () => {
    expect(listeningWarnings({})).toEqual([]);
  });
});
