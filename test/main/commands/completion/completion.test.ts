// The shells themselves complete lines with the scripts that `twapd completion` prints.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_COMMANDS } from '../../../../src/main/commands/all-commands.ts';
import { captured } from '../../captured-terminal.ts';

type Shell = 'bash' | 'zsh' | 'fish';

const folder = mkdtempSync(join(tmpdir(), 'twapd-completion-'));
const scriptOf = (shell: Shell): string => join(folder, `script.${shell}`);
const work = join(folder, 'work');

beforeAll(async () => {
  mkdirSync(join(work, 'strategies'), { recursive: true });
  writeFileSync(join(work, 'strangle one.yaml'), '');
  writeFileSync(join(work, 'straddle.yaml'), '');
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const { code, out } = await captured(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(scriptOf(shell), out);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A person may have a configuration of the shell; the test has none. */
const ENV = { PATH: process.env['PATH'], HOME: folder, TERM: 'dumb', LC_ALL: 'C' };

/** Runs the completion function as readline does: with the words of the line, split as bash splits them. */
const BASH = `
source "$1"; cd "$2"; line=$3
registered=$(complete -p twapd) || exit 1
declare -F "$(sed 's/.*-F \\([^ ]*\\).*/\\1/' <<<"$registered")" >/dev/null || exit 1
read -ra COMP_WORDS <<<"$(sed 's/[=:]/ & /g' <<<"$line")"
[[ $line == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_LINE=$line; COMP_POINT=\${#line}
_twapd twapd "\${COMP_WORDS[COMP_CWORD]}" ''
printf '%s\\n' "\${COMPREPLY[@]}"`;

const OFFERED: Readonly<Record<Shell, (line: string) => readonly string[]>> = {
  bash: (line) => ['bash', '--norc', '-c', BASH, 'bash', scriptOf('bash'), work, line],
  zsh: (line) => [
    'zsh',
    '-f',
    join(import.meta.dirname, 'zsh-candidates.zsh'),
    scriptOf('zsh'),
    work,
    line,
  ],
  fish: (line) => [
    'fish',
    '--no-config',
    '-c',
    'source $argv[1]; cd $argv[2]; complete -C $argv[3]',
    scriptOf('fish'),
    work,
    line,
  ],
};

/** What the shell offers for the last word of the line, without descriptions. */
function offered(shell: Shell, line: string): readonly string[] {
  const [program = '', ...words] = OFFERED[shell](line);
  const out = execFileSync(program, words, { encoding: 'utf8', env: ENV });
  return out
    .split('\n')
    .map(
      (one) =>
        one
          .split('\t')[0]
          ?.replace(/^.*=(?=.)/, '')
          .trim() ?? '',
    )
    .filter((one) => one !== '');
}

const isInstalled = (shell: Shell): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

const SHELLS = (['bash', 'zsh', 'fish'] as const).filter((shell) => {
  if (shell === 'bash' || isInstalled(shell)) return true;
  process.stderr.write(`\nNOT TESTED: completion for ${shell}, which is not installed here\n\n`);
  return false;
});

describe.each(SHELLS)('completion in %s', (shell) => {
  test('offers every command, and those that begin with what is typed', () => {
    const commands = offered(shell, 'twapd ');
    for (const { name } of ALL_COMMANDS) expect(commands).toContain(name);
    expect(offered(shell, 'twapd ca')).toEqual(expect.arrayContaining(['cancel', 'cancel-all']));
    expect(offered(shell, 'twapd ca')).not.toContain('list');
  });

  test('offers subcommands, also after an option with a value', () => {
    expect(offered(shell, 'twapd rfq ')).toEqual(expect.arrayContaining(['create', 'watch']));
    expect(offered(shell, 'twapd rfq ')).not.toContain('positions');
    expect(offered(shell, 'twapd override gr')).toEqual(['grant']);
  });

  test('offers the options of the command, not those of others', () => {
    const options = offered(shell, 'twapd list --');
    expect(options).toEqual(expect.arrayContaining(['--json', '--csv', '--status', '--help']));
    expect(options).not.toContain('--hedge');
    expect(offered(shell, 'twapd rfq create buy:1:BTC-PERPETUAL --he')).toContain('--hedge');
  });

  test('offers the values of an option that has a list of them', () => {
    expect([...offered(shell, 'twapd list --status ')].sort()).toEqual([
      'active',
      'cancelled',
      'cancelling',
      'filled',
    ]);
    expect(offered(shell, 'twapd list --json --status=fil')).toEqual(['filled']);
    expect(offered(shell, 'twapd rfq list --status tr')).toEqual(['traded']);
    expect(offered(shell, 'twapd positions --kind op')).toEqual(
      expect.arrayContaining(['option', 'option_combo']),
    );
    expect(offered(shell, 'twapd override ask --side b')).toEqual(['buy']);
    expect(offered(shell, 'twapd list --tz Europe/Ber')).toEqual(['Europe/Berlin']);
  });

  test('offers the words of an argument that has a list of them', () => {
    expect([...offered(shell, 'twapd switch ')].sort()).toEqual(['activate', 'halt', 'reduce']);
    expect([...offered(shell, 'twapd completion ')].sort()).toEqual(['bash', 'fish', 'zsh']);
    expect(offered(shell, 'twapd help posi')).toEqual(['positions']);
    expect(offered(shell, 'twapd report comp')).toEqual(['compare']);
  });

  test('offers files where a file is meant, folders where a folder is, nothing for an id', () => {
    const files = offered(shell, 'twapd submit stra').map((name) => name.replaceAll('\\', ''));
    expect(files).toEqual(expect.arrayContaining(['straddle.yaml', 'strangle one.yaml']));
    expect(offered(shell, 'twapd list --config strad')).toEqual(['straddle.yaml']);
    const folders = offered(shell, 'twapd backup --to st');
    expect(folders.map((name) => name.replace(/\/$/, ''))).toEqual(['strategies']);
    expect(offered(shell, 'twapd show ')).toEqual([]);
  });
});

test('a shell that is not served is refused with those that are', async () => {
  const { code, err } = await captured(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(err).toContain('bash, zsh, fish');
});
