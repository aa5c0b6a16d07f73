// Rules over several options: references that must resolve, margins, and where demo keys may be used. Each
// finding names the path it concerns.

import type { ConfigFile } from '../config-schema.ts';
import type { Finding } from '../finding.ts';
import { isDemoPair, isLoopback, isPublished } from '../secrets/demo-keys.ts';
import { LIVE_MARGIN_MS_MIN } from '../sections/engine-section.ts';
import { PROXY_SECRET_HEADER } from '../sections/page-section.ts';
import { LOCATIONS_TEXT, plainSecret } from '../sections/secret-location.ts';
import { deribitFindings } from './deribit-rules.ts';
import { notifyFindings } from './notify-rules.ts';
import { isLocal } from './venue-place.ts';
import { archiveFindings, witnessFindings } from './witness-rules.ts';

/** `isGiven` says whether the file itself has an option. */
export function ruleFindings(
  file: ConfigFile,
  isGiven: (path: Finding['path']) => boolean,
): readonly Finding[] {
  return [
    ...repeated(file, 'accounts'),
    ...repeated(file, 'keys'),
    ...accountFindings(file),
    ...keyFindings(file),
    ...makerFindings(file),
    ...marginFindings(file),
    ...deribitFindings(file, isGiven),
    ...notifyFindings(file),
    ...witnessFindings(file),
    ...pageFindings(file),
    ...archiveFindings(file),
  ];
}

/** Published secrets are accepted only with local paper exchanges and on loopback addresses. */
export function demoFindings(file: ConfigFile, secrets: readonly string[]): readonly Finding[] {
  if (!secrets.some(isPublished)) return [];
  const live = Object.entries(file.venues).filter(([, venue]) => !isLocal(venue));
  const findings: Finding[] = live.map(([name]) => ({
    path: ['venues', name],
    message:
      'is not a paper venue of this machine, and a published demo key is configured; accepted: keys of your own',
  }));
  if (!isLoopback(file.service.host)) {
    findings.push({
      path: ['service', 'host'],
      message: `is ${JSON.stringify(file.service.host)}, and a published demo key is configured; accepted: 127.0.0.1, or keys of your own`,
    });
  }
  return findings;
}

/** Beyond loopback clients are served over TLS, here or by a proxy that the file vouches for. */
export function plainFindings({ service, gateway }: ConfigFile): readonly Finding[] {
  if (isLoopback(service.host) || service.plainHttp || gateway.tls !== undefined) return [];
  return [
    {
      path: ['service', 'host'],
      message: `is ${JSON.stringify(service.host)}, where signatures, orders and positions would cross the network unencrypted; accepted: 127.0.0.1, gateway.tls, or service.plainHttp: true behind a proxy with TLS or on a trusted network`,
    },
  ];
}

function repeated(file: ConfigFile, section: 'accounts' | 'keys'): readonly Finding[] {
  const ids = file[section].map((entry) => entry.id);
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [{ path: [section, index, 'id'], message: `repeats ${id}; accepted: each id once` }],
  );
}

function accountFindings(file: ConfigFile): readonly Finding[] {
  const venues = Object.keys(file.venues);
  return file.accounts.flatMap((account, index) => {
    const venue = file.venues[account.venue];
    if (venue === undefined) {
      const message = unknown(account.venue, 'venue', venues);
      return [{ path: ['accounts', index, 'venue'], message }];
    }
    if (account.selfTrade === undefined || (venue.kind === 'paper' && !account.dummy)) return [];
    const where = account.dummy ? 'a dummy account' : `an account of a venue of kind ${venue.kind}`;
    const message = `is set for ${where}; accepted: on accounts that trade on a paper venue`;
    return [{ path: ['accounts', index, 'selfTrade'], message }];
  });
}

function keyFindings(file: ConfigFile): readonly Finding[] {
  const accounts = file.accounts.map((account) => account.id);
  return file.keys.flatMap((key, index) => [
    ...key.accounts.flatMap((id, at) =>
      accounts.includes(id)
        ? []
        : [{ path: ['keys', index, 'accounts', at], message: unknown(id, 'account', accounts) }],
    ),
    ...secretFindings(key, index),
    ...certificateFindings(file, index),
  ]);
}

