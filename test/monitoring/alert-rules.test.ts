// Runs every alert under promtool: it fires on the series that indicate trouble, and none fires in a busy,
// healthy hour.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { createMetrics } from '../../src/adapters/telemetry/metrics/metrics.ts';
import { readScrape, type Sample } from '../adapters/telemetry/scrape.ts';
import { ALERT_CASES, type AlertCase } from './alert-cases.ts';
import { prometheusProgram } from './prometheus-program.ts';

const FOLDER = 'config/prometheus';
const config = parse(readFileSync(`${FOLDER}/prometheus.yml`, 'utf8')) as {
  readonly rule_files: readonly string[];
};
const files = config.rule_files.map((name) => resolve(FOLDER, name));
const groupsOf = (file: string) => {
  const read = parse(readFileSync(file, 'utf8')) as {
    readonly groups: readonly {
      readonly name: string;
      readonly rules: readonly { readonly alert?: string }[];
    }[];
  };
  return read.groups;
};
const alerts = files
  .flatMap(groupsOf)
  .flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));

/**
 * Rules over days are scraped and evaluated rarely, those over minutes as often as in production: none of these is about a
 * budget, so the rules of the budgets are left out.
 */
const PACES = [
  { span: 'days', pattern: /d$/, every: '30m', scraped: '5m', rules: files },
  { span: 'hours', pattern: /h/, every: '5m', scraped: '1m', rules: files },
  {
    span: 'minutes',
    pattern: /^\d+m$/,
    every: '15s',
    scraped: '1m',
    rules: files.filter((file) => file.endsWith('/alerts.yml')),
  },
];

