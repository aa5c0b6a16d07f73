// Writes the dashboards into `config/grafana`: `npm run dashboards`.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { dashboardFiles } from './all-boards.ts';

for (const [path, text] of dashboardFiles()) {
  writeFileSync(path, text);
  process.stdout.write(`wrote ${path}\n`);
}
