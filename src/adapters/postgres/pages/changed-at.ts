// When an account changed last, without reading all of its portfolios: the time of the last change has no index (decision 7).
import type { AccountId } from '../../../values/ids.ts';

/** Ended portfolios looked at: those that ended last have the highest places, or none yet. */
const ENDED_MAX = 20_000;

const TEXT = `
SELECT max(updated_at) AS at FROM (
  SELECT updated_at FROM portfolio WHERE account = $1 AND status IN (1, 4)
  UNION ALL SELECT updated_at FROM (
    SELECT account, updated_at FROM portfolio WHERE place IS NULL AND status IN (2, 3) ORDER BY id DESC LIMIT ${ENDED_MAX}
  ) AS unplaced WHERE account = $1
  UNION ALL SELECT updated_at FROM (
    SELECT account, updated_at FROM portfolio WHERE place IS NOT NULL ORDER BY place DESC LIMIT ${ENDED_MAX}
  ) AS placed WHERE account = $1
  UNION ALL (SELECT updated_at FROM portfolio WHERE account = $1 ORDER BY submitted_at DESC, id DESC LIMIT 1)
) AS change`;

/**
 * The last change among those at work, those that ended last and the one submitted last. So it is never later than the last of
 * all, and earlier only if that was of a portfolio with more than twenty thousand placed after it.
 */
export const changedAtStatement = (account: AccountId) => ({
  name: 'changed at',
  text: TEXT,
  values: [account],
});
