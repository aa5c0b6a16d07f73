// What a new installation consists of: an annotated configuration, a first strategy, schemas for editors, and secrets made at
// that moment. Nothing that exists is overwritten.
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeWhole } from '../../adapters/files/whole-file.ts';
import { newSecret } from '../../gateway/auth/key-seal.ts';
import { createFolder } from '../create-folder.ts';
import { generatedFiles } from '../generated-files.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';

/** They come with the package. */
const TEMPLATES = join(PACKAGE_FOLDER, 'config/init');
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const DEPLOYMENT_LENGTH = 4;

interface NewFile {
  /** From the folder of the installation. */
  readonly path: string;
  readonly text: string;
  /** Only the owner can read it. */
  readonly isSecret: boolean;
}

/** The entries of the folder that an installation takes. */
export const ENTRIES = ['config.yaml', 'config.schema.json', 'strategies', 'secrets'] as const;

/** Which of them exist already; an installation is only written where none does. */
export const takenEntries = (folder: string): readonly string[] =>
  ENTRIES.map((entry) => join(folder, entry)).filter((path) => existsSync(path));

/**
 * Writes the files into the folder, which must be an absolute path because the configuration names it.
 *
 * @throws the error of the file system where one cannot be written, also when one appeared meanwhile
 */
export function writeInstallation(folder: string): readonly string[] {
  createFolder(join(folder, 'strategies'));
  mkdirSync(join(folder, 'secrets'), { mode: 0o700 });
  return newFiles(folder).map(({ path, text, isSecret }) => {
    const at = join(folder, path);
    createFolder(dirname(at));
    writeWhole(at, text, { mode: isSecret ? 0o600 : 0o644, isNew: true });
    return at;
  });
}

function newFiles(folder: string): readonly NewFile[] {
  const generated = generatedFiles();
  const open = (path: string, text: string): NewFile => ({ path, text, isSecret: false });
  const secret = (name: string, text: string): NewFile => ({
    path: join('secrets', name),
    text: `${text}\n`,
    isSecret: true,
  });
  const schema = (from: string): string => generated.get(from) ?? '';
  return [
    open('config.yaml', configText(folder)),
    open('config.schema.json', schema('config/config.schema.json')),
    open('strategies/first.yaml', readFileSync(join(TEMPLATES, 'first.yaml'), 'utf8')),
    open('strategies/strategy.schema.json', schema('strategies/strategy.schema.json')),
    secret('desk.secret', newSecret()),
    secret('keys.secret', newSecret()),
    secret('metrics.token', randomBytes(24).toString('hex')),
  ];
}

/** Paths stand in double quotes, where YAML reads what JSON writes. */
function configText(folder: string): string {
  return readFileSync(join(TEMPLATES, 'config.yaml'), 'utf8')
    .replaceAll('@FOLDER@', () => JSON.stringify(folder).slice(1, -1))
    .replaceAll('@DEPLOYMENT@', () => newDeployment());
}

/** A name that a second installation on the same account does not have by accident. It begins with a letter. */
function newDeployment(): string {
  const letter = (from: number): string => LETTERS[randomInt(from)] ?? 'a';
  return [letter(26), ...Array.from({ length: DEPLOYMENT_LENGTH - 1 }, () => letter(36))].join('');
}
