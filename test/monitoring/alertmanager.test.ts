// What a real Alertmanager with the configuration of the project sends to whom, and what it holds back.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type HttpReceiver, httpReceiver } from '../adapters/notices/http-receiver.ts';
import { inOrder } from '../support/in-order.ts';
import { nonEmpty } from '../support/non-empty.ts';
import { AlertmanagerServer, type PostedAlert } from './alertmanager-server.ts';
import { prometheusProgram } from './prometheus-program.ts';

inOrder();

interface Rule {
  readonly alert?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

const rules = ['alerts.yml', 'budgets.yml'].flatMap((file) => {
  const { groups } = parse(readFileSync(`config/prometheus/${file}`, 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  };
  return groups.flatMap((group) => group.rules);
});

test('every inhibition is about alerts that exist', () => {
  const { inhibit_rules: inhibitions } = parse(
    readFileSync('config/alertmanager/alertmanager.yml', 'utf8'),
  ) as {
    readonly inhibit_rules: readonly {
      readonly source_matchers: readonly string[];
      readonly target_matchers: readonly string[];
    }[];
  };
  const named = inhibitions
    .flatMap((one) => [...one.source_matchers, ...one.target_matchers])
    .flatMap((matcher) => matcher.match(/Twapd\w+/g) ?? []);
  const alerts = new Set(rules.map(({ alert }) => alert));
  for (const name of nonEmpty(named)) expect(alerts, name).toContain(name);
});

const program = prometheusProgram('alertmanager');

describe.runIf(program !== undefined)('the Alertmanager of the project', () => {
  let page: HttpReceiver;
  let ticket: HttpReceiver;
  let server: AlertmanagerServer;

  beforeAll(async () => {
    [page, ticket] = await Promise.all([httpReceiver(), httpReceiver()]);
    const chats = { 'alert-page-url': page.url, 'alert-ticket-url': ticket.url };
    server = await AlertmanagerServer.start(program ?? '', chats);
  });
  afterAll(async () => {
    await server.close();
    await Promise.all([page.close(), ticket.close()]);
  });

  /** An alert with the labels of its rule. */
  const alert = (name: string, more: Readonly<Record<string, string>> = {}): PostedAlert => ({
    labels: {
      ...rules.find((rule) => rule.alert === name)?.labels,
      alertname: name,
      ...more,
    },
    annotations: { summary: `${name} fires.`, runbook_url: `https://wiki.example.com/ops#${name}` },
  });
  const told = ({ received }: HttpReceiver): string => received.map(({ body }) => body).join('\n');

  test('a page and a ticket reach the people each is for, with a link to what to do', async () => {
    await server.post(alert('TwapdAuditBreach'), alert('TwapdClockStepped'));
    await expect.poll(() => told(page)).toContain('TwapdAuditBreach fires.');
    await expect.poll(() => told(ticket)).toContain('TwapdClockStepped fires.');
    expect(told(page)).toContain('https://wiki.example.com/ops#TwapdAuditBreach');
    expect(told(page)).not.toContain('TwapdClockStepped');
    expect(told(ticket)).not.toContain('TwapdAuditBreach');
  });

  test('server errors are not paged after a healed blip of a store, and are paged when they go on', async () => {
    const healed = alert('TwapdBlipHealed', { budget: 'http_errors' });
    await server.post(healed, alert('TwapdHttpErrorsFast'), alert('TwapdSlicesLateFast'));
    // Slices are still late: their budget is another one.
    await expect.poll(() => told(page)).toContain('TwapdSlicesLateFast fires.');
    expect(await server.states()).toMatchObject({
      TwapdHttpErrorsFast: 'suppressed',
      TwapdSlicesLateFast: 'active',
    });
    expect(told(page)).not.toContain('TwapdHttpErrorsFast');
    expect(told(page) + told(ticket)).not.toContain('TwapdBlipHealed');
    await server.post({ ...healed, endsAt: new Date().toISOString() });
    await expect.poll(() => told(page)).toContain('TwapdHttpErrorsFast fires.');
  });

  test('what follows from a ledger that is down is not paged beside it', async () => {
    await server.post(alert('TwapdLedgerDown'), alert('TwapdNotReady'));
    await expect.poll(() => told(page)).toContain('TwapdLedgerDown fires.');
    expect(await server.states()).toMatchObject({ TwapdNotReady: 'suppressed' });
    expect(told(page)).not.toContain('TwapdNotReady');
  });
});
