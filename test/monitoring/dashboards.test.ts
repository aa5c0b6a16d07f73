import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dashboardFiles } from '../../monitoring/all-boards.ts';
import { nonEmpty } from '../support/non-empty.ts';

const FOLDER = 'config/grafana/dashboards';

interface Target {
  readonly refId: string;
  readonly expr?: string;
  readonly rawSql?: string;
  readonly datasource: { readonly uid: string };
}

interface Board {
  readonly uid: string;
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly targets?: readonly Target[];
  }[];
}

const boards = [...dashboardFiles()].map(
  ([path, text]) => [path, JSON.parse(text) as Board] as const,
);

describe('the dashboards', () => {
  it.each([...dashboardFiles()])(
    '%s matches its source; otherwise run: npm run dashboards',
    (path, text) => {
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('the folder contains no other dashboards', () => {
    const made = [...dashboardFiles().keys()].sort();
    expect(
      readdirSync(FOLDER)
        .map((name) => `${FOLDER}/${name}`)
        .sort(),
    ).toEqual(made);
  });

  it('dashboards have unique ids, and their panels have unique titles and numbers', () => {
    expect(new Set(boards.map(([, { uid }]) => uid)).size).toBe(boards.length);
    for (const [path, { panels }] of boards) {
      const shown = panels.filter(({ type }) => type !== 'row');
      expect(new Set(panels.map(({ id }) => id)).size, path).toBe(panels.length);
      expect(new Set(shown.map(({ title }) => title)).size, path).toBe(shown.length);
    }
  });

  it('the dashboard of one portfolio links to the page that shows it with its report, and names the command for the report', () => {
    const [, text] =
      [...dashboardFiles()].find(([path]) => path.endsWith('one-portfolio.json')) ?? [];
    const { links, panels } = JSON.parse(text ?? '{}');
    const filledIn = (variable: string): string => `\${${variable}}`;
    const address = `${filledIn('daemon')}/#portfolio=${filledIn('portfolio')}`;
    const report = `/tt/broker/openapi/portfolios/report?portfolioId=${filledIn('portfolio')}&format=html`;
    expect(links).toContainEqual(expect.objectContaining({ type: 'link', url: address }));
    const panel = panels.find(({ title }: { title: string }) => title === 'What it cost');
    expect(panel.options.content).toContain(`(${address})`);
    expect(panel.options.content).toContain(`GET ${report}`);
    expect(panel.options.content).toContain(`twapd report ${filledIn('portfolio')}`);
  });

  it('every panel queries a provisioned data source, with unique letters', () => {
    const provisioned = readdirSync('config/grafana/provisioning/datasources').map((name) =>
      readFileSync(`config/grafana/provisioning/datasources/${name}`, 'utf8'),
    );
    for (const [, { panels }] of nonEmpty(boards)) {
      for (const { title, type, targets = [] } of panels) {
        if (type !== 'row' && type !== 'text') expect(targets.length, title).toBeGreaterThan(0);
        expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
        for (const { datasource, expr, rawSql } of targets) {
          expect(provisioned.some((text) => text.includes(`uid: ${datasource.uid}\n`))).toBe(true);
          expect((expr ?? rawSql ?? '').length, title).toBeGreaterThan(0);
        }
      }
    }
  });
});
