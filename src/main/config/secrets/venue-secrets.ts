// The secrets with which accounts of venues are traded: they must never appear in a log, and published ones are accepted
// on this machine only.
import type { VenueConfig } from '../config.ts';
import type { Secret } from './secret.ts';

export const venueSecrets = (venues: Readonly<Record<string, VenueConfig>>): readonly string[] =>
  Object.values(venues)
    .flatMap(secretsOf)
    .flatMap((secret) => wordsOf(secret.reveal()));

/** A private key is written over several lines, and each of them must stay hidden. */
export const wordsOf = (text: string): readonly string[] => [
  text,
  ...text.split('\n').filter((line) => line !== text && line !== '' && !line.startsWith('-----')),
];

function secretsOf(venue: VenueConfig): readonly Secret[] {
  switch (venue.kind) {
    case 'paper':
      return [];
    case 'deribit':
      return venue.credentials.map(({ key }) =>
        key.kind === 'deribit' ? key.clientSecret : key.privateKey,
      );
  }
}
