// A turn of typical size: three events, a record of about 1.2 kB, and a fill in every fourth turn.
import type { PortfolioEvent } from '../src/core/portfolio/aggregate/portfolio-event.ts';
import type {
  LegSummary,
  PortfolioSummary,
} from '../src/core/portfolio/summary/portfolio-summary.ts';
import type { Turn } from '../src/ports/ledger.ts';
import {
  accountId,
  childLabel,
  currency,
  deploymentId,
  portfolioId,
  tradeId,
  venueName,
} from '../src/values/ids.ts';
import { instant, later } from '../src/values/instant.ts';

const START = instant(1_790_000_000_000);
const EVENTS_PER_TURN = 3;

/** The `turn`-th turn (from 0) of a portfolio. */
export function turnOf(id: number, turn: number): Turn {
  const portfolio = portfolioId(String(id));
  const at = later(START, turn * 1_000);
  const label = childLabel({
    deployment: deploymentId('demo'),
    portfolio,
    leg: 0,
    slice: turn,
    attempt: 1,
  });
  return {
    portfolio,
    fromVersion: turn * EVENTS_PER_TURN,
    events: eventsOf(label, turn, at),
    row: {
      account: accountId('10001'),
      portfolioType: 'TWAP',
      status: 'active',
      note: 'quarter-end roll',
      uid: '7001',
      lastEditedUid: '7001',
      instruments: ['BTC-27MAR26-100000-C', 'BTC-PERPETUAL'],
      kinds: ['option', 'perpetual'],
      coin: 'BTC',
      submittedAt: START,
      updatedAt: at,
      hasFills: turn > 3,
      nextDueAt: later(at, 1_000),
      record: recordOf(String(id), turn, at),
    },
    fills:
      turn % 4 === 3
        ? [
            {
              venue: venueName('paper'),
              currency: currency('BTC'),
              tradeId: tradeId(`${id}-${turn}`),
              label,
              quantity: '0.1',
              price: '0.0615',
              fee: '0.0003',
              at,
            },
          ]
        : [],
    ...(turn === 0 ? { key: `bench-${id}` } : {}),
  };
}

function eventsOf(label: string, turn: number, at: number): PortfolioEvent[] {
  const slice = { leg: 0, slice: turn };
  return [
    {
      kind: 'slice_started',
      at,
      ...slice,
      dueAt: at,
      endsAt: at + 1_000,
      planned: '0.1',
      quantity: '0.1',
    },
    {
      kind: 'child_intended',
      at,
      ...slice,
      label,
      attempt: 1,
      side: 'buy',
      quantity: '0.1',
      price: '0.0615',
      timeInForce: 'good_til_cancelled',
      postOnly: true,
      reduceOnly: false,
      validUntil: at + 5_000,
    },
    { kind: 'child_live', at, label, orderId: `ETH-${900_000_000 + turn}`, price: '0.0615' },
  ];
}

function recordOf(portfolio: string, turn: number, at: number): PortfolioSummary {
  return {
    portfolio,
    account: '10001',
    portfolioType: 'TWAP',
    status: 'active',
    note: 'quarter-end roll',
    uid: '7001',
    nickname: 'desk',
    lastEditedUid: '7001',
    submittedAt: START,
    updatedAt: at,
    startAt: START,
    endAt: START + 3_600_000,
    durationMs: 3_600_000,
    frequencyMs: 1_000,
    endAction: 'leave',
    mirrors: [],
    legs: [
      legOf(`${portfolio}-0`, 'BTC-27MAR26-100000-C', turn),
      legOf(`${portfolio}-1`, 'BTC-PERPETUAL', turn),
    ],
  };
}

function legOf(legId: string, instrument: string, turn: number): LegSummary {
  return {
    legId,
    instrument,
    kind: instrument.endsWith('-C') ? 'option' : 'perpetual',
    side: 'buy',
    status: 'active',
    quantity: '360',
    quantityIn: 'BTC',
    filled: `${turn}.1`,
    averagePrice: '0.061537',
    remaining: '350.9',
    outstanding: '0.1',
    scheduled: `${turn}.2`,
    fees: [{ currency: 'BTC', amount: '0.0108' }],
    currencies: {
      forCcy: 'BTC',
      domCcy: 'USD',
      markCcy: 'BTC',
      notionalCcy: 'BTC',
      defaultPvCcy: 'USD',
    },
    slices: { planned: 3_600, placed: turn, missed: 0, next: turn + 1 },
    reprices: turn % 7,
    hedge: false,
  };
}