const promtool = prometheusProgram('promtool');
const scratch = mkdtempSync(join(tmpdir(), 'twapd-rules-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function promtoolSays(...words: readonly string[]): string {
  try {
    return execFileSync(promtool ?? 'promtool', words, {
      encoding: 'utf8',
      stdio: 'pipe',
      timeout: 200_000,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}`;
  }
}

/** The output of promtool's rule tests; it ends with SUCCESS or with FAILED and every difference. */
function outcome(
  name: string,
  tests: readonly object[],
  { every = '15s', rules = files } = {},
): string {
  const path = join(scratch, `${name}.yml`);
  const text = stringify({
    rule_files: rules,
    evaluation_interval: every,
    // Alerts see the ratios evaluated at the same instant.
    group_eval_order: rules.flatMap(groupsOf).map(({ name }) => name),
    tests,
  });
  writeFileSync(path, text);
  return promtoolSays('test', 'rules', path);
}

const inputOf = (series: AlertCase['series']) =>
  Object.entries(series).map(([name, values]) => ({ series: name, values }));

const firing = ({ alert, series, at, scraped: own }: AlertCase, scraped = '1m') => ({
  name: `${alert} at ${at}`,
  interval: own ?? scraped,
  input_series: inputOf(series),
  promql_expr_test: [
    {
      expr: `count by (alertname) (ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0`,
      eval_time: at,
      exp_samples: [{ labels: `{alertname="${alert}"}`, value: 1 }],
    },
  ],
});

/** An hour on a quiet day, scraped every 2 s, with a few seconds from its tenth minute in which PostgreSQL restarts. */
const BLIP = { interval: '2s', samples: 1_800, from: 300, until: 303 };

/** @param later server errors after the blip, by the number of the scrape */
function hourWithBlip(later: (scrape: number) => number = () => 0): AlertCase['series'] {
  const scrapes = Array.from({ length: BLIP.samples }, (_, scrape) => scrape);
  const isAway = (scrape: number): boolean => scrape >= BLIP.from && scrape < BLIP.until;
  const total = (step: (scrape: number) => number): string => {
    let sum = 0;
    return scrapes.map((scrape) => (sum += step(scrape))).join(' ');
  };
  const late = (scrape: number): number => (isAway(scrape) ? 2 : 0);
  return {
    'up{job="twapd"}': `1x${BLIP.samples}`,
    twapd_ledger_up: scrapes.map((scrape) => (isAway(scrape) ? 0 : 1)).join(' '),
    'twapd_failures_total{where="ledger"}': total((scrape) => (isAway(scrape) ? 4 : 0)),
    'twapd_http_requests_total{route="/x",code="200"}': total(() => 1),
    'twapd_http_requests_total{route="/x",code="503"}': total((scrape) =>
      isAway(scrape) ? 1 : later(scrape),
    ),
    twapd_slice_lateness_seconds_count: total(() => 2),
    'twapd_slice_lateness_seconds_bucket{le="0.25"}': total((scrape) => 2 - late(scrape)),
  };
}

/** What Alertmanager sends, by the rule that test/monitoring/alertmanager.test.ts checks there. */
const SENT_PAGES =
  'count by (alertname) (ALERTS{severity="page",alertstate="firing"} ' +
  'unless on (budget) ALERTS{alertname="TwapdBlipHealed",alertstate="firing"})';

const firingCount = (alerts: string, at: string, value: number) => ({
  expr: `count(ALERTS{alertname=~"${alerts}",alertstate="firing"})`,
  eval_time: at,
  exp_samples: [{ labels: '{}', value }],
});

/** Counters that increase in a busy hour, per 15 s; the others stay at zero. */
const MOVING: readonly (readonly [RegExp, number])[] = [
  [
    /^twapd_slice_lateness_seconds_(count|bucket\{.*le="(0\.01|0\.025|0\.\d*[1-9]|\d+|\+Inf)")/,
    100,
  ],
  [/^twapd_(slices_(started|placed)|children_intended|turns|events|fills)_total/, 100],
  [/^twapd_child_outcomes_total\{.*outcome="(live|filled|cancelled)"/, 100],
  [/^twapd_venue_request_seconds_(count|bucket)\{.*class="ok"/, 100],
  [/^twapd_ledger_commit_seconds_(count|bucket\{.*le="(0\.05|0\.[1-9]|\d|\+Inf))/, 100],
  [/^twapd_slices_skipped_total\{reason="nothing_due"/, 5],
  [/^twapd_refusals_total|^twapd_sweeper_rescues_total$/, 0],
];
/** Gauges of a healthy daemon that are not zero. */
const STANDING: readonly (readonly [RegExp, number])[] = [
  [/^twapd_(ready|queue_up|ledger_up|venue_up)/, 1],
  [/^twapd_trading_switches\{.*scope="deployment".*state="active"/, 1],
  [/^twapd_queue_canary_age_seconds/, 4],
  [/^twapd_event_loop_lag_seconds/, 0.011],
  [/^twapd_active_legs/, 20],
  [/^twapd_schedule_shortfall_ratio_max/, 0.05],
];

const seriesName = ({ name, labels }: Sample): string => {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
};

async function healthyHour(): Promise<AlertCase['series']> {
  const metrics = createMetrics({ version: '1', deployment: 'test', venues: ['paper'] });
  const { samples } = readScrape(await metrics.registry.metrics());
  const names = samples.filter(({ name }) => name.startsWith('twapd_')).map(seriesName);
  const valuesOf = (name: string): string => {
    const step = MOVING.find(([pattern]) => pattern.test(name))?.[1];
    if (step !== undefined) return `0+${step}x250`;
    return `${STANDING.find(([pattern]) => pattern.test(name))?.[1] ?? 0}x250`;
  };
  return {
    'up{job="twapd"}': '1x250',
    'process_start_time_seconds{job="twapd"}': '100x250',
    'twapd_http_requests_total{route="/x",code="200"}': '0+500x250',
    'twapd_http_requests_total{route="/readyz",code="503"}': '0+5x250',
    ...Object.fromEntries(names.map((name) => [name, valuesOf(name)])),
  };
}

describe('the alerts', () => {
  it('every alert has a case that must make it fire', () => {
    const tried = new Set(ALERT_CASES.map(({ alert }) => alert));
    expect(alerts.filter((alert) => !tried.has(alert))).toEqual([]);
    expect([...tried].filter((alert) => !alerts.includes(alert))).toEqual([]);
  });
});

describe.runIf(promtool !== undefined)('the rules under promtool', () => {
  it('the rules and the configuration are valid', () => {
    expect(promtoolSays('check', 'rules', ...files)).not.toContain('FAILED');
    expect(promtoolSays('check', 'config', '--syntax-only', `${FOLDER}/prometheus.yml`)).toContain(
      'SUCCESS',
    );
  });

  it.each(PACES)(
    'every alert fires on its series, over $span',
    ({ span, pattern, scraped, ...evaluated }) => {
      const cases = ALERT_CASES.filter(({ at }) => pattern.test(at));
      expect(cases.length).toBeGreaterThan(5);
      const tests = cases.map((one) => firing(one, scraped));
      expect(outcome(span, tests, evaluated)).toMatch(/SUCCESS\s*$/);
    },
    240_000,
  );

  it('no alert fires in a busy, healthy hour', async () => {
    const quiet = {
      name: 'healthy hour',
      interval: '15s',
      input_series: inputOf(await healthyHour()),
      promql_expr_test: ['5m', '30m', '1h'].map((time) => ({
        expr: 'ALERTS',
        eval_time: time,
        exp_samples: [],
      })),
    };
    expect(outcome('quiet', [quiet], { every: '30s' })).toMatch(/SUCCESS\s*$/);
  }, 240_000);

  it('a store that was away for six seconds pages nobody', () => {
    const minutes = Array.from({ length: 49 }, (_, index) => `${index + 11}m`);
    const healed = {
      name: 'healed blip',
      interval: BLIP.interval,
      input_series: inputOf(hourWithBlip()),
      promql_expr_test: [
        ...minutes.map((time) => ({ expr: SENT_PAGES, eval_time: time, exp_samples: [] })),
        // The budgets alone would have paged, for requests and for slices.
        firingCount('TwapdHttpErrorsFast|TwapdSlicesLateFast', '14m', 2),
        firingCount('TwapdBlipHealed', '14m', 2),
      ],
    };
    expect(outcome('healed', [healed])).toMatch(/SUCCESS\s*$/);
  }, 240_000);

  it('errors that go on after the store is back page within five minutes', () => {
    const goingOn = {
      name: 'errors after a blip',
      interval: BLIP.interval,
      input_series: inputOf(
        hourWithBlip((scrape) => (scrape > BLIP.until && scrape % 15 === 0 ? 1 : 0)),
      ),
      promql_expr_test: ['15m', '20m'].map((time) => ({
        expr: SENT_PAGES,
        eval_time: time,
        exp_samples: [{ labels: '{alertname="TwapdHttpErrorsFast"}', value: 1 }],
      })),
    };
    expect(outcome('going-on', [goingOn])).toMatch(/SUCCESS\s*$/);
  }, 240_000);

  it('an alert links to its section at the configured address, also while the daemon is down', () => {
    const linked = {
      interval: '1m',
      input_series: inputOf({
        'twapd_config_info{runbook_url="https://wiki.example.com/ops"}': '1x10',
        'up{job="twapd"}': '1x10 0x20',
      }),
      alert_rule_test: [
        {
          eval_time: '20m',
          alertname: 'TwapdDown',
          exp_alerts: [
            {
              exp_labels: { severity: 'page', job: 'twapd' },
              exp_annotations: {
                summary: 'The daemon does not answer.',
                runbook: 'docs/operations.md#twapddown',
                runbook_url: 'https://wiki.example.com/ops#twapddown',
              },
            },
          ],
        },
      ],
    };
    expect(outcome('linked', [linked])).toMatch(/SUCCESS\s*$/);
  }, 240_000);

  it('the check for silence fails if an alert fires', () => {
    const [first] = ALERT_CASES.map((one) => firing(one));
    const wrong = {
      ...first,
      promql_expr_test: [{ expr: 'ALERTS', eval_time: '1h5m', exp_samples: [] }],
    };
    expect(outcome('wrong', [wrong], { every: '5m' })).toContain('FAILED');
  }, 240_000);
});
