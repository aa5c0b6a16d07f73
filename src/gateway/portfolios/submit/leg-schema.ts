// A leg of a submit body in the interface's terms, converted into the core's form.
import { z } from 'zod';
import type { LegForm, PricingForm } from '../../../core/terms/form.ts';
import {
  choiceField,
  instantField,
  numberedField,
  priceField,
  quantityField,
  switchField,
  textField,
  wholeField,
} from '../../wire/field-kinds.ts';
import { list, mapped, optional, optionalOr, record, shown } from '../../wire/fields.ts';
import { NumberText } from '../../wire/json.ts';

export const LEGS_MAX = 20;
const SNAPSHOT_ENTRIES_MAX = 32;
const SNAPSHOT_KEYS_MAX = 16;
const SNAPSHOT_TEXT_MAX = 200;
const REPRICE_MS_MAX = 86_400_000;

export const INSTRUMENT_TYPES = {
  OPTION: 'option',
  PERPETUAL: 'perpetual',
  DELIVERY_FUTURES: 'future',
  SPOT: 'spot',
  FUTURE_COMBO: 'future_combo',
  OPTION_COMBO: 'option_combo',
} as const;

type SnapshotEntry = Readonly<Record<string, string | number | boolean | null>>;

/** Reference prices are stored as given, numbers as their original text. */
const snapshotEntry = z
  .unknown()
  .meta({
    type: 'object',
    maxProperties: SNAPSHOT_KEYS_MAX,
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    description: 'One reference price, for example {"price": "0.031", "priceIn": "BTC"}',
  })
  .transform((value, context): SnapshotEntry => {
    const entry = plainEntry(value);
    if (entry !== undefined) return entry;
    context.addIssue({
      code: 'custom',
      message:
        `is ${shown(value)}; accepted: an object of at most ${SNAPSHOT_KEYS_MAX} plain values, ` +
        `text up to ${SNAPSHOT_TEXT_MAX} characters`,
    });
    return z.NEVER;
  })
  .describe('One reference price') as unknown as z.ZodType<SnapshotEntry, SnapshotEntry>;

function plainEntry(value: unknown): SnapshotEntry | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (value instanceof NumberText || entries.length > SNAPSHOT_KEYS_MAX) return undefined;
  const plain: Record<string, SnapshotEntry[string]> = {};
  for (const [key, item] of entries) {
    const kept: unknown = item instanceof NumberText ? item.source : item;
    if (typeof kept === 'object' && kept !== null) return undefined;
    if (key.length > SNAPSHOT_TEXT_MAX || String(kept).length > SNAPSHOT_TEXT_MAX) return undefined;
    plain[key] = kept as SnapshotEntry[string];
  }
  return plain;
}

export const priceOptions = mapped(
  record(
    {
      priceType: choiceField(
        { LIMIT: 'limit', MARKET: 'market', DYNAMIC: 'dynamic' } as const,
        'How children are priced: at a fixed price, at the market, or following a reference',
      ),
      price: optional(
        priceField({
          description:
            'LIMIT: the order price. DYNAMIC: a placeholder without effect, neither a cap nor a starting price (worst is the cap). Required if priceType is LIMIT or DYNAMIC',
        }),
      ),
      priceIn: optional(
        textField({
          max: 16,
          description:
            'Unit of the price: a currency code, USD, or IV (a fraction, 0.6 = 60 %); required if priceType is LIMIT or DYNAMIC',
        }),
      ),
      dynamicPriceStrategy: optional(
        choiceField(
          { MID: 'mid', MARK: 'mark', MODEL: 'model', BID: 'bid', ASK: 'ask' } as const,
          'Reference price to follow; required if priceType is DYNAMIC',
        ),
      ),
      dynamicPriceOffset: optional(
        priceField({
          description: 'Added to the reference, in the unit of priceIn; may be negative',
        }),
      ),
      dynamicMs: optional(
        wholeField({
          min: 1,
          max: REPRICE_MS_MAX,
          description: 'Reprice interval in milliseconds; required with dynamicPriceStrategy',
        }),
      ),
      worst: optional(
        priceField({
          description:
            "Worst price of any order of the leg: never buys above it or sells below it, including escalation, would prices, end action and edits. In the instrument's own currency, whatever priceIn is; not with endAction rfq",
        }),
      ),
    },
    'How the children of the leg are priced',
  ),
  (options): PricingForm => options,
);

export const legSchema = mapped(
  record(
    {
      instrument: textField({ max: 64, description: 'Instrument name, for example BTC-PERPETUAL' }),
      instrumentType: choiceField(INSTRUMENT_TYPES, 'Kind of the instrument'),
      side: numberedField({ 1: 'buy', 2: 'sell' } as const, '1 BUY, 2 SELL'),
      quantity: quantityField({
        description:
          'Total quantity: USD for inverse perpetuals and futures, otherwise the base coin',
        check: (text) => /[1-9]/.test(text) && !text.startsWith('-'),
        accepted: 'a decimal above zero as text or number, such as "12.5"',
      }),
      priceOptions,
      priceSnapshot: optionalOr(
        list(snapshotEntry, {
          max: SNAPSHOT_ENTRIES_MAX,
          description: 'Reference prices at submission, stored for audit',
          of: 'reference prices',
        }),
        [],
      ),
      timeInForce: optional(
        numberedField(
          { 1: 'gtc', 2: 'ioc', 3: 'fok', 4: 'gtd' } as const,
          'Time in force of each child: 1 GTC, 2 IOC, 3 FOK, 4 GTD',
        ),
      ),
      postOnly: optionalOr(switchField('Children are maker only (default false)'), false),
      reduceOnly: optionalOr(switchField('Children only reduce a position (default false)'), false),
      hidden: optionalOr(
        switchField(
          'Children are not shown in the book; true only where the venue has hidden orders (default false)',
        ),
        false,
      ),
      tradeMode: optional(
        numberedField(
          { 1: 'cash', 2: 'cross', 3: 'isolated' } as const,
          'Margin mode of the position: 1 CASH (SPOT), 2 CROSS (everything else), 3 ISOLATED (not available)',
        ),
      ),
      positionSide: optional(
        numberedField(
          { 1: 'long', 2: 'short', 3: 'net' } as const,
          'Position side of the leg: 3 NET; 1 LONG and 2 SHORT are not available',
        ),
      ),
      hedge: optionalOr(
        switchField('Sized by the fills of the other legs instead of the clock (default false)'),
        false,
      ),
      priority: optional(
        switchField(
          'BALANCE: this leg leads and the others follow its fills; at most one (default false)',
        ),
      ),
    },
    'One instrument to trade',
  ),
  (leg): LegForm => leg,
);

export const startField = optional(instantField('Start, Unix milliseconds; absent: at acceptance'));
