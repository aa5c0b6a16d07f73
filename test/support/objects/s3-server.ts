// An object store on this machine that speaks the protocol of S3 and checks each signature with code of its own.
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  close(): Promise<void>;
}

export const S3_ACCESS = { region: 'eu-test-1', accessKeyId: 'AKTEST', secretKey: 'secret/+key' };
const BUCKET = 'heads';
/** Lists are cut after this many keys. */
const PAGE = 2;

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
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const fault = signatureFault(request, body);
      if (fault !== undefined)
        return response.writeHead(403).end(`<Error><Code>${fault}</Code></Error>`);
      const url = new URL(request.url ?? '', 'http://here');
      if (url.pathname === `/${BUCKET}`) return response.writeHead(200).end(list(url));
      const key = url.pathname.slice(BUCKET.length + 2);
      if (request.method === 'PUT') {
        if (request.headers['if-none-match'] === '*' && objects.has(key)) {
          return response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
        }
        objects.set(key, body);
        return response.writeHead(200).end();
      }
      const found = objects.get(key);
      return found === undefined
        ? response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
        : response.writeHead(200).end(found);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ endpoint: `http://127.0.0.1:${port}`, objects },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
