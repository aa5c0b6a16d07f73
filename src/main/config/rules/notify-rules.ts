// Rules of the channels that notify people: one source of each secret, and encryption beyond this machine.
import type { ConfigFile } from '../config-schema.ts';
import type { Finding } from '../finding.ts';
import { isLoopback } from '../secrets/demo-keys.ts';
import { noticeUrlFault } from '../secrets/notice-address.ts';
import type { NotifyChannelSection } from '../sections/notify-section.ts';
import { sourcesOf } from '../sections/secret-source.ts';

type Path = readonly (string | number)[];

export const notifyFindings = ({ notify }: Pick<ConfigFile, 'notify'>): readonly Finding[] =>
  Object.entries(notify.channels).flatMap(([name, channel]) =>
    findingsOf(['notify', 'channels', name], channel),
  );

function findingsOf(path: Path, channel: NotifyChannelSection): readonly Finding[] {
  switch (channel.kind) {
    case 'webhook':
      return [
        ...oneSource(path, channel, ['url', ...sourcesOf('url')]),
        ...oneSource(path, channel, sourcesOf('secret')),
      ];
    case 'slack':
      return oneSource(path, channel, sourcesOf('url'));
    case 'telegram': {
      const message = noticeUrlFault(channel.apiUrl, channel);
      return [
        ...oneSource(path, channel, sourcesOf('token')),
        ...(message === undefined ? [] : [{ path: [...path, 'apiUrl'], message }]),
      ];
    }
    case 'email':
      return emailFindings(path, channel);
  }
}

function emailFindings(
  path: Path,
  channel: Extract<NotifyChannelSection, { kind: 'email' }>,
): readonly Finding[] {
  const { user, encryption, host, unencrypted } = channel;
  const isPlain = encryption === 'none' && !unencrypted && !isLoopback(host);
  const message =
    'is none for a server that is not on this machine; accepted: tls or starttls, or none with unencrypted: true';
  const plain = isPlain ? [{ path: [...path, 'encryption'], message }] : [];
  if (user !== undefined) return [...oneSource(path, channel, sourcesOf('password')), ...plain];
  if (sourcesOf('password').every((name) => Reflect.get(channel, name) === undefined)) return plain;
  return [{ path, message: 'has a password and no user; accepted: both, or neither' }, ...plain];
}

export function oneSource(
  path: Path,
  channel: object,
  names: readonly string[],
): readonly Finding[] {
  const given = names.filter((name) => Reflect.get(channel, name) !== undefined);
  if (given.length === 1) return [];
  const found = given.length === 0 ? 'none' : given.join(' and ');
  return [{ path, message: `gives ${found} of ${names.join(', ')}; accepted: one of them` }];
}
