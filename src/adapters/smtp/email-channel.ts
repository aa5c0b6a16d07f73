// Notices by e-mail, through a mail server of one's own.

import type { Transporter } from 'nodemailer';
import {
  type Delivery,
  GIVEN_UP,
  type NoticeChannel,
  type NoticeMessage,
} from '../../ports/notify/notice-channel.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { instant } from '../../values/instant.ts';
import { printable } from '../../values/printable.ts';
import { cutText } from '../../values/text/text-length.ts';

export interface EmailOptions {
  readonly host: string;
  readonly port: number;
  /** `tls`: from the first byte; `starttls`: before anything is said; `none`: unencrypted. */
  readonly encryption: 'tls' | 'starttls' | 'none';
  readonly login?: { readonly user: string; readonly password: string } | undefined;
  readonly from: string;
  readonly to: readonly string[];
}

const STEP_WITHIN_MS = 5_000;
/** A server that answers every step slowly is given up too. */
const SENT_WITHIN_MS = 12_000;
const SHOWN_MAX = 200;

export class EmailChannel implements NoticeChannel {
  readonly #options: EmailOptions;
  readonly #closing = new AbortController();
  #transport: Promise<Transporter> | undefined;

  constructor(options: EmailOptions) {
    this.#options = options;
  }

  async send({ title, lines, at }: NoticeMessage): Promise<Delivery> {
    const { from, to } = this.#options;
    const date = new Date(instant(at));
    const { signal } = this.#closing;
    if (signal.aborted) return GIVEN_UP;
    const mail = { from, to: [...to], subject: title, text: `${lines.join('\n')}\n`, date };
    try {
      const transport = await this.#opened();
      const ends = AbortSignal.any([signal, AbortSignal.timeout(SENT_WITHIN_MS)]);
      await Promise.race([transport.sendMail(mail), rejectedBy(ends)]);
      return { kind: 'delivered' };
    } catch (error) {
      throwProgrammingError(error);
      return signal.aborted ? GIVEN_UP : failedDelivery(error);
    }
  }

  close(): void {
    this.#closing.abort();
    this.#transport?.then(
      (transport) => transport.close(),
      // Unexamined: a transport that was not opened is not closed, and the mail that opened it has reported why.
      () => undefined,
    );
  }

  /** The library is loaded with the first mail. */
  #opened(): Promise<Transporter> {
    this.#transport ??= import('nodemailer').then(
      (library) => transportOf(library, this.#options),
      (error: unknown) => {
        // The next mail tries again.
        this.#transport = undefined;
        throw error;
      },
    );
    return this.#transport;
  }
}

function transportOf(
  { createTransport }: typeof import('nodemailer'),
  { host, port, encryption, login }: EmailOptions,
): Transporter {
  return createTransport({
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    ...(login !== undefined && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: STEP_WITHIN_MS,
    greetingTimeout: STEP_WITHIN_MS,
    socketTimeout: STEP_WITHIN_MS,
    // A text is a text, never a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** SMTP's 5xx is for ever; anything else may work another time. */
function failedDelivery(error: unknown): Delivery {
  const { message, responseCode = 0 } = error as Error & { readonly responseCode?: number };
  const why = `the mail server: ${cutText(printable(message), SHOWN_MAX)}`;
  return responseCode >= 500 ? { kind: 'refused', why } : { kind: 'later', why };
}

/** Rejects at the end of the signal. A connection that is given up ends by its own time limits. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(new Error(`not sent within ${SENT_WITHIN_MS} ms`)),
    );
  });
}
