// Where the packages of clients come from: those of this checkout, whose versions package.json pins, or, for the long task that
// tries the newest, a folder in which they are installed.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

const folder = process.env['TWAPD_NEWEST_CLIENTS'];

export const isNewest = folder !== undefined;

export const clientRequire = createRequire(
  folder === undefined ? import.meta.url : join(folder, 'package.json'),
);
