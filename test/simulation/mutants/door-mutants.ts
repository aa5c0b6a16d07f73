// Mutants of the gateway: who may send a request, and that each request takes effect once.
import { type Mutant, one } from './mutant.ts';

/** Rules that restrict requests to authorised clients, and to one effect each. */
export const DOOR: readonly Mutant[] = [
  one(
    'nonce-not-remembered',
    'a request that is replayed counts as a new one',
    ['src/gateway/auth/nonces.ts', "if (!isFirst) return 'reused';", ''],
    2_000,
  ),
  one(
    'signature-unchecked',
    'a signature by another secret is accepted',
    [
      'src/gateway/auth/auth.ts',
      'const byCurrent = isBy(key?.secret ?? NO_SECRET);',
      'const byCurrent = key !== undefined;',
    ],
    2_000,
  ),
  one(
    'signatures-of-any-time-accepted',
    'a request is accepted however far from now it was signed',
    [
      'src/gateway/auth/auth.ts',
      'if (Math.abs(now - Number(credentials.timestamp)) > windowMs)',
      'if (false as boolean)',
    ],
    2_000,
  ),
  one(
    'secret-before-for-ever',
    'the previous secret is valid for ever',
    [
      'src/gateway/auth/auth.ts',
      'previous !== undefined && now < previous.until',
      'previous !== undefined',
    ],
    10_000,
  ),
  one(
    'scope-ignored',
    'a key may do what any key may',
    ['src/gateway/auth/require-account.ts', 'if (satisfies(verdict.key, needs)) return', 'return'],
    2_000,
  ),
  one(
    'accounts-of-others',
    'a key may name any account',
    [
      'src/gateway/auth/require-account.ts',
      'if (owns(key, account)) return;',
      'if (key !== undefined) return;',
    ],
    2_000,
  ),
  one(
    'portfolios-of-others',
    'a key may name any portfolio',
    [
      'src/gateway/portfolios/portfolio-method.ts',
      'if (summary !== undefined && owns(key, summary.account)) return summary;',
      'if (summary !== undefined) return summary;',
    ],
    500,
  ),
  one(
    'submits-without-their-key',
    'PT-7: a repeated submit is executed every time',
    [
      'src/gateway/portfolios/portfolio-methods.ts',
      'if (onceKeys === undefined) return undefined;',
      'if (key !== undefined) return undefined;',
    ],
    2_000,
  ),
  one(
    'orders-without-their-key',
    'a repeated manual order is placed every time',
    [
      'src/gateway/order-api/idempotent-placement.ts',
      'if (idempotencyKey === undefined) return act();',
      'if (params !== undefined) return act();',
    ],
    20_000,
  ),
  one(
    'accepted-before-durable',
    'a submit is acknowledged before it is written',
    [
      'src/engine/api/submit-portfolio.ts',
      'const outcome = await ledger.commit(turns);',
      "void ledger.commit(turns).catch(() => undefined);\n      const outcome = { kind: 'committed' as string, portfolio: '' as never };",
    ],
    100,
  ),
  one(
    'revoked-keys-go-on',
    'a revoked key stays valid',
    [
      'src/gateway/auth/keys-in-force.ts',
      'revokedAt === undefined && (expiresAt',
      '(revokedAt as unknown) !== null && (expiresAt',
    ],
    2_000,
  ),
  one(
    'keys-read-once',
    'keys are as they were when the gateway was opened',
    [
      'src/gateway/auth/keys-in-force.ts',
      '    this.#records = read.keys;',
      '    if (this.#records.length === 0) this.#records = read.keys;',
    ],
    2_000,
  ),
  one(
    'rates-for-ever',
    'reloaded rates do not take effect',
    [
      'src/gateway/limits/live-limits.ts',
      'Object.assign(this.rates, rates, ridRates);',
      'Object.assign({}, rates, ridRates);',
    ],
    5_000,
  ),
];
