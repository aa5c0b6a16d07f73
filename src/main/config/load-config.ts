// Reads a configuration file: YAML, schema, overrides, rules, secrets. Every fault of a stage is
// reported at once; a later stage runs only on what the earlier ones accept.

import { readFileSync } from 'node:fs';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { cutText } from '../../values/text/text-length.ts';
import { type Fault, faulty, fieldText, inOrder, type Reading } from '../fault.ts';
import { checkDocument, faultAt } from '../schema-faults.ts';
import { readYaml, type YamlDocument } from '../yaml-document.ts';
import type { Config } from './config.ts';
import type { ConfigFile } from './config-schema.ts';
import { configSchema } from './config-schema.ts';
import {
  type Environment,
  LINK_ADDRESS,
  OVERRIDES,
  type Override,
  processEnvironment,
} from './environment.ts';
import type { Finding } from './finding.ts';
import { demoFindings, plainFindings, ruleFindings } from './rules/config-rules.ts';
import {
  type FetchedSecrets,
  fetchSecrets,
  type SecretsOf,
  secretVariables,
} from './secrets/fetch-secrets.ts';
import { type RunCommand, runSecretCommand } from './secrets/secret-command.ts';
import { venueSecrets } from './secrets/venue-secrets.ts';
import { LINK_URL, LINK_URL_ACCEPTED } from './sections/service-section.ts';
import { DATABASE_URL, REDIS_URL, urlFault } from './sections/stores-section.ts';

export interface LoadOptions {
  readonly environment?: Environment;
  /** Default: the overrides of the daemon. */
  readonly overrides?: readonly Override[];
  /** Secrets that are not fetched and stay empty: a part of the daemon has none of the other's. */
  readonly without?: SecretsOf | undefined;
  /** Runs the commands that print secrets; default: at once, which holds up the process. */
  readonly runCommand?: RunCommand | undefined;
  /** Receives secrets that this environment lacks, which are then empty; without it they are faults. */
  readonly onUnset?: (fault: Fault) => void;
}

export function loadConfig(path: string, options: LoadOptions = {}): Reading<Config> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throwProgrammingError(error);
    const { code } = error as NodeJS.ErrnoException;
    return faulty([
      { source: path, field: '', message: `cannot be read (${code}); accepted: a YAML file` },
    ]);
  }
  const document = readYaml(text, path);
  return document.kind === 'faulty' ? document : readConfig(document.value, options);
}

function readConfig(document: YamlDocument, options: LoadOptions): Reading<Config> {
  const environment = options.environment ?? processEnvironment;
  const overrides = options.overrides ?? OVERRIDES;
  const source: Source = { overrides, environment };
  const checked = checkDocument(configSchema, document);
  if (checked.kind === 'faulty') return checked;
  const overridden = applyOverrides(checked.value, overrides, environment);
  const broken = locate(ruleFindings(checked.value, givenIn(document)), document, source);
  if (overridden.kind === 'faulty') return faulty([...overridden.faults, ...broken]);
  if (broken.length > 0) return faulty(broken);
  const file = overridden.value;
  const { onUnset, without, runCommand = runSecretCommand } = options;
  const fetched = fetchSecrets(file, { environment, runCommand, without });
  const findings =
    onUnset === undefined ? [...fetched.findings, ...fetched.unset] : fetched.findings;
  if (findings.length > 0) return faulty(locate(findings, document, source));
  for (const fault of locate(fetched.unset, document, source)) onUnset?.(fault);
  const demo = demoFindings(file, secretsOf(fetched));
  if (demo.length > 0) return faulty(locate(demo, document, source));
  const plain = plainFindings(file);
  if (plain.length > 0) return faulty(locate(plain, document, source));
  const { redis, database, venues, notify, witness, archiveBucket } = fetched;
  const { keysSecret, linkKey, metricsToken, proxySecret, tls } = fetched;
  return {
    kind: 'read',
    value: {
      ...file,
      path: document.source,
      redis,
      database,
      venues,
      notify,
      ledger: { ...file.ledger, witness, archiveBucket },
      keysSecret,
      linkKey,
      metricsToken,
      proxySecret,
      tls,
      secretVariables: secretVariables(file),
      keys: fetched.keys,
    },
  };
}

/** Secrets of all keys: our own and those for venues. */
const secretsOf = ({ keys, venues }: FetchedSecrets): readonly string[] => [
  ...keys.map(({ secret }) => secret.reveal()),
  ...venueSecrets(venues),
];

/** Whether the document itself has the option. */
const givenIn =
  ({ value }: YamlDocument) =>
  (path: Finding['path']): boolean =>
    path.reduce<unknown>(
      (of, step) => (typeof of === 'object' && of !== null ? Reflect.get(of, step) : undefined),
      value,
    ) !== undefined;

/** What may override the file. */
interface Source {
  readonly overrides: readonly Override[];
  readonly environment: Environment;
}

/** A finding about an overridden option is a fault of the variable, not of the file. */
function locate(
  findings: readonly Finding[],
  document: YamlDocument,
  { overrides, environment }: Source,
): readonly Fault[] {
  const faults = findings.map(({ path, message }): Fault => {
    const field = fieldText(path);
    const override = overrides.find((one) => one.path.join('.') === field);
    return override !== undefined && environment(override.variable) !== undefined
      ? { source: override.variable, field, message }
      : faultAt(document, path, message);
  });
  return inOrder(faults);
}

/**
 * Applies overriding environment variables to the configuration file. They are validated like the file's
 * options, and a fault names the variable.
 */
function applyOverrides(
  file: ConfigFile,
  overrides: readonly Override[],
  environment: Environment,
): Reading<ConfigFile> {
  const faults: Fault[] = [];
  const service = { ...file.service };
  for (const { variable, path, isNumber } of overrides) {
    const text = environment(variable);
    if (text === undefined) continue;
    const message = overrideFault(variable, text, isNumber);
    if (message !== undefined) faults.push({ source: variable, field: path.join('.'), message });
    else if (variable === LINK_ADDRESS) service.link = { ...service.link, address: text };
    else if (path[1] === 'port') service.port = Number(text);
    else if (path[1] === 'host' || path[1] === 'dataDir') service[path[1]] = text;
  }
  return faults.length > 0 ? faulty(faults) : { kind: 'read', value: { ...file, service } };
}

function overrideFault(variable: string, text: string, isNumber: boolean): string | undefined {
  if (variable === 'REDIS_URL') return urlFault(text, REDIS_URL.protocols, REDIS_URL.example);
  if (variable === 'DATABASE_URL') {
    return urlFault(text, DATABASE_URL.protocols, DATABASE_URL.example);
  }
  if (variable === LINK_ADDRESS && !LINK_URL.test(text)) {
    return `is ${JSON.stringify(cutText(text, 40))}; ${LINK_URL_ACCEPTED}`;
  }
  if (!isNumber || (/^\d{1,5}$/.test(text) && Number(text) <= 65_535)) return undefined;
  return `is ${JSON.stringify(cutText(text, 40))}; accepted: a whole number from 0 to 65535`;
}
