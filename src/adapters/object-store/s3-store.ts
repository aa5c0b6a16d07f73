// An S3-compatible object store: Amazon's, or one of those that speak its protocol. Buckets are addressed in the path, which
// works at every address; a new object is refused by the store itself if there is one under its key (`If-None-Match: *`).
import { isObjectKey, type ObjectStore } from '../../ports/objects/object-store.ts';
import { assert } from '../../values/assert.ts';
import { printable } from '../../values/printable.ts';
import { queryText, type SignedAccess, signedHeaders } from './signature-v4.ts';

export interface S3StoreOptions extends SignedAccess {
  /** Such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Before every key; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly now: () => Date;
  readonly timeoutMs?: number;
}

interface Request {
  readonly method: 'GET' | 'PUT';
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 30_000;
const NOTHING = new Uint8Array();
const SHOWN_MAX = 200;

export class S3Store implements ObjectStore {
  readonly #options: S3StoreOptions;

  constructor(options: S3StoreOptions) {
    this.#options = options;
  }

  async putNew(key: string, bytes: Uint8Array): Promise<boolean> {
    const headers = { 'if-none-match': '*' };
    const answer = await this.#send({ method: 'PUT', key, body: bytes, headers });
    if (answer.status === 412) return false;
    this.#require(answer, `put ${key}`);
    return true;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const answer = await this.#send({ method: 'GET', key });
    if (answer.status === 404) return undefined;
    this.#require(answer, `get ${key}`);
    return answer.bytes;
  }

  async *list(prefix: string): AsyncIterable<string> {
    const own = this.#options.prefix;
    let token: string | undefined;
    do {
      const query = {
        'list-type': '2',
        prefix: `${own}${prefix}`,
        ...(token !== undefined && { 'continuation-token': token }),
      };
      const answer = await this.#send({ method: 'GET', query });
      this.#require(answer, `list ${prefix}`);
      const text = new TextDecoder().decode(answer.bytes);
      for (const key of textsOf(text, 'Key')) yield key.slice(own.length);
      const isCut = textsOf(text, 'IsTruncated')[0] === 'true';
      token = isCut ? textsOf(text, 'NextContinuationToken')[0] : undefined;
    } while (token !== undefined);
  }

  async #send(request: Request): Promise<{ readonly status: number; readonly bytes: Uint8Array }> {
    const { method, key, query, body = NOTHING, headers = {} } = request;
    const { endpoint, bucket, prefix, now, timeoutMs = TIMEOUT_MS } = this.#options;
    assert(key === undefined || isObjectKey(key), 'a key has plain characters only');
    const path = key === undefined ? '' : `/${prefix}${key}`;
    const search = query === undefined ? '' : `?${queryText(query)}`;
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}${path}${search}`);
    const sent = signedHeaders({ method, url, body, headers, at: now() }, this.#options);
    const answer = await fetch(url, {
      ...{ method, headers: sent, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) },
      ...(method === 'PUT' && { body: Buffer.from(body) }),
    });
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
  }

  #require(
    { status, bytes }: { readonly status: number; readonly bytes: Uint8Array },
    what: string,
  ): void {
    if (status === 200) return;
    const text = new TextDecoder().decode(bytes);
    const why = textsOf(text, 'Code')[0] ?? text;
    throw new Error(
      `the object store answers ${status} ${printable(why.slice(0, SHOWN_MAX))} to ${what}`,
    );
  }
}

/** The texts of the elements of this name: the answers of the protocol nest none in itself. */
const textsOf = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replaceAll(/&(amp|lt|gt|quot|apos|#x?[0-9a-fA-F]+);/g, (_all, entity: string) =>
      entityText(entity),
    ),
  );

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

const entityText = (entity: string): string =>
  NAMED[entity] ??
  String.fromCodePoint(
    entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1)),
  );
