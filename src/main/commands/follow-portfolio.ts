// Follows one portfolio until it is over: pushed news, read again after every interruption. A daemon
// that goes away is waited for, so that a restart does not end the watching.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../gateway/client.ts';
import type { PortfolioRecord } from '../../gateway/record-schema.ts';
import { CommandFailure } from './command.ts';
import { valueOrFail } from './daemon-client.ts';
import { isOver } from './progress.ts';

export interface Follower {
  readonly onRecord: (record: PortfolioRecord) => void;
  /** The daemon stopped answering. */
  readonly onSilence: (reason: string) => void;
  /** How long a silent daemon is waited for. */
  readonly waitMs: number;
}

const RETRY_MS = 500;
const isRefusal = (code: number): boolean => code >= 400 && code < 500 && code !== 429;

/** Resolves with the last record. */
export async function followPortfolio(
  client: Client,
  portfolioId: string,
  follower: Follower,
): Promise<PortfolioRecord> {
  let latest = valueOrFail(await client.info(portfolioId));
  const take = (record: PortfolioRecord): void => {
    if (Number(record.updateTimestamp) < Number(latest.updateTimestamp)) return;
    latest = record;
    follower.onRecord(record);
  };
  take(latest);
  let silentSinceMs: number | undefined;
  while (!isOver(latest)) {
    for await (const item of client.watch(portfolioId)) {
      if (item.kind === 'ended') {
        if (isRefusal(item.code))
          throw new CommandFailure('refused', [`not allowed: ${item.reason}`]);
        break;
      }
      silentSinceMs = undefined;
      if (item.kind === 'news') take(item.frame.data.portfolio);
      else {
        const read = await client.info(portfolioId);
        if (read.kind === 'done') take(read.value);
      }
      if (isOver(latest)) return latest;
    }
    silentSinceMs ??= Date.now();
    if (Date.now() - silentSinceMs > follower.waitMs) valueOrFail(await client.info(portfolioId));
    follower.onSilence('the daemon does not answer, waiting for it');
    await sleep(RETRY_MS);
  }
  return latest;
}
