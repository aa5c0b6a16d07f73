// Rules of the channels that notify people: a login that is whole, and encryption beyond this machine.
import type { ConfigFile } from '../config-schema.ts';
import type { Finding } from '../finding.ts';
import { isLoopback } from '../secrets/demo-keys.ts';
import { noticeUrlFault } from '../secrets/notice-address.ts';
import type { NotifyChannelSection } from '../sections/notify-section.ts';

type Path = readonly (string | number)[];

export const notifyFindings = ({ notify }: Pick<ConfigFile, 'notify'>): readonly Finding[] =>
  Object.entries(notify.channels).flatMap(([name, channel]) =>
    findingsOf(['notify', 'channels', name], channel, notify),
  );

function findingsOf(
  path: Path,
  channel: NotifyChannelSection,
  notify: ConfigFile['notify'],
): readonly Finding[] {
  switch (channel.kind) {
    // Their addresses are judged when they are fetched.
    case 'webhook':
    case 'slack':
      return [];
    case 'telegram': {
      const message = noticeUrlFault(channel.apiUrl, notify);
      return message === undefined ? [] : [{ path: [...path, 'apiUrl'], message }];
    }
    case 'email':
      return emailFindings(path, channel, notify);
  }
}

function emailFindings(
  path: Path,
  channel: Extract<NotifyChannelSection, { kind: 'email' }>,
  { unencrypted }: ConfigFile['notify'],
): readonly Finding[] {
  const { user, password, encryption, host } = channel;
  const isPlain = encryption === 'none' && !unencrypted && !isLoopback(host);
  const message =
    'is none for a server that is not on this machine; accepted: tls or starttls, or none with notify.unencrypted: true';
  const plain = isPlain ? [{ path: [...path, 'encryption'], message }] : [];
  if ((user === undefined) === (password === undefined)) return plain;
  const [given, lacking] = user === undefined ? ['password', 'user'] : ['user', 'password'];
  return [
    { path, message: `has a ${given} and no ${lacking}; accepted: both, or neither` },
    ...plain,
  ];
}
