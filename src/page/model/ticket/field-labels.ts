// What the ticket calls the fields of a submission: in words, also in the list of what is wrong with it.
import { type Path, pathOf } from './form-schema.ts';

/** Those whose names say too little, or have a unit in them; an option that is new to the page is called by its own name. */
const WORDS: Readonly<Record<string, string>> = {
  accountId: 'Account',
  portfolioType: 'Kind of portfolio',
  twapTrade: 'Schedule',
  balanceTrade: 'Parts',
  parts: 'Number of parts',
  eachLimitMs: 'Time limit of a part',
  totalLimitMs: 'Time limit in all',
  totalEndAction: 'At the time limit',
  startTimestamp: 'Start',
  durationSec: 'Duration',
  frequencySec: 'Interval',
  instrumentType: 'Product',
  quantity: 'Size',
  priceOptions: 'Price',
  priceIn: 'Unit of the price',
  dynamicPriceStrategy: 'Reference price',
  dynamicPriceOffset: 'Offset from the reference',
  dynamicMs: 'Reprice every',
  worst: 'Worst price',
  customizedNote: 'Note',
  sendToDummyAccountIds: 'Dummy accounts',
  endCapBps: 'End cap, bp',
  extendSec: 'Extend by',
  limitBps: 'Limit, bp',
  collectSec: 'Collect quotes for',
  waitSec: 'Wait for quotes',
  slippageMaxBps: 'Largest slippage, bp',
  bandBps: 'Band around the mark, bp',
  spreadMaxBps: 'Widest spread, bp',
  spreadMaxVol: 'Widest spread, points of volatility',
  participationMax: 'Largest share of the volume',
  maxCatchUp: 'Largest catch-up',
  mmpGroup: 'MMP group',
  rfq: 'Block RFQ',
};

/** "randomSize" as "Random size". */
export function titleOf(name: string): string {
  const known = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  if (known !== undefined) return known;
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The label of a field that a refusal names, such as "Size of leg 2" and "Manner 1 of Escalation". */
export function labelOf(field: string): string {
  const path = pathOf(field);
  const place = placeOf(path.slice(0, -1));
  const last = path.at(-1);
  if (typeof last === 'number') return `${placeOf(path)}`;
  return place === '' ? titleOf(last ?? '') : `${titleOf(last ?? '')} of ${place}`;
}

/** Legs and items of lists have their number; groups of fields need no mention. */
function placeOf(path: Path): string {
  const at = path.findLastIndex((step) => typeof step === 'number');
  if (at < 1) return '';
  const [list, item] = [String(path[at - 1]), Number(path[at]) + 1];
  return list === 'legs' ? `leg ${item}` : `${titleOf(list)} ${item}`;
}
