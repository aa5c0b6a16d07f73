// The process behind test/main/warm-cli.ts: it loads the command line once and runs the commands it receives in
// sequence.
import process from 'node:process';
import { captured } from './captured-terminal.ts';

export interface Request {
  readonly id: number;
  readonly words: readonly string[];
  /** Environment variables set only for this command. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Reply =
  | { readonly id: number; readonly printed: string }
  | { readonly id: number; readonly code: number; readonly out: string; readonly err: string };

const own = { ...process.env };
let last = Promise.resolve();

process.on('message', (request: Request) => {
  last = last.then(() => answer(request));
});
process.once('disconnect', () => process.exit(0));

async function answer({ id, words, env }: Request): Promise<void> {
  process.env = { ...own, ...env };
  const onOut = (printed: string): void => reply({ id, printed });
  try {
    const { code, out, err } = await captured(words, { onOut });
    reply({ id, code, out, err });
  } catch (error) {
    // An unexpected error ends the real process with its stack and code 1.
    reply({ id, code: 1, out: '', err: error instanceof Error ? `${error.stack}` : String(error) });
  }
}

const reply = (message: Reply): void => void process.send?.(message);
