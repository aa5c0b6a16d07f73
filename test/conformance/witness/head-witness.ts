import { expect, test } from 'vitest';
import type { HeadWitness } from '../../../src/ports/witness/head-witness.ts';

/** `open` gives a witness without heads. */
export function headWitnessConformance(open: () => Promise<HeadWitness>): void {
  const linesOf = async (witness: HeadWitness): Promise<readonly string[]> => {
    const lines: string[] = [];
    for await (const line of witness.lines()) lines.push(line);
    return lines;
  };

  test('heads are kept in order, and one that is sent again is kept once', async () => {
    const witness = await open();
    for (const number of [1, 2, 2, 3]) {
      expect(await witness.append({ number, line: `{"head":${number}}` })).toEqual({
        kind: 'kept',
      });
    }
    expect(await linesOf(witness)).toEqual(['{"head":1}', '{"head":2}', '{"head":3}']);
  });

  test('another head of a number that is there is a conflict, and changes nothing', async () => {
    const witness = await open();
    await witness.append({ number: 1, line: '{"head":1}' });
    expect(await witness.append({ number: 1, line: '{"other":1}' })).toMatchObject({
      kind: 'conflict',
    });
    expect(await linesOf(witness)).toEqual(['{"head":1}']);
  });
}
