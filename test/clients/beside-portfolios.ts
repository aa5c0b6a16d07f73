// Orders of a client, ccxt unmodified, in the account of a desk: they stand alongside those of a portfolio, pass the trading switches,
// and are in the action log.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../adapters/until.ts';
import { warmCli } from '../main/warm-cli.ts';
import { TWO_LEGS } from '../support/engine/two-legs.ts';
import { type Ccxt, ccxtErrors } from './ccxt-deribit.ts';
import { CcxtTrader, PERPETUAL } from './ccxt-trader.ts';
import { type ClientStage, TRADER } from './client-stage.ts';

export function besidePortfolios(stage: ClientStage): void {
  const trader = new CcxtTrader(stage, TRADER);
  beforeAll(async () => {
    stage.front.begin('ccxt beside portfolios');
    await trader.connect();
  });
  afterAll(() => trader.close());

  const resting = async (label: string): Promise<Ccxt> =>
    trader.place('limit', 'buy', 100, await trader.near(0.98), { label });

  test('an order of a client stands beside the children of a portfolio', async () => {
    const submitted = await stage.daemon.client.submit(TWO_LEGS);
    expect(submitted.kind).toBe('done');
    const order = await resting('beside');
    expect(order.status).toBe('open');
    await until(async () => {
      // Within the rate of queries, however long the first slice takes.
      await sleep(100);
      const trades: Ccxt[] = await trader.ccxt.fetchMyTrades(PERPETUAL);
      return trades.some(({ info }) => info.label?.startsWith('tw1-'));
    });
    expect((await trader.ccxt.fetchOrder(order.id)).status).toBe('open');
    await trader.ccxt.cancelOrder(order.id);
  });

  test('a label of the daemon’s own children is refused', async () => {
    await expect(resting('tw1-clnt-1-0-0-1')).rejects.toThrow(/label/);
  });

  test('a halt cancels the orders of clients and refuses new ones until it is lifted', async () => {
    const errors = await ccxtErrors();
    const order = await resting('before the halt');
    const of = { scope: 'deployment', reason: 'drill' } as const;
    expect(await stage.daemon.client.setSwitch({ ...of, state: 'halted' })).toMatchObject({
      kind: 'done',
    });
    await until(async () => (await trader.ccxt.fetchOrder(order.id)).status === 'canceled');
    await expect(resting('during the halt')).rejects.toThrow(errors['ExchangeError']);
    expect(await stage.daemon.client.setSwitch({ ...of, state: 'active' })).toMatchObject({
      kind: 'done',
    });
    const after = await resting('after the halt');
    expect(after.status).toBe('open');
    await trader.ccxt.cancelOrder(after.id);
  });

  test('the action log has who did what, and no secret is in the log', async () => {
    const words = ['actions', '--config', stage.files.configPath, '--json'];
    const logged = async (): Promise<{ label?: string; keyId: string; outcome: string }[]> =>
      JSON.parse((await warmCli.run(words)).out);
    await until(async () => (await logged()).some(({ label }) => label === 'after the halt'));
    const mine = (await logged()).filter(({ label }) => label === 'after the halt');
    expect(mine[0]).toMatchObject({ keyId: TRADER.id, outcome: 'done' });
    expect(stage.daemon.output()).not.toContain(TRADER.secret);
  });
}
