// Alerts and notifications about orders and portfolios, each fired by what it is about: limits that leave nothing to send, a
// venue that refuses, contradicts itself or grants little, protection that trips, a processor that is too slow.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prometheusProgram } from '../../monitoring/prometheus-program.ts';
import { clientOf, request } from '../../support/daemon/daemon-deployment.ts';
import type { FaultStage } from '../../support/daemon/fault-stage.ts';
import { course } from '../../support/engine/two-legs.ts';
import { notProved } from '../../support/reporters/not-proved.ts';
import { AlertStage, POLL, passive } from './alert-stage.ts';

const KEYS = {
  taker: ['demo-taker', 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ=='],
  maker2: ['demo-maker2', 'dHdhcGQtZGVtby1tYWtlcjItc2VjcmV0LTAxMjM0NTY3ODk='],
} as const;
/** Consecutive refusals after which a portfolio is paused. */
const REJECTS_MAX = 5;
const AT_ONCE = 8;
/** Messages at once, of which an exchange that takes credits grants fewer. */
const SMALL_BURST = 20;
/** Between two runs of the daemon; a timer of a quarter of a second always comes due while it stands still. */
const STANDS_MS = 500;
const RUNS_MS = 200;

const program = prometheusProgram('prometheus');
/** What the daemon requested at the exchange. */
const requests: string[] = [];
let alerts: AlertStage;
let stage: FaultStage;

interface OrderRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> & { readonly label: string };
}

const orders = (): readonly OrderRequest[] =>
  requests
    .map((text) => JSON.parse(text) as OrderRequest)
    .filter(({ method }) => /^private\/(buy|sell)$/.test(method));

/** Enters an order at the exchange itself, as another program with the same key would. */
async function enterAtExchange(key: keyof typeof KEYS, method: string, params: object) {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  );
  const answer = await fetch(`${stage.exchange.url}/api/v2/${method}?${query}`, {
    headers: { authorization: `Basic ${Buffer.from(KEYS[key].join(':')).toString('base64')}` },
  });
  expect(await answer.json()).toHaveProperty('result.order');
}

/** Changes the text of a configuration file and has its process read it again. */
function reconfigured(of: 'daemon' | 'exchange', change: (text: string) => string): void {
  const path = of === 'daemon' ? stage.configPath : stage.exchangeConfigPath;
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
  stage[of].process.kill('SIGHUP');
}

const spotSale = (seconds: number) => {
  const [, sale] = course(seconds).legs;
  return { ...course(seconds), legs: [sale] } as unknown as ReturnType<typeof course>;
};

const submitted = (count: number, name: string): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: count }, (_, n) => stage.submitAny(course(300), `${name}-${n}`)),
  );

const cancelled = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids) await alerts.done('cancel', id);
};

/** The grant is read at the login, and the exchange reads its configuration in its own time. */
async function loginsWithSmallGrant(): Promise<boolean> {
  stage.lines.venue.cut();
  await stage.ready();
  const text = await (await fetch(`${stage.daemon.url}/metrics`)).text();
  const burst = /^twapd_venue_rate_burst{venue="paper",bucket="messages"} (.*)$/m.exec(text)?.[1];
  return Number(burst) <= SMALL_BURST;
}

const priceAt = async (factor: number): Promise<string> => {
  const { result } = await request(stage.daemon, 10002, 'public/ticker', BTC);
  return String(Math.round(Number(result.markPrice) * factor));
};
const BTC = { instrumentName: 'BTC-PERPETUAL' };

