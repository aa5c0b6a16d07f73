// Rules of Deribit venues: one place, unencrypted and with the published keys on this machine only, and limits of their own where real money may be traded.
import type { ConfigFile } from '../config-schema.ts';
import type { Finding } from '../finding.ts';
import { isDemoPair, isThisMachine } from '../secrets/demo-keys.ts';
import type {
  DeribitCredentialsSection,
  DeribitVenueSection,
} from '../sections/deribit-section.ts';
import { LOCATIONS_TEXT, plainSecret } from '../sections/secret-location.ts';
import { accountsNamed } from './venue-accounts.ts';
import { environmentAt, isEncrypted, mayBeLive } from './venue-place.ts';

type Path = readonly (string | number)[];
type Place = Pick<DeribitVenueSection, 'environment' | 'url'>;
type Protection = DeribitVenueSection['protection'][number];

/** `isGiven` says whether the file itself has an option. */
export function deribitFindings(
  file: ConfigFile,
  isGiven: (path: Path) => boolean,
): readonly Finding[] {
  const live = Object.entries(file.venues).filter(([, venue]) => mayBeLive(venue));
  return [
    ...live.slice(0, 1).flatMap(([name]) => limitFindings(name, isGiven)),
    ...Object.entries(file.venues).flatMap(([name, venue]) => {
      if (venue.kind === 'deribit') return findingsOf(file, name, venue);
      if (venue.kind !== 'paper' || !('from' in venue.market)) return [];
      return placeFindings(['venues', name, 'market', 'url'], venue.market);
    }),
  ];
}

function findingsOf(
  file: ConfigFile,
  name: string,
  venue: DeribitVenueSection,
): readonly Finding[] {
  const path = ['venues', name];
  const entries = venue.credentials.map((entry, index) => ({
    entry,
    path: [...path, 'credentials', index],
  }));
  const named = entries.map(({ entry, path: at }) => ({
    id: entry.account,
    path: [...at, 'account'],
  }));
  return [
    ...placeFindings([...path, 'url'], venue),
    ...accountsNamed(file, name, named),
    ...entries.flatMap(({ entry, path: at }) => plainFindings(at, entry, venue)),
    ...venue.protection.flatMap((one, index) =>
      protectionFindings([...path, 'protection', index], one, venue.protection.slice(0, index)),
    ),
  ];
}

function placeFindings(path: Path, { environment, url }: Place): readonly Finding[] {
  if (url === undefined) return [];
  if (environment !== undefined) {
    return [{ path, message: 'is given together with environment; accepted: one of them' }];
  }
  const known = environmentAt(url);
  if (known !== undefined) {
    const message = `is the address of an environment; accepted: environment: ${known} in its place`;
    return [{ path, message }];
  }
  if (isEncrypted(url) || isThisMachine(url)) return [];
  return [{ path, message: 'is not encrypted; accepted: wss, or an address of this machine' }];
}

/** What bounds the loss: options whose defaults are made for play money. */
const LIMITS: readonly Path[] = [
  ['limits', 'orderUsdMax'],
  ['limits', 'legUsdMax'],
  ['controls', 'positionMax'],
  ['controls', 'grossUsdMax'],
  ['controls', 'slippageUsdMax'],
];

const limitFindings = (venue: string, isGiven: (path: Path) => boolean): readonly Finding[] =>
  LIMITS.filter((path) => !isGiven(path)).map((path) => ({
    path,
    message: `is not in the file, and venue "${venue}" may trade real money; accepted: a limit of your own`,
  }));

/** The published keys open the accounts of a paper exchange of this machine, and nothing else. */
function plainFindings(
  path: Path,
  { clientId, clientSecret }: DeribitCredentialsSection,
  { url }: Place,
): readonly Finding[] {
  const plain = { clientId: plainSecret(clientId), clientSecret: plainSecret(clientSecret) };
  const isDemo =
    url !== undefined &&
    isThisMachine(url) &&
    isDemoPair(keyOf(plain.clientId ?? ''), plain.clientSecret ?? '');
  if (isDemo) return [];
  const given = Object.entries(plain).filter(([, text]) => text !== undefined);
  return given.map(([field]) => ({
    path: [...path, field],
    message: `is in plain text; accepted: ${LOCATIONS_TEXT} (plain text is for the published demo keys, at a url of this machine)`,
  }));
}

/** On a paper exchange a client id may name an account: `KEY/ACCOUNT`. */
const keyOf = (clientId: string): string => clientId.split('/')[0] ?? '';

function protectionFindings(
  path: Path,
  one: Protection,
  before: readonly Protection[],
): readonly Finding[] {
  const { index, group, quantityLimit, deltaLimit, vegaLimit } = one;
  const isLimited = [quantityLimit, deltaLimit, vegaLimit].some((each) => each !== undefined);
  const isRepeated = before.some((other) => other.index === index && other.group === group);
  const named = group === undefined ? index : `${index} and group ${group}`;
  return [
    ...(isLimited
      ? []
      : [
          {
            path,
            message:
              'limits nothing; accepted: at least one of quantityLimit, deltaLimit, vegaLimit',
          },
        ]),
    ...(isRepeated ? [{ path, message: `repeats ${named}; accepted: each once` }] : []),
  ];
}
