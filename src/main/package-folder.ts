// The folder of this package, wherever the running file lies in it: among the sources, compiled, or bundled.
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

const manifest = findPackageJSON(import.meta.url);
if (manifest === undefined) throw new Error('the package has no package.json');
export const PACKAGE_JSON = manifest;
export const PACKAGE_FOLDER = dirname(manifest);
