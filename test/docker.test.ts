import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../src/adapters/telemetry/metrics/metrics.ts';
import { loadConfig } from '../src/main/config/load-config.ts';
import { readScrape, type Scrape } from './adapters/telemetry/scrape.ts';
import { nonEmpty } from './support/non-empty.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** The instructions of a Dockerfile, with continued lines joined and comments dropped. */
function instructionsOf(text: string): readonly Instruction[] {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { word, rest };
    });
}

describe('the image', () => {
  const instructions = instructionsOf(textOf('Dockerfile'));
  const all = (word: string): readonly string[] =>
    instructions.filter((one) => one.word === word).map(({ rest }) => rest);
  const last = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'));
  const ofLast = (word: string): string | undefined =>
    last.findLast((one) => one.word === word)?.rest;

  it('the image is built in stages from one named Node image', () => {
    expect(all('FROM').length).toBeGreaterThan(1);
    for (const from of all('FROM')) expect(from).toMatch(/^\$\{NODE_IMAGE\}( AS [a-z]+)?$/);
    expect(all('ARG')).toEqual(['NODE_IMAGE=node:24-slim']);
  });

  it('the image installs from the lock file, runs no install scripts, and contains no development packages', () => {
    const installs = all('RUN').filter((run) => run.includes('npm'));
    expect(installs.filter((run) => run.includes('npm install'))).toEqual([]);
    for (const run of installs.filter((one) => one.includes('npm ci'))) {
      expect(run).toContain('--ignore-scripts');
    }
    const shipped = last.find(({ rest }) => rest.includes('node_modules'))?.rest ?? '';
    const [, stage = ''] = /--from=(\w+)/.exec(shipped) ?? [];
    const from = instructions.findIndex(({ rest }) => rest.endsWith(`AS ${stage}`));
    const install = instructions.slice(from).find(({ rest }) => rest.includes('npm ci'))?.rest;
    expect(install).toContain('--omit=dev');
  });

  it('the image says what it is, and has its licence and the list of its packages', () => {
    const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };
    const labels = ofLast('LABEL') ?? '';
    for (const [name, value] of [
      ['title', 'twapd'],
      ['version', version],
      ['licenses', 'Apache-2.0'],
    ]) {
      expect(labels).toContain(`org.opencontainers.image.${name}=${value}`);
    }
    const copied = last.filter(({ word }) => word === 'COPY').map(({ rest }) => rest);
    expect(copied.some((rest) => rest.includes('LICENSE'))).toBe(true);
    expect(copied.some((rest) => rest.includes('sbom.cdx.json'))).toBe(true);
  });

  it('the list of packages is made where nothing but the packages of the daemon is installed', () => {
    const words = all('RUN').flatMap(
      (run) => /npm (sbom [^>]+) >/.exec(run)?.[1]?.split(' ') ?? [],
    );
    const folder = mkdtempSync(join(tmpdir(), 'twapd-sbom-'));
    try {
      for (const name of ['package.json', 'package-lock.json'])
        writeFileSync(join(folder, name), textOf(name));
      const text = execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
      const list = JSON.parse(text) as {
        readonly components: readonly { readonly name: string }[];
      };
      const names = list.components.map(({ name }) => name);
      expect(names).toContain('bullmq');
      expect(names).not.toContain('vitest');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('the image copies only what exists and what the ignore file admits', () => {
    const copies = instructions.filter(
      ({ word, rest }) => word === 'COPY' && !rest.includes('--from'),
    );
    const ignore = textOf('.dockerignore').split('\n');
    expect(ignore[0]).toBe('*');
    for (const { rest } of copies) {
      for (const source of rest.split(' ').slice(0, -1)) {
        expect(existsSync(`${ROOT}${source}`), source).toBe(true);
        expect(ignore.includes(`!${source}`) || ignore.includes(`!${source}/**`), source).toBe(
          true,
        );
      }
    }
    expect(all('ADD')).toEqual([]);
  });

  it('the image copies between stages only what an earlier stage builds', () => {
    const stages = all('FROM').flatMap((from) => / AS (\w+)$/.exec(from)?.[1] ?? []);
    for (const { rest } of nonEmpty(instructions.filter((one) => one.rest.startsWith('--from=')))) {
      expect(stages).toContain(/--from=(\w+)/.exec(rest)?.[1]);
    }
  });

  it('the image runs as an unprivileged numeric user, and writes only below the data folder', () => {
    expect(ofLast('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    const after = last.slice(last.findIndex(({ word }) => word === 'USER'));
    expect(after.filter(({ word }) => word === 'RUN' || word === 'COPY')).toEqual([]);
    expect(ofLast('VOLUME')).toBe('["/data"]');
    expect(ofLast('ENV')).toContain('TWAPD_DATA_DIR=/data');
  });

  it('the image is stopped by the signal on which the daemon drains, sent to the daemon itself', () => {
    expect(ofLast('STOPSIGNAL')).toBe('SIGTERM');
    const entry = JSON.parse(ofLast('ENTRYPOINT') ?? '') as string[];
    expect(entry[0]).toBe('node');
    expect(entry).toContain('--disable-proto=delete');
    const program = entry.at(-1) ?? '';
    expect(existsSync(`${ROOT}${program.replace(/^dist/, 'src').replace(/\.js$/, '.ts')}`)).toBe(
      true,
    );
    expect(JSON.parse(ofLast('CMD') ?? '')).toEqual(['start']);
  });

  it("the image contains the command line, which finds the image's configuration by itself", () => {
    const config = /TWAPD_CONFIG=\/app\/(\S+)/.exec(ofLast('ENV') ?? '')?.[1] ?? 'none';
    expect(existsSync(`${ROOT}${config}`), config).toBe(true);
    const links = all('RUN').filter((run) => run.includes('ln -s /app/dist/main/cli.js'));
    expect(links).toHaveLength(1);
    expect(links[0]).toContain('/usr/local/bin/twapd');
    expect(links[0]).toContain('chmod 0755 dist/main/cli.js');
  });

  it("the image's health check queries the daemon", () => {
    const check = ofLast('HEALTHCHECK') ?? '';
    expect(check).toContain('/healthz');
    const command = JSON.parse(check.slice(check.indexOf('['))) as string[];
    expect(command.slice(0, 2)).toEqual(['node', '-e']);
    // It must compile; it can run only in a container.
    expect(() => new Function(command[2] ?? '')).not.toThrow();
  });

  it('the image is for production and contains no secret', () => {
    expect(ofLast('ENV')).toContain('NODE_ENV=production');
    expect(textOf('Dockerfile')).not.toMatch(/secret|password|token/i);
  });
});

interface Service {
  readonly image?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly security_opt?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly read_only?: boolean;
  readonly user?: string;
  readonly command?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, null>>;
}

describe('the services', () => {
  const compose = parse(textOf('compose.yaml'), { merge: true }) as Compose;
  const services = Object.entries(compose.services);
  const twapd = compose.services['twapd'] ?? {};

  it('the services are the daemon, its stores and its monitoring', () => {
    expect(services.map(([name]) => name).sort()).toEqual([
      'alertmanager',
      'grafana',
      'postgres',
      'prometheus',
      'reader',
      'redis',
      'twapd',
    ]);
  });

  it('the services are published on the loopback address only', () => {
    const published = services.flatMap(([, { ports = [] }]) => ports);
    expect(published.length).toBeGreaterThan(0);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(compose.services['redis']?.ports).toBeUndefined();
    expect(compose.services['postgres']?.ports).toBeUndefined();
    for (const network of ['queue', 'ledger']) {
      expect(compose.networks[network]?.internal, network).toBe(true);
    }
  });

  it('the services take every secret from the environment and have no defaults', () => {
    for (const [name, { environment = {} }] of nonEmpty(services)) {
      for (const [variable, value] of Object.entries(environment)) {
        if (!/SECRET|PASSWORD|_URL$/.test(variable)) continue;
        // Redis has no password: only the daemon is on its network.
        if (value === 'redis://redis:6379/0') continue;
        expect(value, `${name} ${variable}`).toMatch(/\$\{[A-Z_]+:\?/);
      }
    }
  });

  it('the services name images by version, and mount only what exists', () => {
    for (const [name, { image = '', volumes = [] }] of nonEmpty(services)) {
      expect(image, name).toMatch(/:(?!latest)[\w.]+$/);
      for (const volume of volumes) {
        const [source = '', target = ''] = volume.split(':');
        const exists = source.startsWith('./')
          ? existsSync(ROOT + source)
          : source in compose.volumes;
        expect(exists, `${name} ${volume}`).toBe(true);
        expect(target).toMatch(/^\//);
        if (source.startsWith('./')) expect(volume).toMatch(/:ro$/);
      }
    }
  });

  it('the services wait for healthy dependencies, and each has a health check', () => {
    for (const [name, { healthcheck, depends_on: needs = {} }] of services) {
      if (name !== 'twapd') expect(healthcheck?.test[0], name).toBe('CMD');
      for (const [needed, { condition }] of Object.entries(needs)) {
        expect(compose.services[needed], `${name} needs ${needed}`).toBeDefined();
        expect(condition).toBe('service_healthy');
      }
    }
    expect(Object.keys(twapd.depends_on ?? {}).sort()).toEqual(['postgres', 'redis']);
  });

  it('Redis, which has no password, shares a network with the daemon only', () => {
    const onQueue = services.filter(([, { networks = [] }]) => networks.includes('queue'));
    expect(onQueue.map(([name]) => name).sort()).toEqual(['redis', 'twapd']);
    const redis = compose.services['redis'];
    expect(redis?.networks).toEqual(['queue']);
    expect((redis?.command ?? []).join(' ')).toContain('--protected-mode no');
  });

  it("the daemon's container has no privileges it does not need", () => {
    expect(twapd).toMatchObject({ read_only: true, cap_drop: ['ALL'], user: '1000:1000' });
    for (const [name, { security_opt: options }] of services) {
      expect(options, name).toContain('no-new-privileges:true');
    }
  });

  it('the daemon has time to drain, and Redis persists its data', () => {
    expect(Number.parseInt(twapd.stop_grace_period ?? '0', 10)).toBeGreaterThan(10);
    const redis = (compose.services['redis']?.command ?? []).join(' ');
    expect(redis).toContain('--maxmemory-policy noeviction');
    expect(redis).toContain('--appendonly yes');
  });

  it("the daemon accepts the services' configuration on every address", () => {
    const words = {
      TWAPD_KEY_SECRET: Buffer.from('a secret for this test, long enough').toString('base64'),
    };
    const read = loadConfig(`${ROOT}config/compose.yaml`, {
      environment: (variable) => (words as Record<string, string>)[variable],
    });
    expect(read.kind === 'faulty' ? read.faults : []).toEqual([]);
    expect(read).toMatchObject({ value: { service: { host: '0.0.0.0', dataDir: '/data' } } });
  });
});

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: {
    readonly summary: string;
    readonly runbook: string;
    readonly runbook_url: string;
  };
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly { readonly expr?: string }[];
}

describe('the monitoring of the daemon', () => {
  const scraping = parse(textOf('config/prometheus/prometheus.yml')) as {
    readonly rule_files: readonly string[];
  };
  const rules = scraping.rule_files.flatMap((file) => {
    const { groups } = parse(textOf(`config/prometheus/${file}`)) as {
      readonly groups: readonly { readonly rules: readonly Rule[] }[];
    };
    return groups.flatMap((group) => group.rules);
  });
  const alerts = rules.filter((rule) => rule.alert !== undefined);
  const recorded = new Set(rules.flatMap((rule) => rule.record ?? []));
  const dashboards = globSync('config/grafana/dashboards/*.json', { cwd: ROOT }).map(
    (path) =>
      JSON.parse(textOf(path)) as { readonly uid: string; readonly panels: readonly Panel[] },
  );
  const panels = dashboards.flatMap((dashboard) => dashboard.panels);
  const operations = textOf('docs/operations.md');
  let scrape: Scrape;

  beforeAll(async () => {
    const metrics = createMetrics({ version: '0', deployment: 'test', venues: ['paper'] });
    scrape = readScrape(await metrics.registry.metrics());
  });

  const expressions = (): readonly string[] => [
    ...rules.map((rule) => rule.expr),
    ...panels.flatMap((panel) => panel.targets ?? []).flatMap((target) => target.expr ?? []),
  ];

  it('rules and dashboards use only metrics the daemon has, and ratios the rules record', () => {
    const names = new Set(scrape.samples.map(({ name }) => name));
    const withoutSeries = [...scrape.types]
      .filter(([, type]) => type === 'histogram')
      .flatMap(([name]) => [`${name}_bucket`, `${name}_sum`, `${name}_count`]);
    const known = new Set([...names, ...scrape.types.keys(), ...withoutSeries, ...recorded]);
    const asked = expressions().flatMap(
      (expr) => expr.match(/\b(?:twapd|process|nodejs)[_:][\w:]+/g) ?? [],
    );
    expect(asked.length).toBeGreaterThan(80);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it('rules and dashboards match only label values that exist from the start', () => {
    const matchers = expressions().flatMap((expr) =>
      [...expr.matchAll(/(twapd_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', list = '']) =>
        [...list.matchAll(/(\w+)="([^"]+)"/g)].map(([, label = '', value = '']) => ({
          name,
          label,
          value,
        })),
      ),
    );
    expect(matchers.length).toBeGreaterThan(10);
    for (const { name, label, value } of matchers) {
      const found = scrape.samples.some((one) => one.name === name && one.labels[label] === value);
      expect(found, `${name}{${label}="${value}"}`).toBe(true);
    }
  });

  it('every alert has a severity, a summary and a runbook section', () => {
    const anchors = new Set(
      [...operations.matchAll(/^### (\w+)$/gm)].map(([, heading = '']) => heading.toLowerCase()),
    );
    expect(alerts.length).toBeGreaterThan(20);
    for (const { alert = '', labels, annotations } of alerts) {
      expect(alert).toMatch(/^Twapd[A-Z]\w+$/);
      // What fires for nobody only inhibits others.
      expect(['page', 'ticket', 'none']).toContain(labels?.severity);
      expect(annotations?.summary, alert).toMatch(/\.$/);
      const [file, anchor = ''] = annotations?.runbook.split('#') ?? [];
      expect(file).toBe('docs/operations.md');
      expect(anchors, alert).toContain(anchor);
      if (labels?.severity !== 'none') {
        expect(annotations?.runbook_url, alert).toContain(`#${anchor}{{ end }}`);
      }
    }
    const named = new Set(alerts.map(({ annotations }) => annotations?.runbook.split('#')[1]));
    const orphans = [...anchors].filter((one) => one.startsWith('twapd') && !named.has(one));
    expect(orphans).toEqual([]);
  });

  it('the documentation explains every metric of the daemon', () => {
    const own = [...scrape.types.keys()].filter((name) => name.startsWith('twapd_'));
    expect(own.filter((name) => !operations.includes(name))).toEqual([]);
    const explained = operations.match(/\btwapd_[a-z_]+[a-z]/g) ?? [];
    const known = new Set([...own, ...own.map((name) => `${name}_count`)]);
    expect(explained.filter((name) => !known.has(name))).toEqual([]);
  });

  it('dashboard panels do not overlap, and each has a description', () => {
    for (const { panels: own } of dashboards) {
      const taken = new Set<string>();
      for (const { title, gridPos, type, description } of own) {
        if (type !== 'row') expect(description, title).toMatch(/\.$/);
        expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
            expect(taken.has(`${x}/${y}`), title).toBe(false);
            taken.add(`${x}/${y}`);
          }
        }
      }
    }
    expect(panels.length).toBeGreaterThan(30);
  });

  it('Grafana finds its data source and its dashboards where compose mounts them', () => {
    const sources = parse(textOf('config/grafana/provisioning/datasources/prometheus.yaml')) as {
      readonly datasources: readonly { readonly uid: string; readonly url: string }[];
    };
    expect(sources.datasources[0]).toMatchObject({
      uid: 'twapd-prometheus',
      url: 'http://prometheus:9090',
    });
    for (const text of globSync('config/grafana/dashboards/*.json', { cwd: ROOT }).map(textOf)) {
      const uids = [...text.matchAll(/"type": "prometheus",\s+"uid": "([^"]+)"/g)].map(
        ([, uid]) => uid,
      );
      expect(new Set(uids)).toEqual(new Set(['twapd-prometheus']));
    }
    const home = /GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH: \/etc\/twapd\/(\S+)/.exec(
      textOf('compose.yaml'),
    );
    expect(existsSync(`${ROOT}config/grafana/${home?.[1]}`)).toBe(true);
  });
});
