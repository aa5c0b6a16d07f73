// Checks from the files alone that `docker compose up` shows live panels without a click: which service finds
// which other under which name, port, path, role and password.

import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../src/main/config/load-config.ts';
import { must } from '../src/values/assert.ts';
import { nonEmpty } from './support/non-empty.ts';

const textOf = (path: string): string => readFileSync(path, 'utf8');
const yamlOf = <T>(path: string): T => parse(textOf(path), { merge: true }) as T;

interface Service {
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly command?: readonly string[];
}

const { services } = yamlOf<{ readonly services: Readonly<Record<string, Service>> }>(
  'compose.yaml',
);
const service = (name: string): Service => must(services[name], `service ${name}`);

/** The project file that a service sees at a path. */
function seenAt(name: string, path: string): string {
  for (const volume of service(name).volumes ?? []) {
    const [source = '', target = ''] = volume.split(':');
    if (path === target) return source;
    if (path.startsWith(`${target}/`)) return posix.join(source, path.slice(target.length));
  }
  throw new Error(`nothing of the project is mounted at ${path} of ${name}`);
}

/** Whether both are on a common network. */
function meet(one: string, other: string): boolean {
  const theirs = new Set(service(other).networks);
  return (service(one).networks ?? []).some((network) => theirs.has(network));
}

const daemonPort = (): number => {
  const secret = Buffer.from('a secret for this test, long enough').toString('base64');
  const environment = (variable: string) => (variable === 'TWAPD_KEY_SECRET' ? secret : undefined);
  const read = loadConfig('config/compose.yaml', { environment });
  if (read.kind === 'faulty') throw new Error(JSON.stringify(read.faults));
  return read.value.service.port;
};

interface DataSource {
  readonly uid: string;
  readonly type: string;
  readonly url: string;
  readonly user?: string;
  readonly isDefault?: boolean;
  readonly jsonData: { readonly database?: string };
  readonly secureJsonData?: { readonly password: string };
}

/** By uid, from the folder that Grafana provisions them from. */
const dataSources = new Map(
  globSync(`${seenAt('grafana', '/etc/grafana/provisioning/datasources')}/*.yaml`)
    .flatMap((path) => yamlOf<{ readonly datasources: readonly DataSource[] }>(path).datasources)
    .map((source) => [source.uid, source] as const),
);

interface Board {
  readonly refresh: string;
  readonly time: { readonly from: string; readonly to: string };
  readonly templating: {
    readonly list?: readonly {
      readonly name: string;
      readonly type: string;
      readonly refresh?: number;
    }[];
  };
}

describe('the daemon in a container', () => {
  it('the daemon is published on the port where its configuration has it listen', () => {
    const [port = ''] = service('twapd').ports ?? [];
    expect(port.split(':').at(-1)).toBe(String(daemonPort()));
    const image = textOf('Dockerfile');
    expect(image).toContain(`TWAPD_PORT=${daemonPort()}`);
    expect(image).toContain('TWAPD_HOST=0.0.0.0');
    expect(image).toContain(`EXPOSE ${daemonPort()}`);
    expect(image).toMatch(/^HEALTHCHECK /m);
  });

  it('the daemon reads the configuration and the strategies of the project', () => {
    const [, config = ''] = /TWAPD_CONFIG=(\S+)/.exec(textOf('Dockerfile')) ?? [];
    expect(seenAt('twapd', config)).toBe('./config/compose.yaml');
    const { strategies } = yamlOf<{ readonly service: { readonly strategies: string } }>(
      'config/compose.yaml',
    ).service;
    expect(seenAt('twapd', strategies)).toBe('./strategies');
  });

  it('the daemon has something to show from its start: a strategy on a configured account', () => {
    const { accounts } = yamlOf<{ readonly accounts: readonly { readonly id: string }[] }>(
      'config/compose.yaml',
    );
    const begins = globSync('strategies/*.yaml').filter((path) => {
      const {
        enabled = true,
        schedule,
        portfolio,
      } = yamlOf<{
        readonly enabled?: boolean;
        readonly schedule: { readonly at?: string };
        readonly portfolio: { readonly accountId: number };
      }>(path);
      const isKnown = accounts.some(({ id }) => id === String(portfolio.accountId));
      return enabled && isKnown && schedule.at === 'start';
    });
    expect(begins).not.toEqual([]);
  });

  it('the daemon finds Redis and PostgreSQL by service name, user and database', () => {
    const { environment = {} } = service('twapd');
    // Compose substitutes the secret, which would not be valid in an address as written here.
    const ledger = new URL(
      must(environment['DATABASE_URL'], 'DATABASE_URL').replace(/\$\{[^}]*\}/, 'secret'),
    );
    const postgres = service('postgres').environment ?? {};
    expect(meet('twapd', ledger.hostname)).toBe(true);
    expect(ledger.username).toBe(postgres['POSTGRES_USER']);
    expect(ledger.pathname).toBe(`/${postgres['POSTGRES_DB']}`);
    expect(meet('twapd', new URL(must(environment['REDIS_URL'], 'REDIS_URL')).hostname)).toBe(true);
  });
});

