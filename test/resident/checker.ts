// Compares the exchange's trades with everything the daemon reports about them: info, page, exported events and
// news. Shares no code with `src`: the requirements are those of `docs/interface.md`.
import { agrees, decimalText, over, sum, times, units } from './decimals.ts';
import type { ExchangeTrade, ExportedEvent, PortfolioRecord } from './evidence.ts';

const LABEL = /^tw1-rsdt-([0-9a-z]+)-(\d+)-(\d+)-(\d+)$/;
const INVERSE_FUTURE = /^[A-Z]+-(PERPETUAL|\d+[A-Z]{3}\d+)$/;
const FILLED = 2;
const CANCELLED = 3;

export interface Evidence {
  /** The trades of all accounts. */
  readonly trades: readonly ExchangeTrade[];
  readonly infos: ReadonlyMap<string, PortfolioRecord>;
  readonly pages: readonly PortfolioRecord[];
  readonly events: readonly ExportedEvent[];
}

/** Every violation found; empty if there is none. */
export function faultsOf(evidence: Evidence): string[] {
  return [
    ...labelFaults(evidence),
    ...pageFaults(evidence),
    ...[...evidence.infos.values()].flatMap((record) =>
      record.mirrorOf === undefined
        ? recordFaults(record, evidence)
        : mirrorFaults(record, evidence),
    ),
    ...bookingFaults(evidence),
  ];
}

interface Place {
  readonly portfolio: string;
  readonly leg: number;
}

export function placeOf(label: string | undefined): Place | undefined {
  const match = LABEL.exec(label ?? '');
  if (match === null) return undefined;
  const [, portfolio = '', leg = ''] = match;
  return { portfolio: Number.parseInt(portfolio, 36).toString(), leg: Number(leg) };
}

/** Each trade must belong to a submitted portfolio, and a label identifies one order forever. */
function labelFaults({ trades, infos }: Evidence): string[] {
  const faults: string[] = [];
  const orders = new Map<string, string>();
  for (const { label = '', orderId, tradeId, instrumentName } of trades) {
    const place = placeOf(label);
    if (place === undefined || !infos.has(place.portfolio)) {
      faults.push(`trade ${tradeId} of ${instrumentName} belongs to an unknown order "${label}"`);
    }
    const known = orders.get(label);
    if (known !== undefined && known !== orderId) {
      faults.push(`label ${label} was placed twice: orders ${known} and ${orderId}`);
    }
    orders.set(label, orderId);
  }
  return faults;
}

/** The page must show every portfolio once, with the same record as info; only info has `mirrors`. */
function pageFaults({ pages, infos }: Evidence): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const record of pages) {
    const id = record.portfolioId;
    if (seen.has(id)) faults.push(`page shows portfolio ${id} twice`);
    seen.add(id);
    const { mirrors: _, ...info } = (infos.get(id) ?? {}) as Record<string, unknown>;
    const { mirrors: __, ...page } = record as unknown as Record<string, unknown>;
    for (const field of new Set([...Object.keys(info), ...Object.keys(page)])) {
      const [here, there] = [page, info].map((one) => JSON.stringify(one[field]));
      if (here !== there) faults.push(`${id} ${field}: page shows ${here}, info ${there}`);
    }
  }
  for (const id of infos.keys()) if (!seen.has(id)) faults.push(`page does not show ${id}`);
  return faults;
}

function recordFaults(record: PortfolioRecord, { trades }: Evidence): string[] {
  const { portfolioId: id, portfolioStatus: status, reason } = record;
  const faults: string[] = [];
  if (status !== FILLED && status !== CANCELLED) faults.push(`${id} has not ended: ${status}`);
  if (status === CANCELLED && reason === undefined) faults.push(`${id} has no reason for its end`);
  for (const [index, leg] of record.legs.entries()) {
    const of = trades.filter(({ label }) => {
      const place = placeOf(label);
      return place?.portfolio === id && place.leg === index;
    });
    const say = (what: string): void => void faults.push(`${id} leg ${index}: ${what}`);
    const filled = sum(of.map(({ quantity }) => units(quantity)));
    const total = units(leg.placeQuantity);
    if (units(leg.filledQuantity) !== filled) {
      say(`filled ${leg.filledQuantity}, the exchange traded ${decimalText(filled)}`);
    }
    if (filled > total) say(`traded ${decimalText(filled)}, more than ${leg.placeQuantity}`);
    if (units(leg.remainingQuantity) !== total - units(leg.filledQuantity)) {
      say(`remaining ${leg.remainingQuantity} of ${leg.placeQuantity}`);
    }
    if (units(leg.outstandingQuantity) !== 0n) say(`outstanding ${leg.outstandingQuantity}`);
    if (status === FILLED && filled !== total) say(`counts as filled with ${decimalText(filled)}`);
    for (const { side, instrumentName } of of) {
      const wanted = leg.side === 1 ? 'buy' : 'sell';
      if (side !== wanted || instrumentName !== leg.instrument) {
        say(`the exchange has a ${side} of ${instrumentName}`);
      }
    }
    faults.push(...moneyFaults(`${id} leg ${index}`, leg, of));
  }
  return faults;
}

