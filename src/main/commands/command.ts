// The parts of a command: it adds itself to the program, writes to a terminal, and ends in one of four ways.
// A new command is one file and one line in all-commands.ts.
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { printableDrawing, printableJson, printableLines } from '../../values/printable.ts';

export interface Terminal {
  /** Writes to standard output, with a line end. */
  readonly print: (text: string) => void;
  /** Writes to standard error, with a line end. */
  readonly complain: (text: string) => void;
  /** Writes to standard output verbatim: cursor movements, partial lines. */
  readonly draw: (text: string) => void;
  /** Whether standard output can be redrawn. */
  readonly isLive: boolean;
  readonly columns: () => number;
  readonly rows: () => number;
  /** Whether a user is present to answer questions. */
  readonly canAsk: boolean;
  /** Asks on standard error and resolves with the line that was typed; empty if the input ended. */
  readonly prompt: (question: string) => Promise<string>;
}

export type AddCommand = (program: Command, terminal: Terminal) => void;

export const processTerminal: Terminal = {
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  draw: (text) => process.stdout.write(text),
  isLive: process.stdout.isTTY && process.env['TERM'] !== 'dumb',
  // A terminal that does not know its width reports 0.
  columns: () => process.stdout.columns || 100,
  rows: () => process.stdout.rows ?? 24,
  canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
  prompt: async (question) => {
    const reader = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await new Promise<string>((resolve) => {
        reader.once('close', () => resolve(''));
        reader.once('SIGINT', () => reader.close());
        reader.question(question, resolve);
      });
    } finally {
      reader.close();
    }
  },
};

/** The terminal as commands write to it: no text from outside can control it. */
export const safeTerminal = (terminal: Terminal): Terminal => ({
  ...terminal,
  print: (text) => terminal.print(printableLines(text)),
  complain: (text) => terminal.complain(printableLines(text)),
  draw: (text) => terminal.draw(printableDrawing(text)),
  prompt: (question) => terminal.prompt(printableLines(question)),
});

/** One JSON document, for `--json`. */
export const jsonText = (value: unknown): string => printableJson(JSON.stringify(value, null, 2));

/** The same on one line, for commands that print one document after another. */
export const jsonLine = (value: unknown): string => printableJson(JSON.stringify(value));
