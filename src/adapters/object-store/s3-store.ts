// An S3-compatible object store: Amazon's, or one of those that speak its protocol. Buckets are addressed in the path, which
// works at every address; a new object is refused by the store itself if there is one under its key (`If-None-Match: *`). What
// is larger than a part is uploaded in parts of the same size, which become the object when the upload is completed.

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { isObjectKey, type ObjectStore } from '../../ports/objects/object-store.ts';
import { assert } from '../../values/assert.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { printable } from '../../values/printable.ts';
import { cutText } from '../../values/text/text-length.ts';
import { partsOf } from './object-parts.ts';
import { textsOf, xmlText } from './store-xml.ts';

export interface S3StoreOptions {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretKey: string;
  /** Such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Before every key; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly now: () => Date;
  /** How long a request may take; in an object that is read in pieces, each of them. Default 30 000. */
  readonly timeoutMs?: number;
  /** Size of a part; stores demand 5 MiB at least, and take 10 000 of them. Default 16 MiB. */
  readonly partBytes?: number;
}

interface Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

const TIMEOUT_MS = 30_000;
const PART_BYTES = 16 * 1_024 * 1_024;
/** A part may be sent again: its number names it. */
const PART_TRIES = 4;
const REST_MS = 500;
const NOTHING = new Uint8Array();
const SHOWN_MAX = 200;
const IF_NEW = { 'if-none-match': '*' };
const EXISTS = 412;

export class S3Store implements ObjectStore {
  readonly #options: S3StoreOptions;

  constructor(options: S3StoreOptions) {
    this.#options = options;
  }

  async putNew(key: string, bytes: Uint8Array): Promise<boolean> {
    const answer = await this.#send({ method: 'PUT', key, body: bytes, headers: IF_NEW });
    if (answer.status === EXISTS) return false;
    this.#require(answer, `put ${key}`);
    return true;
  }

  async putNewFrom(key: string, pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
    let upload: string | undefined;
    const tags: string[] = [];
    try {
      for await (const { bytes, isLast } of partsOf(
        pieces,
        this.#options.partBytes ?? PART_BYTES,
      )) {
        if (isLast && upload === undefined) return await this.putNew(key, bytes);
        upload ??= await this.#beginUpload(key);
        tags.push(await this.#putPart(key, { upload, number: tags.length + 1, bytes }));
      }
      return await this.#complete(key, upload ?? '', tags);
    } catch (error) {
      if (upload !== undefined) await this.#abandon(key, upload);
      throw error;
    }
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const answer = await this.#send({ method: 'GET', key });
    if (answer.status === 404) return undefined;
    this.#require(answer, `get ${key}`);
    return answer.bytes;
  }

  async read(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const silence = new AbortController();
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    const late = setTimeout(
      () => silence.abort(new Error(`the object store sent nothing of ${key} for ${timeoutMs} ms`)),
      timeoutMs,
    );
    const answer = await this.#fetch({ method: 'GET', key }, silence.signal).catch(
      (error: unknown) => {
        clearTimeout(late);
        throw error;
      },
    );
    if (answer.status === 200 && answer.body !== null) return piecesOf(answer.body, late);
    clearTimeout(late);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 404) return undefined;
    this.#require({ status: answer.status, bytes }, `get ${key}`);
    return piecesOf([bytes], late);
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

