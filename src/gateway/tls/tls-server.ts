// TLS at the gateway's port: the certificates it serves with, which connections are made with which certificate of a client,
// and new certificates for new connections while it runs.
import type { Server, Socket } from 'node:net';
import { TLSSocket, type TlsOptions } from 'node:tls';

export interface ServerTls {
  /** Certificate of this gateway with its chain, in PEM. */
  readonly cert: string;
  /** Its private key, in PEM. */
  readonly key: string;
  /** Authorities, in PEM, one of which every client needs a certificate of; absent: clients need none. */
  readonly ca?: string | undefined;
}

/** What Node's server of HTTPS is made with. */
export const tlsOptions = (tls: ServerTls, handshakeTimeout: number): TlsOptions => ({
  ...tls,
  handshakeTimeout,
  minVersion: 'TLSv1.2',
  // Without a certificate of the authorities the handshake fails, before a byte of a request is read.
  requestCert: tls.ca !== undefined,
  rejectUnauthorized: tls.ca !== undefined,
});

/**
 * The SHA-256 fingerprint of the certificate that the client of a connection has proved to hold, as 64 hexadecimal digits;
 * `undefined` without TLS, without a certificate, or where a proxy shares the connection.
 */
export function clientCertificate(via: object | undefined): string | undefined {
  if (!(via instanceof TLSSocket) || !via.authorized) return undefined;
  const { fingerprint256 = '' } = via.getPeerCertificate();
  return plainFingerprint(fingerprint256);
}

/** Without colons and in lower case; `undefined` if it is none. */
export function plainFingerprint(text: string): string | undefined {
  const plain = text.replaceAll(':', '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(plain) ? plain : undefined;
}

/**
 * Finds the encrypted connection over a socket. Connections are limited when they are opened, as bare sockets; requests, and
 * what is known of their clients, belong to the encrypted ones.
 */
export class SecureConnections {
  readonly #over = new Map<string, TLSSocket>();

  constructor(server: Server) {
    server.on('secureConnection', (secure: TLSSocket) => {
      const place = placeOf(secure);
      this.#over.set(place, secure);
      secure.once('close', () => {
        if (this.#over.get(place) === secure) this.#over.delete(place);
      });
    });
  }

  /** The encrypted connection; the socket itself where there is none. */
  over(socket: Socket): Socket {
    return this.#over.get(placeOf(socket)) ?? socket;
  }
}

/** Only one open connection has it. */
const placeOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