function moneyFaults(
  where: string,
  leg: PortfolioRecord['legs'][number],
  trades: readonly ExchangeTrade[],
): string[] {
  const faults: string[] = [];
  const filled = sum(trades.map(({ quantity }) => units(quantity)));
  const average = filled === 0n ? 0n : averageOf(leg.instrument, trades);
  if (!agrees(leg.filledAvgPrice, average)) {
    faults.push(`${where}: average ${leg.filledAvgPrice}, traded at ${decimalText(average)}`);
  }
  const fees = new Map<string, bigint>();
  for (const { fee, feeCurrency } of trades) {
    fees.set(feeCurrency, (fees.get(feeCurrency) ?? 0n) + units(fee));
  }
  const shown = new Map(leg.fees.map(({ fee, currency }) => [currency, units(fee)]));
  for (const currency of new Set([...fees.keys(), ...shown.keys()])) {
    const [there, here] = [fees.get(currency) ?? 0n, shown.get(currency) ?? 0n];
    if (there === here) continue;
    faults.push(`${where}: fees ${decimalText(here)} ${currency}, paid ${decimalText(there)}`);
  }
  return faults;
}

/** For inverse futures, whose quantity is in dollars, the bought amount is coin: the average is harmonic. */
function averageOf(instrument: string, trades: readonly ExchangeTrade[]): bigint {
  const filled = sum(trades.map(({ quantity }) => units(quantity)));
  const isInverse = INVERSE_FUTURE.test(instrument);
  const value = sum(
    trades.map(({ quantity, price }) => (isInverse ? over : times)(units(quantity), units(price))),
  );
  return isInverse ? over(filled, value) : over(value, filled);
}

/** A mirror has the fills of its original times its scale, and no trades of its own. */
function mirrorFaults(mirror: PortfolioRecord, { infos }: Evidence): string[] {
  const original = infos.get(mirror.mirrorOf ?? '');
  if (original === undefined) return [`${mirror.portfolioId} mirrors an unknown portfolio`];
  const scale = units(mirror.scale ?? '1');
  return mirror.legs.flatMap(({ filledQuantity }, index) => {
    const wanted = times(units(original.legs[index]?.filledQuantity ?? '0'), scale);
    return units(filledQuantity) === wanted
      ? []
      : [`mirror ${mirror.portfolioId}: filled ${filledQuantity}, not ${decimalText(wanted)}`];
  });
}

/** Each trade is booked by exactly one event, to the last digit, and each booked fill is a trade. */
function bookingFaults({ trades, events }: Evidence): string[] {
  const faults: string[] = [];
  const at = (label: unknown, tradeId: unknown): string => `${label} ${tradeId}`;
  const open = new Map(trades.map((trade) => [at(trade.label, trade.tradeId), trade]));
  for (const { portfolio, version, event } of events) {
    if (event.kind !== 'fill_booked') continue;
    const name = at(event['label'], event['tradeId']);
    const trade = open.get(name);
    open.delete(name);
    if (trade === undefined) {
      faults.push(
        `${portfolio} event ${version} books ${name}, which is not a trade or was booked before`,
      );
      continue;
    }
    for (const field of ['quantity', 'price', 'fee', 'feeCurrency', 'orderId'] as const) {
      const [booked, traded] = [String(event[field]), trade[field]];
      const isSame =
        field === 'feeCurrency' || field === 'orderId'
          ? booked === traded
          : units(booked) === units(traded);
      if (!isSame) faults.push(`${portfolio} event ${version}: ${field} ${booked}, not ${traded}`);
    }
  }
  for (const name of open.keys()) faults.push(`trade ${name} was never booked`);
  return faults;
}