describe.runIf(program !== undefined)('alerts on orders and portfolios', () => {
  beforeAll(async () => {
    alerts = await AlertStage.open(program ?? '', {
      deployment: 'alro',
      onRequest: (text) => requests.push(text),
      configured: (text) => `${text}\ncontrols: { rejectsMax: ${REJECTS_MAX} }\n`,
    });
    stage = alerts.daemons;
  });
  afterAll(() => alerts?.close());

  test('a limit below the size of every slice fires the alert on slices without an order', async () => {
    const id = await stage.submitAny(passive(120), 'skipped');
    reconfigured('daemon', (text) => text.replace('limits:', 'limits:\n  orderUsdMax: "10"'));
    await alerts.fires('SlicesSkipped');
    await alerts.done('cancel', id);
    reconfigured('daemon', (text) => text.replace('\n  orderUsdMax: "10"', ''));
  });

  test('a venue that refuses orders fires the alert on refusals, and people are notified of the portfolio that is paused', async () => {
    const price = Math.round(Number(await priceAt(1.2)));
    const all = { instrument_name: 'BTC_USDC', amount: 100, type: 'limit', price };
    await enterAtExchange('maker2', 'private/sell', all);
    const sale = { ...spotSale(120), accountId: 10003 };
    const submits = () => clientOf(stage.daemon, 10003).submit(sale, 'refused');
    await expect.poll(async () => (await submits()).kind, POLL).toBe('done');
    await alerts.fires('ChildrenRejected');
    await alerts.notified('paused');
  });

  test('an order that appears after it was proven absent fires the alert on broken assumptions', async () => {
    await stage.submitAny(passive(120), 'absent');
    await stage.lines.venue.strike({ nth: 2, when: 'before' });
    const { method, params } = orders().at(-1) as OrderRequest;
    const isAbsent = async (): Promise<boolean> => {
      const found = await stage.query(
        `SELECT 1 FROM event WHERE kind = 'child_unsent' AND data->>'label' = '${params.label}'`,
      );
      return found.length === 1;
    };
    await expect.poll(isAbsent, POLL).toBe(true);
    // As a venue does that accepts a request later than its validity allows.
    await enterAtExchange('taker', method, { ...params, valid_until: undefined });
    await alerts.fires('AssumptionBroken');
    await alerts.notified('contradiction');
  });

  test('protection without a frozen time that trips fires the alert on groups that wait for a reset', async () => {
    const group = { indexName: 'btc_usd', interval: 60, frozenTime: 0, quantityLimit: '0.01' };
    const set = await request(stage.daemon, 10002, 'block/rfqs/set_mmp_config', group);
    expect(set).toHaveProperty('result');
    const order = { ...BTC, quantity: '1000', price: await priceAt(1.005), mmp: true };
    const taken = { ...order, timeInForce: 'immediate_or_cancel' };
    expect(await request(stage.daemon, 10002, 'private/buy', taken)).toHaveProperty('result');
    await alerts.fires('MmpWaiting');
    await alerts.notified('mmp_tripped');
  });

  test('a machine that lets the daemon run a third of the time fires the alerts on late slices and on overload', async () => {
    const ids = await submitted(AT_ONCE, 'late');
    let isOver = false;
    const stalls = (async (): Promise<void> => {
      while (!isOver) {
        stage.daemon.signal('SIGSTOP');
        await sleep(STANDS_MS);
        stage.daemon.signal('SIGCONT');
        await sleep(RUNS_MS);
      }
    })();
    try {
      await alerts.fires('Overloaded');
    } finally {
      isOver = true;
      await stalls;
    }
    await alerts.fires('SlicesLateFast', 'SlicesLateSlow');
    await cancelled(ids);
  });

  test('a venue that grants fewer messages than portfolios need fires the alert on a rate limit that is spent', async () => {
    reconfigured('exchange', (text) => text.replace('tier: "off"', 'tier: 4'));
    await expect.poll(loginsWithSmallGrant, { ...POLL, interval: 1_000 }).toBe(true);
    await submitted(AT_ONCE, 'spent');
    await alerts.fires('VenueRateSpent');
  });
});

test('a machine without Prometheus says that no alert on orders was fired', () => {
  if (program === undefined) {
    notProved('the alerts', 'prometheus is not installed; apt-get install prometheus');
  }
});
