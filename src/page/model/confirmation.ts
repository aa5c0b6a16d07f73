// How what may trade more than before is confirmed: where nothing but paper money is traded by the press of the button that
// names it, otherwise with a fresh one-time code. The daemon decides which, and refuses a press in place of a code.
import { access } from '../link/page-session.ts';

export const takesClick = (): boolean =>
  access.value.kind === 'open' && access.value.hello.confirmsByClick;

/** Whether the button may be pressed; `code`: what is written in the field. */
export const mayConfirm = (code: string): boolean => takesClick() || code.trim() !== '';

export const confirmationHeaders = (code: string): Readonly<Record<string, string>> =>
  takesClick() ? { 'x-twapd-confirmed': 'click' } : { 'x-twapd-code': code.trim() };
