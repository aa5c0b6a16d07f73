// The environment variables that override the file, and those that hold secrets. The only place that
// reads them.
import process from 'node:process';

/** Variables that win over the configuration file. */
export const OVERRIDES = [
  { variable: 'TWAPD_HOST', path: ['service', 'host'], isNumber: false },
  { variable: 'TWAPD_PORT', path: ['service', 'port'], isNumber: true },
  { variable: 'TWAPD_DATA_DIR', path: ['service', 'dataDir'], isNumber: false },
  { variable: 'REDIS_URL', path: ['redis', 'url'], isNumber: false },
  { variable: 'DATABASE_URL', path: ['database', 'url'], isNumber: false },
] as const;

/** Looks a variable up; an empty one counts as absent. */
export type Environment = (variable: string) => string | undefined;

export const processEnvironment: Environment = (variable) => {
  const text = process.env[variable];
  return text === undefined || text === '' ? undefined : text;
};
