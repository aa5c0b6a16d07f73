// Gives records of equal content one object, so that what many portfolios have in common is in memory once.
import { LatestMap } from '../../values/latest-map.ts';

/**
 * `read` for plain JSON, with the latest `kept` results shared. The results must not be changed. Callers may rely on
 * equal results for equal records, but not on their identity: a result that is no longer kept is read again.
 */
export function interned<R extends object, V extends object>(
  read: (record: R) => V,
  kept: number,
): (record: R) => V {
  const results = new LatestMap<string, V>(kept);
  return (record) => {
    const content = contentOf(record);
    const known = results.get(content);
    if (known !== undefined) return known;
    const result = read(record);
    results.set(content, result);
    return result;
  };
}

/** The order of the fields differs by how the record was made: at a submit, or from a state. */
function contentOf(record: object): string {
  const fields = Object.entries(record).filter(([, value]) => value !== undefined);
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
