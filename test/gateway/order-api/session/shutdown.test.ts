// Channels while the gateway closes: their sources may be closed before their clients are.
import { expect, it } from 'vitest';
import { until } from '../../../adapters/until.ts';
import { RidClient } from '../rid-client.ts';
import { BTC, RidStage } from '../rid-stage.ts';

it.each([
  ['that does not answer', (client: RidClient) => client.socket.pause()],
  ['that has just closed', (client: RidClient) => client.socket.close()],
])('a failed read for a client %s is not reported as an error', async (_, leave) => {
  let isHeld = false;
  let fail: ((error: Error) => void) | undefined;
  const held = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  held.catch(() => undefined);
  let asked = 0;
  const stage = await RidStage.start();
  const { market } = stage.venue;
  const ticker = market.ticker.bind(market);
  market.ticker = (name) => {
    if (!isHeld) return ticker(name);
    asked += 1;
    return held;
  };
  const client = await RidClient.connect(stage);
  await client.get('private/subscribe', { channels: [`ticker.${BTC}.raw`] });
  isHeld = true;
  await until(() => asked > 0);
  leave(client);
  const closing = stage.close();
  fail?.(new Error('the venue is closed'));
  await closing;
  expect(stage.gateway.reported).toEqual([]);
  client.socket.terminate();
});
