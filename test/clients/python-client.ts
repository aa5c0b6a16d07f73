// The delivered Python client: every operation of the daemon, and what each did.
import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { METHODS } from '../../src/gateway/order-api/method-table.ts';
import { PORTFOLIO_METHODS } from '../../src/gateway/portfolios/portfolio-methods.ts';
import { TRADING_METHODS } from '../../src/gateway/trading-routes.ts';
import { demoKeys } from '../main/cli-world.ts';
import type { ClientStage } from './client-stage.ts';

const run = promisify(execFile);

export function pythonClient(stage: ClientStage): void {
  test('the Python client performs every operation of the daemon', async () => {
    const secrets = Object.fromEntries([...demoKeys()].map(([id, { secret }]) => [id, secret]));
    const words = [
      'test/daemon/python/every-operation.py',
      stage.daemon.url,
      JSON.stringify(secrets),
    ];
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run('python3', words, { env });
    expect(new Set(JSON.parse(stdout))).toEqual(
      new Set([
        ...METHODS.keys(),
        ...PORTFOLIO_METHODS.map(({ name }) => name),
        ...TRADING_METHODS.map(({ name }) => `trading/${name}`),
      ]),
    );
  });
}
