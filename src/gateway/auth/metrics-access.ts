// Who sees metrics of single portfolios: requests from this machine itself, and those that bear the token for metrics.
// Everybody else gets the same text without those series.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackAddress } from '../limits/address-list.ts';

export interface MetricsAccess {
  /** Absent: there is none, and requests of this machine alone see portfolios. */
  readonly token?: string | undefined;
}

export interface MetricsRequest {
  /** The address of the client, as far as it is known. */
  readonly from: string;
  readonly headers: IncomingHttpHeaders;
}

const BEARER = 'Bearer ';
/** Written by proxies: what comes from this machine comes through one, for whom nobody knows. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

export function seesPortfolios(request: MetricsRequest, access: MetricsAccess = {}): boolean {
  const { from, headers } = request;
  if (access.token !== undefined && bears(headers.authorization, access.token)) return true;
  return isLoopbackAddress(from) && FORWARDED.every((name) => headers[name] === undefined);
}

function bears(authorization: string | undefined, token: string): boolean {
  if (authorization?.startsWith(BEARER) !== true) return false;
  return timingSafeEqual(digest(authorization.slice(BEARER.length)), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A line of a series that names a portfolio. */
const OF_PORTFOLIO = /^\w+\{(?:[^"]*"(?:[^"\\]|\\.)*",)*portfolio="/;

/** The text without series of single portfolios. */
export const withoutPortfolios = (exposition: string): string =>
  exposition
    .split('\n')
    .filter((line) => !OF_PORTFOLIO.test(line))
    .join('\n');