describe('Prometheus in a container', () => {
  const path = (service('prometheus').command ?? [])
    .find((word) => word.startsWith('--config.file='))
    ?.slice('--config.file='.length);
  const configPath = must(path, '--config.file');
  const config = yamlOf<{
    readonly rule_files: readonly string[];
    readonly scrape_configs: readonly {
      readonly metrics_path: string;
      readonly static_configs: readonly { readonly targets: readonly string[] }[];
    }[];
  }>(seenAt('prometheus', configPath));

  it('Prometheus scrapes the daemon by its name, on its port and path', () => {
    const [job] = config.scrape_configs;
    expect(job?.metrics_path).toBe('/metrics');
    expect(job?.static_configs).toEqual([{ targets: [`twapd:${daemonPort()}`] }]);
    expect(meet('prometheus', 'twapd')).toBe(true);
    expect(textOf(seenAt('prometheus', configPath))).toContain(
      'credentials_file: /run/secrets/metrics-token',
    );
    expect(textOf('compose.yaml')).toContain('environment: TWAPD_METRICS_TOKEN');
  });

  it('Prometheus sees every rule file beside its configuration', () => {
    for (const file of nonEmpty(config.rule_files)) {
      expect(textOf(seenAt('prometheus', posix.join(posix.dirname(configPath), file)))).toContain(
        'groups:',
      );
    }
  });
});

describe('Alertmanager in a container', () => {
  const [path = ''] = (service('alertmanager').command ?? []).flatMap((word) =>
    word.startsWith('--config.file=') ? [word.slice('--config.file='.length)] : [],
  );

  it('Prometheus sends alerts to Alertmanager by its name, on its port', () => {
    const { alerting } = yamlOf<{
      readonly alerting: {
        readonly alertmanagers: readonly {
          readonly static_configs: readonly { readonly targets: readonly string[] }[];
        }[];
      };
    }>('config/prometheus/prometheus.yml');
    expect(alerting.alertmanagers[0]?.static_configs).toEqual([{ targets: ['alertmanager:9093'] }]);
    expect(meet('prometheus', 'alertmanager')).toBe(true);
  });

  it('Alertmanager reads the addresses of its chats from secrets that it is given', () => {
    const text = textOf(seenAt('alertmanager', path));
    const asked = [...text.matchAll(/\/run\/secrets\/([\w-]+)/g)].map(([, name = '']) => name);
    expect(nonEmpty(asked).toSorted()).toEqual(service('alertmanager').secrets?.toSorted());
    const { secrets } = yamlOf<{
      readonly secrets: Readonly<Record<string, { readonly environment: string }>>;
    }>('compose.yaml');
    for (const name of asked) {
      // The comment at the top of the file says what each variable is.
      expect(textOf('compose.yaml')).toMatch(
        new RegExp(`^#   ${secrets[name]?.environment} `, 'm'),
      );
    }
  });
});

