// Runs the command line inside the test, on a terminal that captures its output.
import type { Terminal } from '../../src/main/commands/command.ts';
import { runCommandLine } from '../../src/main/commands/command-line.ts';

export interface Captured {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The questions asked, in order. */
  readonly asked: readonly string[];
}

export interface Sitting {
  /** Standard output can be redrawn. */
  readonly isLive?: boolean;
  /** Width; 100 unless told. */
  readonly columns?: number;
  /** The answer to each question; without it nobody can be asked. */
  readonly types?: string;
  /** Called with everything printed so far, each time there is more. */
  readonly onOut?: (out: string) => void;
}

export async function captured(words: readonly string[], sitting: Sitting = {}): Promise<Captured> {
  const { isLive = false, columns = 100, types, onOut } = sitting;
  const asked: string[] = [];
  let out = '';
  let err = '';
  const draw = (text: string): void => {
    out += text;
    onOut?.(out);
  };
  const code = await runCommandLine(words, {
    print: (text) => draw(`${text}\n`),
    complain: (text) => {
      err += `${text}\n`;
    },
    draw,
    isLive,
    columns: () => columns,
    rows: () => 24,
    canAsk: types !== undefined,
    prompt: (question) => {
      asked.push(question);
      return Promise.resolve(types ?? '');
    },
  });
  return { code, out, err, asked };
}

/** For what writes files and shows nothing that a test reads. */
export const silentTerminal: Terminal = {
  print: () => undefined,
  complain: () => undefined,
  draw: () => undefined,
  isLive: false,
  columns: () => 100,
  rows: () => 24,
  canAsk: false,
  prompt: () => Promise.resolve(''),
};
