// News to many listeners: the time from an event to its message at each of them.
import type { PortfolioNews } from '../src/ports/event-bus.ts';
import type { Turn } from '../src/ports/ledger.ts';
import { quantity } from '../src/values/amounts.ts';
import { must } from '../src/values/assert.ts';
import { accountId, portfolioId } from '../src/values/ids.ts';
import { instant } from '../src/values/instant.ts';
import { type GatewayDaemon, LISTENERS, openClient, told } from './gateway-daemon.ts';
import { KEY } from './key.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

const PER_SECOND = 200;
const SECONDS = 10;

export async function benchListeners(daemon: GatewayDaemon): Promise<Row[]> {
  const messages = PER_SECOND * SECONDS;
  const record = await somePortfolio(daemon);
  const client = openClient(new URL('./gateway-listener.ts', import.meta.url));
  const key = { ...KEY, keyId: KEY.id };
  const wish = { kind: 'fan out', port: daemon.port, key, connections: LISTENERS, messages };
  client.send(wish);
  await told(client);
  const cpuFrom = process.cpuUsage();
  const report = told(client);
  const startMs = performance.now();
  for (let n = 0; n < messages; n += 1) {
    const waitMs = startMs + (n * 1_000) / PER_SECOND - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    publish(daemon, { ...record, version: n + 1, at: instant(Date.now()) });
  }
  const heard = await report;
  client.kill();
  if (heard.kind !== 'fan out') throw new Error(heard.kind);
  const { delaysMs } = heard;
  const cpu = process.cpuUsage(cpuFrom);
  const core = (cpu.user + cpu.system) / 1_000_000 / ((performance.now() - startMs) / 1_000);
  return [
    {
      what: `${LISTENERS} listeners, ${PER_SECOND} messages a second (${heard.heard} received)`,
      value: `p50 ${percentile(delaysMs, 0.5)} ms, p99 ${percentile(delaysMs, 0.99)} ms`,
      yardstick: `${(core * 100).toFixed(0)} % of a core in this process, ${(heard.core * 100).toFixed(0)} % in the listeners'`,
    },
  ];
}

async function somePortfolio({ wired }: GatewayDaemon): Promise<PortfolioNews> {
  const form = {
    accountId: accountId('10001'),
    portfolioType: 'TWAP' as const,
    customizedNote: '',
    dummyAccounts: [],
    execution: {},
    twapTrade: { durationSec: 600, frequencySec: 60 },
    startAt: instant(Date.now() + 3_600_000),
    legs: [
      {
        instrument: 'BTC-PERPETUAL',
        instrumentType: 'perpetual' as const,
        side: 'buy' as const,
        quantity: quantity('10000'),
        priceOptions: { priceType: 'market' as const },
        priceSnapshot: [],
        postOnly: false,
        reduceOnly: false,
        hidden: false,
        hedge: false,
      },
    ],
  };
  const outcome = await wired.operations.submit(form, { uid: '1', nickname: 'bench' });
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  const record = must(await wired.operations.info(outcome.value.portfolio), 'just submitted');
  const portfolio = portfolioId(record.portfolio);
  const account = accountId(record.account);
  return { messageType: 'PORTFOLIO_SLICE', portfolio, account, version: 1, at: instant(0), record };
}

function publish({ bus, log }: GatewayDaemon, news: PortfolioNews): void {
  const { portfolio, account, version } = news;
  const turn = { portfolio, row: { account }, fromVersion: version - 1, events: [0], tells: 1 };
  log.add([turn as unknown as Turn]);
  bus.publish([news]);
}
