// A mail server on this machine that keeps what it is sent.
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  /** As it came, with its headers. */
  readonly source: string;
}

export interface MailReceiver {
  readonly port: number;
  readonly mails: Mail[];
  /** The reply to a mail; absent: it is taken. */
  refusal: { readonly code: number; readonly text: string } | undefined;
  /** It takes mails and never answers. */
  isSilent: boolean;
  /** Number of mails whose text has begun. */
  begun: number;
  close(): Promise<void>;
}

export const LOGIN = { user: 'alarms', password: 'a password that stays secret' };

/** @param isOpen whether it takes mails of anybody; otherwise it requests {@link LOGIN} */
export async function mailReceiver({ isOpen = true } = {}): Promise<MailReceiver> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: isOpen,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      const isKnown = username === LOGIN.user && password === LOGIN.password;
      done(isKnown ? null : new Error('who are you'), isKnown ? { user: username } : undefined);
    },
    // A client that gave up has not said so.
    closeTimeout: 10,
    onData: (stream, { envelope, secure: isEncrypted }, done) => {
      receiver.begun += 1;
      const taken = text(stream).then((source) => {
        const { refusal, isSilent } = receiver;
        if (isSilent) return;
        if (refusal !== undefined) {
          return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        }
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          isEncrypted,
          source,
        });
        done();
      });
      // A client may give up in the middle of a mail.
      taken.catch(() => undefined);
    },
  });
  // A client that distrusts our certificate ends its connection.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: MailReceiver = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refusal: undefined,
    isSilent: false,
    begun: 0,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  return receiver;
}
