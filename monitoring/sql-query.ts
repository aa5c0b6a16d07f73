// A query of Grafana's PostgreSQL data source; the SDK has no builder of its own for it.
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';

export const LEDGER = { type: 'grafana-postgresql-datasource', uid: 'twapd-ledger' } as const;

interface SqlQuery extends Dataquery {
  readonly refId: string;
  readonly datasource: typeof LEDGER;
  readonly editorMode: 'code';
  readonly rawQuery: true;
  readonly format: 'table' | 'time_series';
  readonly rawSql: string;
}

/** `time_series` wants the columns time, metric and value. */
export const sqlQuery = (
  rawSql: string,
  format: SqlQuery['format'],
  refId = 'A',
): Builder<Dataquery> => ({
  build: (): SqlQuery => ({
    refId,
    datasource: LEDGER,
    editorMode: 'code',
    rawQuery: true,
    format,
    rawSql,
    _implementsDataqueryVariant: () => undefined,
  }),
});
