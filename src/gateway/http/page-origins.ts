// Which addresses the page may be reached at. Browsers send cookies to every port of a host and to every name that resolves
// to it, so what a browser sends is accepted only under an exact Host and from an exact Origin.
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { type Rejection, reject } from '../../core/rejection.ts';
import { LOCAL_NAMES } from '../limits/address-list.ts';
import { Refused } from '../wire/faults.ts';

export class PageOrigins {
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;

  /** `origins`: what proxies serve the page at, such as `https://twap.desk.example`; the local machine is always accepted. */
  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
    this.#hosts = new Set(origins.map((origin) => new URL(origin).host));
  }

  /** Whether the Host header names this gateway. */
  isHost(request: IncomingMessage): boolean {
    const host = request.headers.host?.toLowerCase() ?? '';
    return this.#hosts.has(host) || localHosts(request).includes(host);
  }

  /** Whether a page of this gateway sent the request; `false` without an Origin. */
  isOwn(request: IncomingMessage): boolean {
    const { origin = '' } = request.headers;
    return (
      this.#origins.has(origin) ||
      localHosts(request).some((host) => origin === `${schemeOf(request)}://${host}`)
    );
  }

  /** Whether a browser sent the request from another page, or to a name that is not this gateway's. */
  isForeign(request: IncomingMessage): boolean {
    if (request.headers.origin === undefined) return false;
    return !this.isOwn(request) || !this.isHost(request);
  }

  /** Whether the request came over TLS, here or at a proxy that serves the page. */
  isSecure(request: IncomingMessage): boolean {
    return (
      schemeOf(request) === 'https' || this.#origins.has(`https://${request.headers.host ?? ''}`)
    );
  }
}

const schemeOf = ({ socket }: IncomingMessage): 'http' | 'https' =>
  socket instanceof TLSSocket ? 'https' : 'http';

/** The port is that of the connection, whatever the request says. */
function localHosts({ socket }: IncomingMessage): readonly string[] {
  const port = socket.localPort;
  const hosts = LOCAL_NAMES.map((name) => `${name}:${port}`);
  return port === 80 || port === 443 ? [...hosts, ...LOCAL_NAMES] : hosts;
}

export const FOREIGN_ORIGIN: Rejection = reject(
  'forbidden',
  'Origin',
  "is another page's; accepted: the page itself, at an address that gateway.origins lists",
);

/** How browsers say which site asks; programs do not. */
const OTHER_SITES: ReadonlySet<unknown> = new Set(['cross-site', 'same-site']);

/**
 * Refuses what a browser sends for another page, unless it only reads. Programs send no Origin, and browsers send none with
 * an image or a link.
 */
export function refuseForeignPages(app: FastifyInstance, origins: PageOrigins): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isOfOtherSite = OTHER_SITES.has(request.headers['sec-fetch-site']);
    const isForeign =
      request.method === 'GET'
        ? request.routeOptions.config.changesByGet === true &&
          (isOfOtherSite || origins.isForeign(request.raw))
        : origins.isForeign(request.raw);
    done(isForeign ? new Refused([FOREIGN_ORIGIN]) : undefined);
  });
}
