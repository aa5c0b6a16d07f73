// The fenced blocks of a page of docs/, and what the comment above a block says about it. Comments are invisible on the site:
//   <!-- not run: REASON -->              a command block that needs what a test cannot have
//   <!-- output not compared: REASON -->  what it prints depends on the machine
//   <!-- exits 1 -->                      it is meant to fail with this code
//   <!-- after 12 s -->                   the reader takes his time
//   <!-- file: NAME -->                   not a command: what a later block finds under this name
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** `sh`: lines to run; `console`: `$ ` before each command, then what it prints. */
export const COMMANDS: readonly string[] = ['sh', 'console'];

const NOTE =
  /^<!-- (?:(not run|output not compared|file): (\S.*)|(exits) (\d+)|(after) (\d+) s) -->$/;

export interface Block {
  /** Page and line, as an editor opens them. */
  readonly where: string;
  readonly language: string;
  readonly lines: readonly string[];
  readonly notes: ReadonlyMap<string, string>;
}

export interface Command {
  readonly where: string;
  readonly text: string;
  /** Lines that it is shown to print; none for a block without output. */
  readonly shown: readonly string[];
}

/** Every fenced block of a page, in order. Blocks within a list are not expected. */
export function blocksOf(page: string): readonly Block[] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, language] = /^```(.*)$/.exec(lines[at] ?? '') ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    const where = `${page}:${at + 1}`;
    if (end < 0) throw new Error(`${where}: the block has no end`);
    blocks.push({ where, language, lines: lines.slice(at + 1, end), notes: notesAbove(lines, at) });
    at = end;
  }
  return blocks;
}

function notesAbove(lines: readonly string[], fence: number): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (let at = fence - 1; ; at -= 1) {
    const found = NOTE.exec(lines[at] ?? '');
    if (found === null) return notes;
    const [, worded, reason, exits, code, after, seconds] = found;
    notes.set(worded ?? exits ?? after ?? '', reason ?? code ?? seconds ?? '');
  }
}

/** The commands of a block; a line that ends with a backslash continues in the next. */
export function commandsOf({ where, language, lines }: Block): readonly Command[] {
  if (language === 'sh') return [{ where, text: lines.join('\n'), shown: [] }];
  const commands: { where: string; text: string; shown: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) {
      const [page = '', fence] = where.split(':');
      const here = `${page}:${Number(fence) + index + 1}`;
      commands.push({ where: here, text: line.slice(2), shown: [] });
    } else if (last?.text.endsWith('\\') && last.shown.length === 0) {
      last.text += `\n${line}`;
    } else if (last === undefined) {
      throw new Error(`${where}: "${line}" is printed before a command; accepted: "$ COMMAND"`);
    } else {
      last.shown.push(line);
    }
  }
  return commands;
}