function certificateFindings({ keys, gateway }: ConfigFile, index: number): readonly Finding[] {
  if (keys[index]?.certificate === undefined || gateway.tls?.ca !== undefined) return [];
  const message =
    'is set, and no client is asked for a certificate; accepted: with gateway.tls.ca, the authorities of client certificates';
  return [{ path: ['keys', index, 'certificate'], message }];
}

function secretFindings(
  { id, secret }: ConfigFile['keys'][number],
  index: number,
): readonly Finding[] {
  const plain = plainSecret(secret);
  if (plain === undefined || isDemoPair(id, plain)) return [];
  return [
    {
      path: ['keys', index, 'secret'],
      message: `is in plain text; accepted: ${LOCATIONS_TEXT} (plain text is for the published demo keys)`,
    },
  ];
}

function marginFindings(file: ConfigFile): readonly Finding[] {
  const isLive = Object.values(file.venues).some((venue) => !isLocal(venue));
  if (!isLive) return [];
  return (['skewMs', 'readLagMs'] as const).flatMap((option) =>
    file.engine[option] >= LIVE_MARGIN_MS_MIN
      ? []
      : [
          {
            path: ['engine', option],
            message: `is ${file.engine[option]}; accepted: at least ${LIVE_MARGIN_MS_MIN} unless every venue is a paper exchange of this machine`,
          },
        ],
  );
}

const unknown = (text: string, what: string, known: readonly string[]): string =>
  `names ${JSON.stringify(text)}, which is not a known ${what}; accepted: ${known.join(', ') || 'none is configured'}`;

/**
 * A maker's alias belongs to one account, and an account has one alias, because an RFQ that names the alias
 * goes to that account.
 */
function makerFindings({ keys, accounts }: ConfigFile): readonly Finding[] {
  const shadows = new Set(accounts.filter(({ dummy }) => dummy).map(({ id }) => id));
  const accountOf = new Map<string, string>();
  const aliasOf = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [index, { makerAlias, accounts: own }] of keys.entries()) {
    if (makerAlias === undefined) continue;
    const path = ['keys', index, 'makerAlias'];
    for (const account of own.filter((id) => !shadows.has(id))) {
      const known: string = accountOf.get(makerAlias) ?? account;
      const other: string = aliasOf.get(account) ?? makerAlias;
      accountOf.set(makerAlias, known);
      aliasOf.set(account, other);
      if (known !== account) {
        const message = `is ${makerAlias} for the accounts ${known} and ${account}; accepted: an alias for each`;
        findings.push({ path, message });
      } else if (other !== makerAlias) {
        const message = `is ${makerAlias}, and account ${account} is ${other} already; accepted: one alias an account`;
        findings.push({ path, message });
      }
    }
  }
  return findings;
}

const PROXY_SIGN_IN = ['gateway', 'page', 'proxySignIn'] as const;

/** Rules on people who come to the page by a proxy. */
function pageFindings({ gateway }: ConfigFile): readonly Finding[] {
  const section = gateway.page.proxySignIn;
  if (section === undefined) return [];
  const findings: Finding[] = [];
  if (gateway.trustedProxies.length === 0) {
    const message =
      'is set, and no proxy is trusted; accepted: with the address of the proxy in gateway.trustedProxies';
    findings.push({ path: PROXY_SIGN_IN, message });
  }
  if (section.personHeader.toLowerCase() === PROXY_SECRET_HEADER.toLowerCase()) {
    const message = `is ${PROXY_SECRET_HEADER}, which has the secret; accepted: another header`;
    findings.push({ path: [...PROXY_SIGN_IN, 'personHeader'], message });
  }
  // Records name the key: two people with one key would look the same in them.
  for (const field of ['person', 'key'] as const) {
    const values = section.people.map((one) => one[field]);
    for (const [index, value] of values.entries()) {
      if (values.indexOf(value) === index) continue;
      const message = `repeats ${value}; accepted: each ${field} once`;
      findings.push({ path: [...PROXY_SIGN_IN, 'people', index, field], message });
    }
  }
  return findings;
}