describe('Grafana in a container', () => {
  it('Grafana reaches each data source by the name of a service on a common network', () => {
    expect([...dataSources.keys()].sort()).toEqual(['twapd-ledger', 'twapd-prometheus']);
    for (const { url } of dataSources.values()) {
      const { hostname, port } = new URL(url.includes('://') ? url : `tcp://${url}`);
      expect(meet('grafana', hostname), url).toBe(true);
      expect(port).toBe(hostname === 'postgres' ? '5432' : '9090');
    }
    expect(dataSources.get('twapd-prometheus')?.isDefault).toBe(true);
  });

  it('Grafana finds the dashboards where the provider looks, and one of them is the home page', () => {
    const [file = ''] = globSync(
      `${seenAt('grafana', '/etc/grafana/provisioning/dashboards')}/*.yaml`,
    );
    const { providers } = yamlOf<{
      readonly providers: readonly { readonly options: { readonly path: string } }[];
    }>(file);
    const folders = providers.map(({ options }) => seenAt('grafana', options.path));
    expect(folders).toEqual(['./config/grafana/dashboards']);
    const home = service('grafana').environment?.['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'];
    expect(JSON.parse(textOf(seenAt('grafana', must(home, 'home dashboard'))))).toHaveProperty(
      'uid',
    );
    // No log-in is needed to view.
    expect(service('grafana').environment).toMatchObject({
      GF_AUTH_ANONYMOUS_ENABLED: 'true',
      GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
    });
  });

  it('the dashboards query only provisioned data sources, by their type', () => {
    for (const path of nonEmpty(globSync('config/grafana/dashboards/*.json'))) {
      const asked = textOf(path).matchAll(/"type": "([^"]+)",\s+"uid": "(twapd-[^"]+)"/g);
      let count = 0;
      for (const [, type, uid = ''] of asked) {
        expect(dataSources.get(uid)?.type, `${path} ${uid}`).toBe(type);
        count += 1;
      }
      expect(count, path).toBeGreaterThan(0);
    }
  });

  it('the dashboards show the present, refresh every few seconds, and re-evaluate their variables', () => {
    for (const path of nonEmpty(globSync('config/grafana/dashboards/*.json'))) {
      const { refresh, time, templating } = JSON.parse(textOf(path)) as Board;
      expect(refresh, path).toMatch(/^\d{1,2}s$/);
      expect(time).toMatchObject({ from: expect.stringMatching(/^now-/), to: 'now' });
      for (const { name, type, refresh: when } of templating.list ?? [])
        if (type === 'query') expect(when, name).toBeGreaterThan(0);
    }
  });

  it('Grafana reads the ledger with the role that is created before it starts, with the same password', () => {
    const ledger = must(dataSources.get('twapd-ledger'), 'ledger');
    const { entrypoint = [], environment = {}, depends_on: needs = {} } = service('reader');
    const [, script = ''] = /--file=(\S+)/.exec(entrypoint.join(' ')) ?? [];
    const statements = textOf(seenAt('reader', script));
    expect(statements).toContain(`CREATE ROLE ${ledger.user} LOGIN`);
    expect(statements).toContain('\\getenv password READER_PASSWORD');
    expect(statements).toMatch(new RegExp(`GRANT SELECT ON .* TO ${ledger.user};`));
    expect(ledger.secureJsonData?.password).toBe('$READER_PASSWORD');
    expect(environment['READER_PASSWORD']).toBe(
      service('grafana').environment?.['READER_PASSWORD'],
    );
    // The role is granted tables that the daemon creates.
    expect(Object.keys(needs)).toContain('twapd');
    expect(Object.keys(service('grafana').depends_on ?? {})).toContain('reader');
    const postgres = service('postgres').environment ?? {};
    expect(ledger.jsonData.database).toBe(postgres['POSTGRES_DB']);
    expect(environment).toMatchObject({
      PGHOST: new URL(`tcp://${ledger.url}`).hostname,
      PGDATABASE: postgres['POSTGRES_DB'],
      PGUSER: postgres['POSTGRES_USER'],
      PGPASSWORD: postgres['POSTGRES_PASSWORD'],
    });
    expect(meet('reader', 'postgres')).toBe(true);
  });
});
