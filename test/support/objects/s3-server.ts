// An object store on this machine that speaks the protocol of S3 and checks each signature with code of its own, uploads in
// parts included: parts are of one size, all but the last, and not smaller than the store demands.
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** Uploads that were begun, and neither completed nor abandoned. */
  readonly uploads: ReadonlyMap<string, unknown>;
  /** What was requested, such as `PUT day/file`, in order. */
  readonly requests: readonly string[];
  /** Requests that match are answered 503, as often as the number says. */
  refuse(requests: RegExp, times: number): void;
  /** Nothing is refused any more. */
  allow(): void;
  close(): Promise<void>;
}

export const S3_ACCESS = { region: 'eu-test-1', accessKeyId: 'AKTEST', secretKey: 'secret/+key' };
const BUCKET = 'heads';
/** Lists are cut after this many keys. */
const PAGE = 2;
/** Amazon's store demands 5 MiB. */
const PART_MIN = 1_024;

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

interface Reply {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const refusal = (status: number, code: string): Reply => ({
  status,
  body: `<Error><Code>${code}</Code></Error>`,
});

const tagOf = (part: Buffer): string => `"${createHash('md5').update(part).digest('hex')}"`;

/** The object of a completed upload, or why the store refuses it. */
function assembled(upload: Upload | undefined, body: string): Buffer | Reply {
  if (upload === undefined) return refusal(404, 'NoSuchUpload');
  const named = [
    ...body.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag><\/Part>/g),
  ].map(([, number, tag = '']) => ({ number: Number(number), tag: tag.replaceAll('&#34;', '"') }));
  const parts = named.map(({ number }) => upload.parts.get(number) ?? Buffer.alloc(0));
  if (parts.length === 0) return refusal(400, 'MalformedXML');
  if (named.some(({ number }, place) => number !== place + 1))
    return refusal(400, 'InvalidPartOrder');
  if (named.some(({ tag }, place) => tag !== tagOf(parts[place] ?? Buffer.alloc(0))))
    return refusal(400, 'InvalidPart');
  const early = parts.slice(0, -1);
  if (early.some(({ length }) => length < PART_MIN)) return refusal(400, 'EntityTooSmall');
  if (early.some(({ length }) => length !== early[0]?.length)) return refusal(400, 'InvalidPart');
  return Buffer.concat(parts);
}

const hex = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

/** What AWS calls a canonical request, rebuilt from what arrived; `undefined` if the signature is right. */
function signatureFault(request: IncomingMessage, body: Buffer): string | undefined {
  const {
    authorization = '',
    'x-amz-date': time = '',
    'x-amz-content-sha256': digest,
  } = request.headers;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (parts === null) return 'MissingSecurityHeader';
  const [, key, day = '', region = '', names = '', signature] = parts;
  if (key !== S3_ACCESS.accessKeyId) return 'InvalidAccessKeyId';
  if (digest !== hex(body)) return 'XAmzContentSHA256Mismatch';
  if (region !== S3_ACCESS.region || !String(time).startsWith(day))
    return 'AuthorizationHeaderMalformed';
  const [path = '', query = ''] = (request.url ?? '').split('?');
  let canonical = `${request.method}\n${path}\n${query.split('&').sort().join('&')}\n`;
  for (const name of names.split(';')) canonical += `${name}:${request.headers[name]}\n`;
  canonical += `\n${names}\n${digest}`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${hex(canonical)}`;
  const mac = (by: string | Buffer, of: string) => createHmac('sha256', by).update(of).digest();
  const signing = mac(
    mac(mac(mac(`AWS4${S3_ACCESS.secretKey}`, day), region), 's3'),
    'aws4_request',
  );
  return mac(signing, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}

export async function s3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const list = (url: URL): string => {
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = url.searchParams.get('continuation-token') ?? '';
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const shown = keys.slice(0, PAGE);
    const isCut = keys.length > PAGE;
    const next = isCut ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : '';
    const contents = shown.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents}</ListBucketResult>`;
  };
  const uploads = new Map<string, Upload>();
  const requests: string[] = [];
  const refused: { requests: RegExp; times: number }[] = [];
  let begun = 0;

  const put = (key: string, body: Buffer, isOnlyNew: boolean): Reply => {
    if (isOnlyNew && objects.has(key)) return refusal(412, 'PreconditionFailed');
    objects.set(key, body);
    return { status: 200, body: `<Result><ETag>${tagOf(body)}</ETag></Result>` };
  };

  const answerTo = (request: IncomingMessage, body: Buffer): Reply => {
    const fault = signatureFault(request, body);
    if (fault !== undefined) return refusal(403, fault);
    const url = new URL(request.url ?? '', 'http://here');
    if (url.pathname === `/${BUCKET}`) return { status: 200, body: list(url) };
    const key = url.pathname.slice(BUCKET.length + 2);
    const id = url.searchParams.get('uploadId');
    const what = `${request.method} ${key}${url.search}`;
    requests.push(what);
    const due = refused.find((one) => one.times > 0 && one.requests.test(what));
    if (due !== undefined) {
      due.times -= 1;
      return refusal(503, 'SlowDown');
    }
    const isOnlyNew = request.headers['if-none-match'] === '*';
    const upload = id === null ? undefined : uploads.get(id);
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      begun += 1;
      uploads.set(`upload ${begun}`, { key, parts: new Map() });
      return { status: 200, body: `<Result><UploadId>upload ${begun}</UploadId></Result>` };
    }
    if (request.method === 'POST') {
      const object = assembled(upload, body.toString());
      if (!Buffer.isBuffer(object)) return object;
      const answer = put(key, object, isOnlyNew);
      if (answer.status === 200) uploads.delete(id ?? '');
      return answer;
    }
    if (request.method === 'DELETE') {
      return uploads.delete(id ?? '') ? { status: 204 } : refusal(404, 'NoSuchUpload');
    }
    if (request.method === 'PUT' && id !== null) {
      if (upload === undefined || upload.key !== key) return refusal(404, 'NoSuchUpload');
      upload.parts.set(Number(url.searchParams.get('partNumber')), body);
      return { status: 200, headers: { etag: tagOf(body) } };
    }
    if (request.method === 'PUT') return put(key, body, isOnlyNew);
    const found = objects.get(key);
    return found === undefined ? refusal(404, 'NoSuchKey') : { status: 200, body: found };
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body, headers } = answerTo(request, Buffer.concat(chunks));
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    uploads,
    requests,
    refuse: (matching, times) => refused.push({ requests: matching, times }),
    allow: () => void refused.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
