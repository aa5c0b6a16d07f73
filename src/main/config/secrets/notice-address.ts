// Where messages to people may be sent: encrypted, on this machine, or where the file says that the network is trusted.
import type { ConfigFile } from '../config-schema.ts';
import { isThisMachine } from './demo-keys.ts';

/** Describes what is wrong with an address, without repeating it; `undefined` if messages may be sent there. */
export function noticeUrlFault(
  text: string,
  { unencrypted }: Pick<ConfigFile['notify'], 'unencrypted'>,
): string | undefined {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:' && (unencrypted || isThisMachine(text))) return undefined;
  return 'is not an address that messages are sent to; accepted: one with https, http on this machine, or http with notify.unencrypted: true';
}
