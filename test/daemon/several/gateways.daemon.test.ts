// Two engines and two gateways of one deployment, each a process of its own, as on several machines: a client may ask either
// gateway, a gateway asks whichever engine is there, and the engine passes to the owner what is not its own. One engine does
// not have the master secret of the others, only the key of links that is derived from it.
import { hkdfSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../src/gateway/client/client.ts';
import { until } from '../../adapters/until.ts';
import { submitAgain } from '../../support/daemon/daemon-deployment.ts';
import {
  ANSWER_MS,
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startEngine,
  startGateway,
} from '../../support/daemon/daemon-process.ts';
import { FaultStage } from '../../support/daemon/fault-stage.ts';
import { course } from '../../support/engine/two-legs.ts';

const SECONDS = 10;
const FILLED = 2;
const TAKER = {
  keyId: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};

let stage: FaultStage;
let files: DaemonFiles;
const engines: Daemon[] = [];
const gateways: Daemon[] = [];

const MASTER = 'bWFzdGVyIHNlY3JldCBvZiBhIHRlc3QsIDMyIGJ5dGVzIQ==';
const LINK_KEY = Buffer.from(
  hkdfSync('sha256', Buffer.from(MASTER, 'base64'), '', 'twapd engine link v1', 32),
).toString('base64');

/** The stage's stores and exchange, with a data folder of this name. */
const environment = (folder: string): Record<string, string> => ({
  ...stage.environment,
  TWAPD_DATA_DIR: join(files.folder, folder),
});

const clientAt = ({ url }: Daemon) => connect({ baseUrl: url, timeoutMs: ANSWER_MS, ...TAKER });

const isReady = async ({ url }: Daemon): Promise<boolean> => {
  const answer = await fetch(`${url}/readyz`);
  return answer.status === 200;
};

beforeAll(async () => {
  stage = await FaultStage.open({ deployment: 'gwys' });
  // The engines take over from the stage's daemon, on its exchange and its stores.
  expect(await stage.terminate()).toBe(0);
  files = { ...daemonFiles('gwys', stage.configPath), configPath: stage.configPath };
  const withoutMaster = { ...environment('other'), TWAPD_LINK_KEY: LINK_KEY };
  const { configPath } = files;
  const bare = readFileSync(configPath, 'utf8');
  const keyed = `${bare}gateway: { keysSecret: file:${join(files.folder, 'master')} }\n`;
  writeFileSync(configPath, keyed);
  engines.push(await startEngine(files, withoutMaster));
  writeFileSync(join(files.folder, 'master'), MASTER, { mode: 0o600 });
  engines.unshift(await startEngine(files, environment('one')));
  for (const name of ['a', 'b']) gateways.push(await startGateway(files, environment(name)));
  for (const gateway of gateways) await until(() => isReady(gateway));
});
afterAll(async () => {
  for (const one of [...gateways, ...engines]) await one.end('SIGKILL');
  await stage.close();
  files.remove();
});

async function filled(id: string, at: Daemon): Promise<void> {
  await until(async () => {
    const info = await clientAt(at).info(id);
    return info.kind === 'done' && info.value.portfolioStatus === FILLED;
  }, 120_000);
}

const submitted = (at: Daemon, key: string): Promise<string> =>
  submitAgain(clientAt(at), course(SECONDS), key);

test('a portfolio that is submitted at one gateway is seen, paused and resumed at the other', async () => {
  const [a, b] = gateways as [Daemon, Daemon];
  const id = await submitted(a, 'one-gateway');
  for (const act of ['pause', 'resume'] as const) {
    expect(await clientAt(b)[act](id)).toMatchObject({ kind: 'done' });
  }
  await filled(id, b);
});

test('when an engine is killed, the gateways ask the other one, and every portfolio is filled', async () => {
  const [a, b] = gateways as [Daemon, Daemon];
  const ids = await Promise.all([0, 1, 2, 3].map((n) => submitted(n % 2 ? a : b, `kill-${n}`)));
  await engines.shift()?.end('SIGKILL');
  for (const gateway of gateways) await until(() => isReady(gateway), 120_000);
  for (const id of ids) await filled(id, a);
});

test('a gateway that is stopped ends with 0, and the other serves on', async () => {
  const stopped = gateways.shift() as Daemon;
  expect(await stopped.end('SIGTERM')).toBe(0);
  const [rest] = gateways as [Daemon];
  await filled(await submitted(rest, 'rest'), rest);
});

test('an engine that is stopped ends with 0', async () => {
  for (const engine of engines.splice(0)) expect(await engine.end('SIGTERM')).toBe(0);
});
