// State hashes for comparing two exchanges: equal states give equal text on every machine.
import { text } from '../../values/amounts.ts';
import { hash32 } from '../../values/rng.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Advanced } from '../model/advanced-price.ts';
import { conditionsText } from '../model/conditions.ts';
import type { Exposure } from '../model/exposure.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { LiveOrder } from '../model/live-order.ts';
import { rfqLines } from '../rfq/rfq-plain.ts';

/**
 * Covers all user state: open and untriggered orders with their places, positions, balances, order numbers.
 * Trade numbers are excluded, because bots use them up too.
 */
export function stateHash(state: ExchangeState): string {
  const lines: string[] = [];
  for (const account of [...state.accounts.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const exposures = [...account.exposures()].sort((a, b) =>
      a.listing.instrument.name < b.listing.instrument.name ? -1 : 1,
    );
    for (const exposure of exposures) {
      const { listing, holding, realised, openOrders, fromOptions } = exposure;
      const { name } = listing.instrument;
      if (holding.lots !== 0 || !realised.isZero()) {
        lines.push(`p ${account.id} ${name} ${holding.lots} ${moneyText(exposure)}`);
      }
      if (fromOptions !== 0) lines.push(`t ${account.id} ${name} ${fromOptions}`);
      const orders = [...openOrders].sort((a, b) => a.rank - b.rank);
      for (const order of orders) lines.push(`o ${name} ${orderText(order)}`);
      const dormant = [...exposure.dormantOrders].sort((a, b) => a.rank - b.rank);
      for (const order of dormant)
        lines.push(`d ${name} ${order.originalType} ${orderText(order)}`);
    }
    for (const currency of [...account.liquidating].sort())
      lines.push(`l ${account.id} ${currency}`);
    for (const { currency, amount } of account
      .views()
      .sort((a, b) => (a.currency < b.currency ? -1 : 1))) {
      lines.push(`b ${account.id} ${currency} ${text(amount)} ${text(account.reserved(currency))}`);
    }
  }
  lines.push(...marketLines(state), ...rfqLines(state.rfqs), ...comboLines(state));
  for (const [series, last] of state.orderIds.entries()) lines.push(`n ${series} ${last}`);
  return fingerprint(lines);
}

const moneyText = ({ holding, realised, settledRealised, unpaid, funding }: Exposure): string =>
  [
    holding.cost,
    holding.basis,
    realised,
    settledRealised,
    unpaid,
    funding.from,
    funding.accrued,
    funding.booked,
  ]
    .map(text)
    .join(' ');

/** The results of settlements, deliveries and funding samples. */
function marketLines(state: ExchangeState): string[] {
  const listings = [...state.listings.values()].sort((a, b) =>
    a.instrument.name < b.instrument.name ? -1 : 1,
  );
  const lines = [`s ${state.pausedUntil}`];
  for (const { instrument, settlementPrice, deliveryPrice, closedAt, funding } of listings) {
    const { name } = instrument;
    if (settlementPrice !== undefined) lines.push(`m ${name} ${text(settlementPrice)}`);
    if (deliveryPrice !== undefined) lines.push(`d ${name} ${closedAt} ${text(deliveryPrice)}`);
    if (funding === undefined) continue;
    const amounts = [funding.paidPerLot, funding.rate, funding.lotValue].map(text);
    lines.push(`f ${name} ${funding.at} ${amounts.join(' ')}`);
  }
  return lines;
}

function comboLines({ combos }: ExchangeState): string[] {
  return [...combos.all()].map(({ number, instrument, state, createdAt, changedAt, isEnded }) => {
    const legs = (instrument.legs ?? []).map((leg) => `${leg.ratio}*${leg.instrument}`).join(' ');
    return `c ${number} ${instrument.name} ${state} ${createdAt} ${changedAt} ${isEnded} ${legs}`;
  });
}

/** Covers every entry of the book in execution order, including bots. */
export function bookHash(listing: Listing): string {
  const lines: string[] = [];
  for (const side of [listing.book.bids, listing.book.asks]) {
    for (const level of side.levels()) {
      lines.push(`${level.ticks} ${level.lots} ${level.count}`);
      for (let entry = level.head; entry !== undefined; entry = entry.next) {
        const name = entry instanceof LiveOrder ? entry.orderId : 'bot';
        const hidden = entry.hiddenLots > 0 ? ` ${entry.hiddenLots} ${entry.refreshLots}` : '';
        lines.push(`${name} ${entry.lots}${hidden}`);
      }
    }
  }
  return fingerprint(lines);
}

const advancedWords = ({ kind, value, autoReplaced }: Advanced): string[] => [
  kind,
  text(value),
  autoReplaced ? 'auto' : 'own',
];

const orderText = (order: LiveOrder): string => {
  const { orderId, account, label } = order;
  const flags = [order.postOnly, order.rejectPostOnly, order.reduceOnly, order.replaced].map(
    Number,
  );
  const { side, ticks, totalLots, filledLots, filledValue } = order;
  return [
    orderId,
    account,
    label,
    side,
    ticks,
    totalLots,
    filledLots,
    text(filledValue),
    ...flags,
    ...(order.advanced ? advancedWords(order.advanced) : []),
    ...(order.refreshLots > 0 ? ['iceberg', order.shownLots, order.refreshLots] : []),
    ...(order.conditions ? [conditionsText(order.conditions)] : []),
  ].join(' ');
};

/** 64 bits as 16 hex digits. */
function fingerprint(lines: readonly string[]): string {
  const whole = lines.join('\n');
  return [hash32(whole, 1), hash32(whole, 2)].map((h) => h.toString(16).padStart(8, '0')).join('');
}
