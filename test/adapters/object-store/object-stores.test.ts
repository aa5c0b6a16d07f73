// Every object store against the same suite, and what is particular to one of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { S3Store } from '../../../src/adapters/object-store/s3-store.ts';
import { objectStoreConformance, PART_BYTES } from '../../conformance/objects/object-store.ts';
import { S3_ACCESS, type S3Server, s3Server } from '../../support/objects/s3-server.ts';
import { FolderStore } from './folder-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-objects-'));
const closers: (() => Promise<void>)[] = [];
let count = 0;
const path = (): string => {
  count += 1;
  return join(folder, String(count));
};
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function s3(secretKey = S3_ACCESS.secretKey): Promise<S3Store> {
  return (await served(secretKey)).store;
}

async function served(
  secretKey = S3_ACCESS.secretKey,
): Promise<{ readonly store: S3Store; readonly server: S3Server }> {
  const server = await s3Server();
  closers.push(server.close);
  const { endpoint } = server;
  const place = { endpoint, bucket: 'heads', prefix: 'twapd/', now: () => new Date() };
  const store = new S3Store({ ...S3_ACCESS, ...place, secretKey, partBytes: PART_BYTES });
  return { store, server };
}

function halves(whole: Uint8Array): AsyncIterable<Uint8Array> {
  const middle = whole.length / 2;
  return Readable.from([whole.subarray(0, middle), whole.subarray(middle)]);
}

describe('objects in a folder', () => objectStoreConformance(async () => new FolderStore(path())));
describe('objects in a store that speaks S3', () => objectStoreConformance(() => s3()));

test('a store that refuses the signature is named with its reason', async () => {
  const store = await s3('another secret');
  await expect(store.putNew('a', new Uint8Array(1))).rejects.toThrow('403 SignatureDoesNotMatch');
});

test('what is larger than a part is uploaded in parts, and leaves no upload behind', async () => {
  const { store, server } = await served();
  const whole = new Uint8Array(4 * PART_BYTES).fill(7);
  expect(await store.putNewFrom('big', halves(whole))).toBe(true);
  expect(server.requests.filter((one) => one.includes('partNumber'))).toHaveLength(4);
  expect(server.objects.get('twapd/big')).toEqual(Buffer.from(whole));
  expect(await store.putNewFrom('big', halves(whole))).toBe(false);
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield* halves(whole);
    throw new Error('no more');
  };
  await expect(store.putNewFrom('other', broken())).rejects.toThrow('no more');
  expect([...server.uploads]).toEqual([]);
});

test('a part that the store refuses for the moment is sent again, and one that it continues refusing is named', async () => {
  const { store, server } = await served();
  const whole = new Uint8Array(4 * PART_BYTES).fill(7);
  server.refuse(/partNumber=2&/, 2);
  expect(await store.putNewFrom('slow', halves(whole))).toBe(true);
  expect(server.objects.get('twapd/slow')).toEqual(Buffer.from(whole));
  server.refuse(/partNumber=3&/, 100);
  await expect(store.putNewFrom('never', halves(whole))).rejects.toThrow(
    'answers 503 SlowDown to put part 3 of never',
  );
  expect([...server.uploads]).toEqual([]);
});
