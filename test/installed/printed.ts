// What a program printed, or why it failed.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const SHOWN_LINES = 20;

export class StepFailed extends Error {}

/**
 * What it printed on standard output by the time it ended.
 * @throws StepFailed with the end of what it printed, if its exit code is not 0
 */
export async function printed(child: ChildProcess): Promise<string> {
  const texts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return texts.out;
  const lines = `${texts.out}\n${texts.err}`.trim().split('\n').slice(-SHOWN_LINES);
  throw new StepFailed(`${child.spawnargs.join(' ')} ended with ${code}:\n${lines.join('\n')}`);
}
