// The stored form of a summary: JSON, with spaces up to a multiple of a length. An update is logged from the first byte that
// differs to the last, and the first one of a text is in its length.
import type { PortfolioSummary } from '../../../core/portfolio/summary/portfolio-summary.ts';

const MULTIPLE = 64;

export function recordText(record: PortfolioSummary): string {
  const text = JSON.stringify(record);
  return text.padEnd(Math.ceil(text.length / MULTIPLE) * MULTIPLE);
}
