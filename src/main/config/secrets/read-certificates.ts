// Reads the certificates with which the gateway serves TLS, and refuses those that no client could use.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import type { TlsConfig } from '../config.ts';
import { CREDENTIALS_DIRECTORY, type Environment } from '../environment.ts';
import type { Finding } from '../finding.ts';
import type { TlsSection } from '../sections/tls-section.ts';
import { Secret } from './secret.ts';
import { type Fetched, fromCredential, fromFile } from './secret-sources.ts';

const PATH = ['gateway', 'tls'] as const;

interface Reporting {
  readonly findings: Finding[];
  /** Receives what this machine lacks and a client can do without: the private key. */
  readonly unset: Finding[];
}

/** With findings the result is not to be used. */
export function readCertificates(
  section: TlsSection,
  environment: Environment,
  { findings, unset }: Reporting,
): TlsConfig {
  const fault = (
    option: keyof TlsSection,
    message: string | undefined,
    into: Finding[] = findings,
  ): void => {
    if (message !== undefined) into.push({ path: [...PATH, option], message });
  };
  const cert = textOf(section.cert);
  fault('cert', cert.fault ?? certificateFault(section.cert, cert.text));
  const key = keyOf(section.key, environment);
  const keyText = key.kind === 'fetched' ? key.text : '';
  if (key.kind === 'absent') fault('key', key.message, key.unset ? unset : findings);
  else fault('key', keyFault(section.key, keyText, cert.text));
  const ca = section.ca === undefined ? undefined : textOf(section.ca);
  if (ca !== undefined) fault('ca', ca.fault ?? authorityFault(section.ca ?? '', ca.text));
  return { cert: cert.text, key: new Secret(keyText), ca: ca?.text };
}

function textOf(path: string): { readonly text: string; readonly fault?: string } {
  try {
    return { text: readFileSync(path, 'utf8') };
  } catch (error) {
    throwProgrammingError(error);
    const { code } = error as NodeJS.ErrnoException;
    return {
      text: '',
      fault: `names ${path}, which cannot be read (${code}); accepted: a readable file`,
    };
  }
}

/** The private key: in a file of its owner, or in one that systemd guards. */
function keyOf(path: string, environment: Environment): Fetched {
  const folder = environment(CREDENTIALS_DIRECTORY);
  const name = folder === undefined ? '..' : relative(folder, path);
  return name === '' || name.startsWith('..') || name.includes('/')
    ? fromFile(path)
    : fromCredential(name, environment);
}

function certificateFault(path: string, text: string): string | undefined {
  const certificate = parsed(text);
  if (certificate === undefined)
    return `names ${path}, which is no certificate; accepted: one in PEM`;
  const { validFromDate, validToDate } = certificate;
  const now = Date.now();
  if (now > validToDate.getTime()) {
    return `names ${path}, which expired at ${validToDate.toISOString()}; accepted: one in force`;
  }
  return now < validFromDate.getTime()
    ? `names ${path}, which is not in force before ${validFromDate.toISOString()}; accepted: one in force`
    : undefined;
}

const authorityFault = (path: string, text: string): string | undefined =>
  parsed(text) === undefined
    ? `names ${path}, which is no certificate; accepted: those of authorities, in PEM`
    : undefined;

function keyFault(path: string, text: string, cert: string): string | undefined {
  try {
    const key = createPrivateKey(text);
    if (parsed(cert)?.checkPrivateKey(key) !== false) return undefined;
    return `names ${path}, which is not the key of the certificate; accepted: the one it was made for`;
  } catch {
    // Unexamined: what OpenSSL says about a text that is no key may quote it.
    return `names ${path}, which is no private key; accepted: one in PEM without a passphrase`;
  }
}

/** The first certificate of a chain is that of its holder. */
function parsed(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    // Unexamined: a text that OpenSSL does not read is no certificate.
    return undefined;
  }
}

const WARN_DAYS = 14;
const DAY_MS = 86_400_000;

/** What the operator should know about a certificate in force: that it ends soon. */
export function certificateWarnings(
  tls: Pick<TlsConfig, 'cert'> | undefined,
  nowMs: number,
): readonly string[] {
  if (tls === undefined) return [];
  const { validToDate } = new X509Certificate(tls.cert);
  const days = Math.floor((validToDate.getTime() - nowMs) / DAY_MS);
  if (days >= WARN_DAYS) return [];
  const when = days < 0 ? 'expired' : 'expires';
  return [
    `the certificate of the gateway ${when} at ${validToDate.toISOString()}; renew it and send SIGHUP`,
  ];
}
