// A link, good once, that opens the page in a browser.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { CommandFailure } from '../../command-failure.ts';
import { type Daemon, valueOrFail } from '../daemon-client.ts';

type Scopes = readonly ('read' | 'trade' | 'admin')[];

/**
 * @param scopes what the session may do; default: all that the key may
 * @throws CommandFailure where the daemon gives none
 */
export async function pageLink(
  { client, url }: Pick<Daemon, 'client' | 'url'>,
  scopes?: Scopes,
): Promise<{ readonly link: string; readonly expiresAt: string }> {
  const issued = valueOrFail(await client.pageCode({ purpose: 'open', scopes }));
  if (issued.scopes.length === 0) {
    throw new CommandFailure('refused', ['the key has none of these scopes']);
  }
  // In the fragment, which browsers send to nobody and write to no log.
  return { link: `${url}/#code=${issued.code}`, expiresAt: issued.expiresAt };
}

/** Whether a program that opens it was started; whether it worked is not known. */
export function showInBrowser(link: string): boolean {
  const hasDesktop = process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'];
  const program = process.platform === 'darwin' ? 'open' : hasDesktop && 'xdg-open';
  if (!program) return false;
  const child = spawn(program, [link], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
  return true;
}
