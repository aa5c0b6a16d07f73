// The text of a message: its happenings, oldest first. Names and reasons in it come from clients, so that it is
// made printable, each happening on a line of its own.

import { isoText } from '../../values/instant.ts';
import { printable } from '../../values/printable.ts';
import { shortened } from '../../values/text/text-length.ts';
import type { Happening } from './happening.ts';

export interface NoticeText {
  /** A line. */
  readonly title: string;
  readonly lines: readonly string[];
}

const TITLE_MAX = 200;
const LINE_MAX = 1_000;

export function noticeText(deployment: string, happenings: readonly Happening[]): NoticeText {
  const [first] = happenings;
  const more = happenings.length - 1;
  const what = first === undefined ? 'nothing' : printable(first.title);
  const title = `twapd ${deployment}: ${what}${more > 0 ? `, and ${more} more` : ''}`;
  return { title: shortened(title, TITLE_MAX), lines: happenings.map(lineOf) };
}

function lineOf({ at, title, detail, runbook }: Happening): string {
  const said = detail === '' ? title : `${title} (${detail})`;
  const link = runbook === undefined ? '' : ` ${runbook}`;
  return `${shortened(`${isoText(at)} ${printable(said)}`, LINE_MAX - link.length)}${link}`;
}

/** The lines in at most `max` characters; what does not fit is counted. */
export function fittedText(lines: readonly string[], max: number): string {
  const all = lines.join('\n');
  if (all.length <= max) return all;
  for (let kept = lines.length - 1; kept > 0; kept -= 1) {
    const text = [...lines.slice(0, kept), `… and ${lines.length - kept} more`].join('\n');
    if (text.length <= max) return text;
  }
  return shortened(all, max);
}
