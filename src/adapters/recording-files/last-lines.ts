// The last lines of a file, compressed or not, without keeping more of it in memory.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Oldest first. Rejects if the file cannot be read to its end. */
export async function lastLinesOf(path: string, count: number): Promise<readonly string[]> {
  const source = createReadStream(path);
  const text = path.endsWith('.gz')
    ? // The error reaches the reader of the lines.
      pipeline(source, createGunzip(), () => undefined)
    : source;
  let lines: string[] = [];
  const failed = new Promise<never>((_, reject) => text.once('error', reject));
  const read = async (): Promise<void> => {
    for await (const line of createInterface({ input: text })) {
      lines.push(line);
      // Cutting in large steps costs each line a move or two at most.
      if (lines.length >= 2 * count) lines = lines.slice(-count);
    }
  };
  await Promise.race([read(), failed]);
  return lines.slice(-count);
}
