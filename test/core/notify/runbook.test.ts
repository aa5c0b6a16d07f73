import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HAPPENING_KINDS, URGENT_KINDS } from '../../../src/core/notify/happening.ts';
import { runbookLink } from '../../../src/core/notify/runbook.ts';

/** The anchors that a page of Markdown has, as common servers of such pages make them. */
const anchors = [...readFileSync('docs/operations.md', 'utf8').matchAll(/^#{2,3} (.+)$/gm)].map(
  ([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'),
);

test('what is urgent links to a section of the operations page', () => {
  for (const kind of URGENT_KINDS) {
    const [page, anchor = ''] = runbookLink(kind, 'https://wiki/ops')?.split('#') ?? [];
    expect(page, kind).toBe('https://wiki/ops');
    expect(anchors, kind).toContain(anchor);
  }
});

test('every link leads to a section that exists', () => {
  const links = HAPPENING_KINDS.flatMap((kind) => runbookLink(kind, '') ?? []);
  expect(links.length).toBeGreaterThan(URGENT_KINDS.length);
  for (const link of links) expect(anchors).toContain(link.slice(1));
});

test('without an address nothing links anywhere', () => {
  expect(HAPPENING_KINDS.map((kind) => runbookLink(kind, undefined))).toEqual(
    HAPPENING_KINDS.map(() => undefined),
  );
});
