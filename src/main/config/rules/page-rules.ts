// Rules on people who come to the page by a proxy.
import type { ConfigFile } from '../config-schema.ts';
import type { Finding } from '../finding.ts';
import { sourcesOf, sourcesText } from '../sections/secret-source.ts';

const PATH = ['gateway', 'page', 'proxySignIn'] as const;

export function pageFindings({ gateway }: ConfigFile): readonly Finding[] {
  const section = gateway.page.proxySignIn;
  if (section === undefined) return [];
  const findings: Finding[] = [];
  if (gateway.trustedProxies.length === 0) {
    const message =
      'is set, and no proxy is trusted; accepted: with the address of the proxy in gateway.trustedProxies';
    findings.push({ path: PATH, message });
  }
  const given = sourcesOf('secret').filter((name) => Reflect.get(section, name) !== undefined);
  if (given.length !== 1) {
    const message = `has ${given.length} secrets; accepted: one of ${sourcesText('secret')}`;
    findings.push({ path: PATH, message });
  }
  if (section.personHeader.toLowerCase() === section.secretHeader.toLowerCase()) {
    const message = `is ${section.secretHeader}, which is personHeader too; accepted: another header`;
    findings.push({ path: [...PATH, 'secretHeader'], message });
  }
  // Records name the key: two people with one key would look the same in them.
  for (const field of ['person', 'key'] as const) {
    const values = section.people.map((one) => one[field]);
    for (const [index, value] of values.entries()) {
      if (values.indexOf(value) === index) continue;
      const message = `repeats ${value}; accepted: each ${field} once`;
      findings.push({ path: [...PATH, 'people', index, field], message });
    }
  }
  return findings;
}
