// The schema of the configuration file: every option with its type, bounds, default and description. Rules
// over several options are in config-rules.ts.
import { z } from 'zod';
import { accountsSection, keysSection } from './sections/access-section.ts';
import { controlsSection } from './sections/controls-section.ts';
import { engineSection } from './sections/engine-section.ts';
import { gatewaySection } from './sections/gateway-section.ts';
import { ledgerSection } from './sections/ledger-section.ts';
import { limitsSection } from './sections/limits-section.ts';
import { notifySection } from './sections/notify-section.ts';
import { serviceSection } from './sections/service-section.ts';
import { databaseSection, redisSection } from './sections/stores-section.ts';
import { logSection, metricsSection } from './sections/telemetry-section.ts';
import { venuesSection } from './sections/venues-section.ts';

export const configSchema = z.strictObject({
  service: serviceSection.prefault({}),
  redis: redisSection.prefault({}),
  database: databaseSection.prefault({}),
  ledger: ledgerSection.prefault({}),
  engine: engineSection.prefault({}),
  limits: limitsSection.prefault({}),
  controls: controlsSection.prefault({}),
  gateway: gatewaySection.prefault({}),
  venues: venuesSection,
  accounts: accountsSection,
  keys: keysSection,
  notify: notifySection.prefault({}),
  log: logSection.prefault({}),
  metrics: metricsSection.prefault({}),
});

/** The file as written, with defaults filled in; secrets are not fetched yet. */
export type ConfigFile = z.output<typeof configSchema>;
