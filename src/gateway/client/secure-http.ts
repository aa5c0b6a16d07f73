// How the client trusts a gateway that serves TLS, and shows a certificate of its own. Without settings of TLS requests go the
// usual way, with the authorities that Node trusts.
import { X509Certificate } from 'node:crypto';
import { Agent, request as secureRequest } from 'node:https';
import { type ConnectionOptions, checkServerIdentity, rootCertificates } from 'node:tls';

export interface ClientTls {
  /** Authorities, in PEM, of which the gateway's certificate must be; absent: those that Node trusts. */
  readonly ca?: string | undefined;
  /** Certificate of this client with its chain, in PEM, and its private key: for gateways that request one. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The gateway's own certificate, in PEM, where it is known: accepted whatever name it is reached by. */
  readonly known?: string | undefined;
}

/** What a connection is made with. */
export function connectionOptions({ ca, cert, key, known }: ClientTls): ConnectionOptions {
  const own = { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
  if (known === undefined) return ca === undefined ? own : { ...own, ca };
  const { fingerprint256 } = new X509Certificate(known);
  return {
    ...own,
    ca: [...(ca === undefined ? rootCertificates : [ca]), known],
    allowPartialTrustChain: true,
    checkServerIdentity: (host, peer) =>
      peer.fingerprint256 === fingerprint256 ? undefined : checkServerIdentity(host, peer),
  } as ConnectionOptions;
}

export interface HttpTarget {
  readonly baseUrl: string;
  readonly tls?: ClientTls | undefined;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Sends once, and rejects as `fetch` does: with a TypeError whose cause is the reason. */
export function sendHttp(
  { baseUrl, tls }: HttpTarget,
  path: string,
  request: HttpRequest,
): Promise<Response> {
  if (tls === undefined || !baseUrl.startsWith('https:')) return fetch(baseUrl + path, request);
  const { method = 'GET', headers = {}, body, signal } = request;
  return new Promise((resolve, reject) => {
    const failed = (cause: Error): void =>
      reject(signal.aborted ? signal.reason : new TypeError('fetch failed', { cause }));
    const sent = secureRequest(
      baseUrl + path,
      { method, headers, signal, agent: agentOf(tls) },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.once('error', failed);
        answer.once('end', () => {
          const { statusCode = 500, headers: received } = answer;
          const retryAfter = received['retry-after'];
          resolve(
            new Response(isBodiless(statusCode) ? null : Buffer.concat(parts), {
              status: statusCode,
              headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
            }),
          );
        });
      },
    );
    sent.once('error', failed);
    sent.end(body);
  });
}

const isBodiless = (status: number): boolean => status === 204 || status === 304;

/** Connections are kept for the next request, as `fetch` keeps them. */
const agents = new WeakMap<ClientTls, Agent>();

function agentOf(tls: ClientTls): Agent {
  const known = agents.get(tls);
  if (known !== undefined) return known;
  const agent = new Agent({ keepAlive: true, ...connectionOptions(tls) });
  agents.set(tls, agent);
  return agent;
}
