// Applies overriding environment variables to the configuration file. They are validated like the file's
// options, and a fault names the variable.
import { cutText } from '../../values/text/text-length.ts';
import { type Fault, faulty, type Reading } from '../fault.ts';
import type { ConfigFile } from './config-schema.ts';
import { type Environment, LINK_ADDRESS, type Override } from './environment.ts';
import { LINK_URL, LINK_URL_ACCEPTED } from './sections/service-section.ts';
import { DATABASE_URL, REDIS_URL, urlFault } from './sections/stores-section.ts';

export function applyOverrides(
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
