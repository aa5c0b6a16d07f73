// The manifests for Kubernetes: judged by the API's schemas, for unknown fields by its types, and by what each workload needs.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../src/main/config/load-config.ts';
import { faultText } from '../src/main/fault.ts';
import { nonEmpty } from './support/non-empty.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'config/kubernetes';
const textOf = (name: string): string => readFileSync(join(ROOT, FOLDER, name), 'utf8');

const MODELS = {
  Deployment: { from: 'apps/v1', model: Deployment },
  StatefulSet: { from: 'apps/v1', model: StatefulSet },
  Job: { from: 'batch/v1', model: Job },
  NetworkPolicy: { from: 'networking.k8s.io/v1', model: NetworkPolicy },
  PodDisruptionBudget: { from: 'policy/v1', model: PodDisruptionBudget },
  ConfigMap: { from: 'v1', model: ConfigMap },
  Service: { from: 'v1', model: Service },
} as const;

interface Container {
  readonly args: readonly string[];
  readonly securityContext: object;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly [probe: string]: unknown;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: keyof typeof MODELS;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: object };
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly automountServiceAccountToken: boolean;
        readonly securityContext: object;
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly Container[];
      };
    };
  };
  readonly data?: Readonly<Record<string, string>>;
}

const FILES = nonEmpty(
  globSync('*.yaml', { cwd: join(ROOT, FOLDER) }).filter(
    (name) => name !== 'kustomization.yaml' && name !== 'twapd.yaml',
  ),
).toSorted();
const manifests: readonly Manifest[] = FILES.flatMap((name) =>
  parseAllDocuments(textOf(name)).map((one) => one.toJS() as Manifest),
);
const named = manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const);
const workloads = named.filter(([, { spec }]) => spec?.template !== undefined);

/** What the schema of its kind says against it; empty if nothing. */
function faultOf(manifest: Manifest): string {
  const { model: Model } = MODELS[manifest.kind];
  try {
    new Model(manifest as never).validate();
    return '';
  } catch (error) {
    return String(error);
  }
}

let types: string;
beforeAll(() => {
  // Below node_modules, from where the compiler finds the package.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  types = mkdtempSync(join(cache, 'twapd-manifests-'));
});
afterAll(() => rmSync(types, { recursive: true, force: true }));

/** What the compiler says of objects that are written out as the API's types. */
function compiled(objects: readonly Manifest[]): string {
  const text = objects.map(({ kind, ...rest }, index) => {
    const { from } = MODELS[kind];
    const value = JSON.stringify({ kind, ...rest }, null, 1);
    return `import type { I${kind} as T${index} } from 'kubernetes-models/${from}';\nexport const m${index}: T${index} = ${value};\n`;
  });
  writeFileSync(join(types, 'manifests.ts'), text.join('\n'));
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--ignoreConfig',
      join(types, 'manifests.ts'),
    ],
    { encoding: 'utf8', cwd: types },
  );
  return stdout;
}

describe('the manifests for Kubernetes', () => {
  test.each(named)('the schema of the API accepts %s', (_name, manifest) => {
    expect(faultOf(manifest)).toBe('');
  });

  test('the schemas do see a fault', () => {
    const [, first] = nonEmpty(workloads)[0] ?? [];
    const broken = { ...first, spec: { ...first?.spec, replicas: 'two' } } as unknown as Manifest;
    expect(faultOf(broken)).toContain('replicas');
  });

  test('no field is unknown to the API, and a misspelt one would be found', () => {
    expect(compiled(manifests)).toBe('');
    const [, first] = nonEmpty(workloads)[0] ?? [];
    const misspelt = { ...first, spec: { ...first?.spec, replicsa: 2 } } as unknown as Manifest;
    expect(compiled([misspelt])).toMatch(/replicsa.* does not exist/);
  });

  test.each(workloads)(
    '%s runs unprivileged, on a read-only root, within its resources',
    (_name, { spec }) => {
      const pod = spec?.template?.spec;
      expect(pod?.automountServiceAccountToken).toBe(false);
      expect(pod?.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(10);
      for (const { securityContext, resources } of nonEmpty(pod?.containers ?? [])) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(Object.keys(resources.requests)).toEqual(['cpu', 'memory']);
        expect(Object.keys(resources.limits)).toContain('memory');
      }
    },
  );

  test('what serves has probes, and a budget that keeps one of it during a disruption', () => {
    const serving = workloads.filter(([, { kind }]) => kind !== 'Job');
    expect(serving.length).toBe(3);
    for (const [name, { spec }] of serving) {
      const [container] = spec?.template?.spec.containers ?? [];
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        expect(container?.[probe], `${name} ${probe}`).toBeDefined();
      }
      const budgets = manifests.filter(
        (one) =>
          one.kind === 'PodDisruptionBudget' &&
          JSON.stringify(one.spec?.selector) === JSON.stringify(spec?.selector),
      );
      expect(budgets.length, name).toBe(1);
      expect(spec?.template?.metadata.labels).toEqual(spec?.selector?.matchLabels);
    }
  });

  test('the daemon accepts the configurations, with the secrets that the manifests name', () => {
    const variables: Readonly<Record<string, string>> = {
      TWAPD_KEY_SECRET: Buffer.from('a secret of our own, long enough').toString('base64'),
      DERIBIT_CLIENT_ID: 'id',
      DERIBIT_CLIENT_SECRET: 'secret',
      DATABASE_URL: 'postgres://twapd@db/twapd',
      REDIS_URL: 'redis://queue:6379/0',
    };
    const reading = loadConfig(join(ROOT, FOLDER, 'twapd.yaml'), {
      environment: (name) => variables[name],
    });
    expect(reading.kind === 'faulty' ? reading.faults.map(faultText) : []).toEqual([]);
    const asked = JSON.stringify(manifests);
    for (const name of Object.keys(variables)) expect(asked).toContain(`"${name}"`);
    const folder = mkdtempSync(join(tmpdir(), 'twapd-kube-'));
    const [exchange] = manifests.filter(({ kind }) => kind === 'ConfigMap');
    writeFileSync(join(folder, 'exchange.yaml'), exchange?.data?.['exchange.yaml'] ?? '');
    const read = loadConfig(join(folder, 'exchange.yaml'), {
      environment: () => undefined,
      onUnset: () => undefined,
    });
    rmSync(folder, { recursive: true });
    // Its certificate is not here, and nothing else is missing.
    const faults = read.kind === 'faulty' ? read.faults.map(({ field }) => field) : [];
    expect(faults).toEqual(['gateway.tls.cert']);
  });

  test('every file of the folder is listed, but for the exchange, which is optional', () => {
    const { resources, configMapGenerator } = parse(textOf('kustomization.yaml')) as {
      readonly resources: readonly string[];
      readonly configMapGenerator: readonly { readonly files: readonly string[] }[];
    };
    expect([...resources, 'exchange.yaml'].toSorted()).toEqual(FILES);
    expect(configMapGenerator[0]?.files).toEqual(['twapd.yaml']);
  });
});
