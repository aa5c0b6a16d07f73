// Certificates that exist for one test: authorities, and what they sign, made by openssl at run time.
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certified {
  readonly certPath: string;
  readonly keyPath: string;
  readonly cert: string;
  readonly key: string;
  /** SHA-256, as openssl prints it. */
  readonly fingerprint: string;
}

const openssl = (...words: readonly string[]): void => {
  execFileSync('openssl', [...words], { stdio: ['ignore', 'ignore', 'pipe'] });
};

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** One authority, in a folder of its own. */
export class Authority {
  readonly #folder: string;
  readonly certPath: string;
  readonly cert: string;
  #made = 0;

  constructor(parent: string, name: string) {
    this.#folder = join(parent, name);
    mkdirSync(this.#folder);
    this.certPath = join(this.#folder, 'ca.crt');
    openssl(
      'req',
      '-x509',
      ...KEY,
      '-days',
      '30',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      join(this.#folder, 'ca.key'),
      '-out',
      this.certPath,
    );
    this.cert = readFileSync(this.certPath, 'utf8');
  }

  /** A certificate for these names (`DNS:…`, `IP:…`), or for a client. `days` may be negative: it has expired. */
  certify(name: string, { names = '', days = 30 } = {}): Certified {
    this.#made += 1;
    const at = (ending: string): string => join(this.#folder, `${name}-${this.#made}.${ending}`);
    const [certPath, keyPath] = [at('crt'), at('key')];
    openssl('req', '-new', ...KEY, '-subj', `/CN=${name}`, '-keyout', keyPath, '-out', at('csr'));
    const extensions = names === '' ? '' : `subjectAltName=${names}\n`;
    writeFileSync(at('ext'), `basicConstraints=CA:FALSE\n${extensions}`);
    openssl(
      'x509',
      '-req',
      '-in',
      at('csr'),
      '-days',
      String(days),
      '-out',
      certPath,
      '-CA',
      this.certPath,
      '-CAkey',
      join(this.#folder, 'ca.key'),
      '-CAcreateserial',
      '-extfile',
      at('ext'),
    );
    const cert = readFileSync(certPath, 'utf8');
    const { fingerprint256: fingerprint } = new X509Certificate(cert);
    return { certPath, keyPath, cert, key: readFileSync(keyPath, 'utf8'), fingerprint };
  }
}

/** Names under which tests reach a server of this machine. */
export const LOCAL_NAMES = 'IP:127.0.0.1,DNS:localhost';
