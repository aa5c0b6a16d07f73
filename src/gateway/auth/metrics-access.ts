// Decides who may read metrics of single portfolios: requests from the local machine, and requests with the
// metrics token. All others get the same text without those series.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLocalHost, isLoopbackAddress } from '../limits/address-list.ts';

export interface MetricsAccess {
  /** Without it only requests from the local machine see portfolios. */
  readonly token?: string | undefined;
}

export interface MetricsRequest {
  /** The client's address; empty if unknown. */
  readonly from: string;
  readonly headers: IncomingHttpHeaders;
}

const BEARER = 'Bearer ';
/** Headers set by proxies: a local request that carries one was forwarded for an unknown client. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

export function seesPortfolios(request: MetricsRequest, access: MetricsAccess = {}): boolean {
  const { from, headers } = request;
  if (access.token !== undefined && bears(headers.authorization, access.token)) return true;
  // A browser on this machine asks under the host name of its page, which may lead here by an attacker's doing.
  if (!isLocalHost(headers.host)) return false;
  return isLoopbackAddress(from) && FORWARDED.every((name) => headers[name] === undefined);
}

function bears(authorization: string | undefined, token: string): boolean {
  if (authorization?.startsWith(BEARER) !== true) return false;
  return timingSafeEqual(digest(authorization.slice(BEARER.length)), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A sample line with a `portfolio` label. */
const OF_PORTFOLIO = /^\w+\{(?:[^"]*"(?:[^"\\]|\\.)*",)*portfolio="/;

/** Removes the series of single portfolios. */
export const withoutPortfolios = (exposition: string): string =>
  exposition
    .split('\n')
    .filter((line) => !OF_PORTFOLIO.test(line))
    .join('\n');