  async #beginUpload(key: string): Promise<string> {
    const answer = await this.#send({ method: 'POST', key, query: { uploads: '' } });
    this.#require(answer, `begin an upload of ${key}`);
    const [upload] = textsOf(new TextDecoder().decode(answer.bytes), 'UploadId');
    if (upload !== undefined) return upload;
    throw new Error(`the object store begins an upload of ${key} without an UploadId`);
  }

  /** The tag by which the store knows the part. */
  async #putPart(
    key: string,
    part: { readonly upload: string; readonly number: number; readonly bytes: Uint8Array },
  ): Promise<string> {
    const query = { partNumber: String(part.number), uploadId: part.upload };
    for (let tries = 1; ; tries += 1) {
      const isLastTry = tries === PART_TRIES;
      const answer = await this.#send({ method: 'PUT', key, query, body: part.bytes }).catch(
        (error: unknown) => {
          if (isLastTry) throw error;
        },
      );
      const tag = answer?.status === 200 ? answer.headers.get('etag') : null;
      if (tag !== null) return tag;
      const mayPass = answer === undefined || answer.status >= 500;
      if (answer !== undefined && (isLastTry || !mayPass)) {
        this.#require(answer, `put part ${part.number} of ${key}`);
        throw new Error(`the object store gives part ${part.number} of ${key} no ETag`);
      }
      await sleep(REST_MS * tries);
    }
  }

  async #complete(key: string, upload: string, tags: readonly string[]): Promise<boolean> {
    const parts = tags.map(
      (tag, place) =>
        `<Part><PartNumber>${place + 1}</PartNumber><ETag>${xmlText(tag)}</ETag></Part>`,
    );
    const body = new TextEncoder().encode(
      `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
    );
    const query = { uploadId: upload };
    const answer = await this.#send({ method: 'POST', key, query, body, headers: IF_NEW });
    if (answer.status === EXISTS) {
      await this.#abandon(key, upload);
      return false;
    }
    this.#require(answer, `complete the upload of ${key}`);
    // An error that comes late is reported in an answer that began with 200.
    const text = new TextDecoder().decode(answer.bytes);
    if (textsOf(text, 'ETag').length > 0) return true;
    const why = textsOf(text, 'Code')[0] ?? 'no ETag';
    throw new Error(`the object store did not complete ${key}: ${printable(why)}`);
  }

  /** What the parts occupy is freed; where that fails, a rule of the bucket for incomplete uploads does it. */
  async #abandon(key: string, upload: string): Promise<void> {
    await this.#send({ method: 'DELETE', key, query: { uploadId: upload } }).catch(
      throwProgrammingError,
    );
  }

  async #send(request: Request): Promise<Answer> {
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    const answer = await this.#fetch(request, AbortSignal.timeout(timeoutMs));
    const { status, headers } = answer;
    return { status, headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
  }

  async #fetch(request: Request, signal: AbortSignal): Promise<Response> {
    const { method, body = NOTHING } = request;
    const { url, headers } = await this.#signed(request);
    const hasBody = method === 'PUT' || method === 'POST';
    return await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(hasBody && { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }),
    });
  }

  /** The address and headers of the request; the digest of its body is signed too, which the library leaves out of S3's. */
  async #signed({
    method,
    key,
    query = {},
    body = NOTHING,
    headers = {},
  }: Request): Promise<{ readonly url: URL; readonly headers: Headers }> {
    const { endpoint, bucket, prefix, region, accessKeyId, secretKey, now } = this.#options;
    assert(key === undefined || isObjectKey(key), 'a key has plain characters only');
    if (secretKey === '') {
      throw new Error('the secret access key of the object store is not set here');
    }
    const path = key === undefined ? '' : `/${prefix}${key}`;
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const digest = createHash('sha256').update(body).digest('hex');
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': digest },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey: secretKey,
      datetime: now()
        .toISOString()
        .replaceAll(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    // Percent-encoded as it is signed, where a URL has + for a space.
    url.search = signer.encodedSearch;
    return { url, headers: signed.headers };
  }

  #require({ status, bytes }: Pick<Answer, 'status' | 'bytes'>, what: string): void {
    if (status === 200) return;
    const text = new TextDecoder().decode(bytes);
    const why = textsOf(text, 'Code')[0] ?? text;
    throw new Error(
      `the object store answers ${status} ${printable(cutText(why, SHOWN_MAX))} to ${what}`,
    );
  }
}

/** Each piece gives the next one the time again. */
async function* piecesOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  late: NodeJS.Timeout,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      late.refresh();
      yield piece;
      late.refresh();
    }
  } finally {
    clearTimeout(late);
  }
}
