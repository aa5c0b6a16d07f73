// Gives records of equal content one object, so that what many portfolios have in common is in memory once.
import { LatestMap } from '../../values/latest-map.ts';

/**
 * `read` for plain JSON, with the latest `kept` results shared. The results must not be changed. Callers may rely on
 * equal results for equal records, in the order of their fields too, but not on their identity: a result that is no longer
 * kept is read again.
 */
export function interned<R extends object, V extends object>(
  read: (record: R) => V,
  kept: number,
): (record: R) => V {
  const results = new LatestMap<string, V>(kept);
  return (record) => {
    const fields = inOrder(record);
    const content = JSON.stringify(fields);
    const known = results.get(content);
    if (known !== undefined) return known;
    // Not from the record itself: its order would be that of all equal records after it, and of their snapshots.
    const result = read(Object.fromEntries(fields) as R);
    results.set(content, result);
    return result;
  };
}

/** The order of the fields differs by how the record was made: at a submit, or from a state. */
const inOrder = (record: object): [string, unknown][] =>
  Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
