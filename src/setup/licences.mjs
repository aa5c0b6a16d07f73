// The licences of packages whose code becomes part of a file that is built.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string[]} folders of the packages
 * @returns {string} name, version, licence and its text, of each
 */
export function licencesOf(folders) {
  return folders.map(licenceOf).join('\n----\n\n');
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text}`;
}
