// The code with which a session may enter orders and portfolios for a while. Only the daemon knows whether that is over, so
// that a dialog requests a code once it was refused for want of one.
import { signal } from '@preact/signals';
import type { Answer } from '../link/page-session.ts';
import { confirmationHeaders, takesClick } from './confirmation.ts';

/** What is written in the field of the dialog that is open. */
export const entryCode = signal('');

const CODE_FIELD = 'code';

/** Headers of a request that enters something, with the code if one was requested. */
export const entryHeaders = (needsCode: boolean): Readonly<Record<string, string>> =>
  needsCode || takesClick() ? confirmationHeaders(entryCode.value) : {};

/**
 * Whether the next attempt takes a code. A code is good once: after no answer it may have been taken, and then none is
 * needed; if it was not, the next attempt is refused and says so.
 */
export const needsCodeAfter = (answer: Answer<unknown>, neededCode: boolean): boolean =>
  answer.kind === 'refused' && (neededCode || answer.field === CODE_FIELD);
