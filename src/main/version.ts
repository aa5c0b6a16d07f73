// The version from package.json, wherever the package is installed.
import { readFileSync } from 'node:fs';
import { PACKAGE_JSON } from './package-folder.ts';

export const VERSION: string = (
  JSON.parse(readFileSync(PACKAGE_JSON, 'utf8')) as { version: string }
).version;
