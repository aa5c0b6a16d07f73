// Becomes the command line of an installed package: compiled code, and nothing to set up. Runs on any Node from 18 on, to say
// what is wrong where twapd.sh found none but an older one.
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { launch } from './launch.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../..');

launch({ entry: join(ROOT, 'dist/main/cli.js'), args: process.argv.slice(2) });
