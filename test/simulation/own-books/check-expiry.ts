// Checks that no portfolio is to end after one of its instruments has expired, whatever was submitted, amended or
// extended: the last instant at which it may still trade is its end, its extension and its wait for a Block RFQ.
import type { OwnBook } from './own-book.ts';

export function checkExpiry(book: OwnBook): void {
  const { extendMs = 0, rfq } = book.form.execution;
  const waitMs = book.endAction === 'rfq' ? (rfq?.waitMs ?? 0) : 0;
  const last = book.endsAt + (book.endAction === 'extend' ? extendMs : 0) + waitMs;
  for (const { terms } of book.legs) {
    const { name, expiresAt } = terms.instrument;
    if (expiresAt !== undefined && last > expiresAt) {
      book.reportBreach(`may trade ${last - expiresAt} ms beyond the expiry of ${name}`);
    }
  }
}
