// From a breach to its alert: the longest waits of auditor, scrape and rule, as shipped, add up to less than
// 5 s, with time left for the work itself. That the alert fires at all is shown by
// test/daemon/watched.daemon.test.ts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AUDIT_MS } from '../../src/main/config/engine-settings.ts';

const PROMISED_MS = 5_000;
const FOR_THE_WORK_MS = 500;
const FOLDER = 'config/prometheus';
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

interface Rule {
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
}

interface Group {
  readonly interval?: string;
  readonly rules: readonly Rule[];
}

interface Scraping {
  readonly global: { readonly scrape_interval: string; readonly evaluation_interval: string };
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly scrape_interval?: string;
  }[];
}

function msOf(duration: string): number {
  const [, amount, unit = ''] = /^(\d+)(ms|s|m)$/.exec(duration) ?? [];
  const unitMs = UNIT_MS[unit];
  if (unitMs === undefined) throw new Error(`${duration} is not a duration of one unit`);
  return Number(amount) * unitMs;
}

const read = <T>(path: string): T => parse(readFileSync(path, 'utf8')) as T;
const scraping = read<Scraping>(`${FOLDER}/prometheus.yml`);
const groups = scraping.rule_files.flatMap(
  (file) => read<{ readonly groups: readonly Group[] }>(`${FOLDER}/${file}`).groups,
);
const breachGroups = groups.filter(({ rules }) =>
  rules.some(({ expr }) => expr.includes('twapd_audit_breaches_total')),
);

describe('from a breach to its alert', () => {
  it('one rule alerts on a breach, without waiting for it to last', () => {
    const rules = breachGroups.flatMap((group) => group.rules);
    expect(rules.map(({ alert }) => alert)).toEqual(['TwapdAuditBreach']);
    expect(rules[0]?.for).toBeUndefined();
  });

  it('at most 5 s pass from a breach to its alert', () => {
    const scrapesMs = scraping.scrape_configs
      .filter(({ job_name: job }) => job === 'twapd')
      .map((one) => msOf(one.scrape_interval ?? scraping.global.scrape_interval));
    const rulesMs = breachGroups.map(({ interval = scraping.global.evaluation_interval }) =>
      msOf(interval),
    );
    expect([scrapesMs.length, rulesMs.length]).toEqual([1, 1]);
    const waitedMs = AUDIT_MS + Math.max(...scrapesMs) + Math.max(...rulesMs);
    expect(waitedMs).toBeLessThanOrEqual(PROMISED_MS - FOR_THE_WORK_MS);
  });
});
