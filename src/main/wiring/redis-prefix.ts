// The names that a deployment uses in Redis.
import type { Config } from '../config/config.ts';

/** First part of every name in Redis, one per deployment. */
export const redisPrefix = ({ service }: Pick<Config, 'service'>): string =>
  `twapd-${service.deployment}`;
