// Every witness against the same suite, and what is particular to one of them.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { WebhookWitness } from '../../../src/adapters/witness/webhook-witness.ts';
import { WitnessFile } from '../../../src/adapters/witness/witness-file.ts';
import { headWitnessConformance } from '../../conformance/witness/head-witness.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-witness-'));
const closers: (() => Promise<void>)[] = [];
let count = 0;
const path = (): string => {
  count += 1;
  return join(folder, String(count), 'heads');
};
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** A receiver that stores heads as the manual requests it. */
async function receiver(): Promise<string> {
  const lines: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end(lines.map((line) => `${line}\n`).join(''));
      return;
    }
    let body = '';
    request.on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const number = Object.values(JSON.parse(body) as Record<string, number>)[0] ?? 0;
      lines[number - 1] ??= body;
      response.writeHead(lines[number - 1] === body ? 204 : 409).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a witness in a file', () => headWitnessConformance(async () => new WitnessFile(path())));
describe('a witness behind an address', () =>
  headWitnessConformance(async () => new WebhookWitness(await receiver())));

test('a file says which head it wants first, and a line that a crash cut short is written again', async () => {
  const file = path();
  const witness = new WitnessFile(file);
  expect(await witness.append({ number: 2, line: 'two' })).toEqual({ kind: 'behind', newest: 0 });
  await witness.append({ number: 1, line: 'one' });
  appendFileSync(file, 'tw');
  await witness.append({ number: 2, line: 'two' });
  const lines: string[] = [];
  for await (const line of witness.lines()) lines.push(line);
  expect(lines).toEqual(['one', 'two']);
});
