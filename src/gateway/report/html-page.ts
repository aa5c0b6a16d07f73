// Pages on execution costs: each opens from disk, loads nothing and runs nothing, light, dark and on paper. All text of
// clients is escaped, and a policy in the page forbids whatever else it might contain.
import { createHash } from 'node:crypto';
import { escaped, type Figure } from './svg-figure.ts';

const LIGHT =
  '--paper:#fff;--ink:#1b1b1b;--dim:#5c5c5c;--faint:#d9d9d9;--own:#0072b2;--other:#b84a00;--gain:#00795a;--market:#767676';
const DARK =
  '--paper:#16181b;--ink:#ececec;--dim:#b0b0b0;--faint:#3a3d42;--own:#56b4e9;--other:#e69f00;--gain:#2fc79a;--market:#9a9a9a';

/** Colours after Okabe and Ito; kinds differ by shape, dash or word as well. */
const STYLE = `
:root{${LIGHT};color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{${DARK}}}
body{background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem}
h1{font-size:1.3rem}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem;margin:0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.15rem .9rem .15rem 0;text-align:left;vertical-align:top}
th{font-weight:600}.facts th{color:var(--dim);font-weight:400}
.wide{overflow-x:auto}
figure{margin:1.2rem 0}figcaption p{margin:0;color:var(--dim)}
svg{width:100%;min-width:36rem;height:auto;font:11px system-ui,sans-serif}
svg text{fill:var(--dim)}.x{text-anchor:middle}.y{text-anchor:end}
.grid{stroke:var(--faint);fill:none}.rule{stroke:var(--dim);fill:none}
.line{fill:none;stroke-width:1.6}.line.own{stroke:var(--own)}.line.plan{stroke:var(--other);stroke-dasharray:6 4}.line.market{stroke:var(--market);stroke-width:1}
.line.error{stroke-width:1}.line.mark{stroke:var(--ink);stroke-width:1.2;stroke-dasharray:2 3}.line.child{stroke:var(--own);stroke-width:2.4;opacity:.55}.line.arrival{stroke:var(--gain);stroke-dasharray:8 3 2 3}.line.twap{stroke:var(--ink);stroke-width:1.2;stroke-dasharray:2 3}.line.average{stroke:var(--other);stroke-dasharray:10 3}
.ribbon.market{fill:var(--faint);opacity:.7}.band.hole{fill:var(--other);opacity:.18}
.mark.round{fill:var(--own)}.mark.cross.unsent{stroke:var(--ink)}.mark.cross{stroke:var(--other);stroke-width:1.8;fill:none}
.bar.cost{fill:var(--other)}.bar.gain{fill:var(--gain)}.bar.whole{fill:var(--own)}
.bar.cell{opacity:0}.bar.shade1{opacity:.14}.bar.shade2{opacity:.26}.bar.shade3{opacity:.38}.bar.shade4{opacity:.5}.bar.shade5{opacity:.62}
svg text.cell{fill:var(--ink);font-size:9px;text-anchor:middle}
main>h1{margin:0 0 .6rem}
.numbers{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:1px;background:var(--faint);border:1px solid var(--faint);margin:0}
.numbers div{background:var(--paper);padding:.6rem .9rem}.numbers dt{color:var(--dim);font-size:.87rem}.numbers dd{margin:0;color:var(--dim);font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.numbers .figure{color:var(--ink);font-size:1.7rem;font-weight:600;line-height:1.25}
.verdict{font-size:1.1rem;margin:.9rem 0}
.part{border-top:1px solid var(--faint);padding:.5rem 0}.part>summary{cursor:pointer}.part>summary h2{display:inline;margin:0}.part>summary+*{margin-top:.6rem}
.key{color:var(--dim)}.key b{font-weight:400;margin-right:1rem;display:inline-block}.key b::before{content:"";display:inline-block;width:.8rem;height:.3rem;margin-right:.3rem;vertical-align:middle;background:var(--own)}
.key .plan::before,.key .taker::before,.key .cost::before{background:var(--other)}.key .average::before,.key .hole::before{background:var(--other)}.key .unsent::before,.key .twap::before,.key .mark::before{background:var(--ink)}.key .arrival::before,.key .gain::before{background:var(--gain)}.key .market::before{background:var(--market)}
@media print{@page{size:A4;margin:14mm}:root{${LIGHT}}body{max-width:none;padding:0;font-size:10pt}figure,tr{break-inside:avoid}h2,h3{break-after:avoid}.line{stroke-width:2}svg{min-width:0}.wide{overflow:visible}.wide table{font-size:8pt}.wide td,.wide th{padding-right:.5rem}
.verdict{font-size:12pt}.parts{break-before:page;columns:2;column-gap:8mm;font-size:7.5pt;line-height:1.3}.parts h2{font-size:9pt}.parts figure,.part.screen{display:none}.part{padding:1mm 0}.part>summary{list-style:none}.part::details-content{content-visibility:visible;height:auto}.parts td,.parts th{padding:0 2mm 0 0}.parts ul{margin:0;padding-left:4mm}}
`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

export const pageText = (title: string, parts: readonly string[]): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escaped(title)}</title><style>${STYLE}</style></head><body><main>`,
    `<h1>${escaped(title)}</h1>`,
    ...parts,
    '</main></body></html>\n',
  ].join('\n');

export const numbersText = (
  numbers: readonly {
    readonly name: string;
    readonly figure: string;
    readonly says: readonly string[];
  }[],
): string => {
  const tiles = numbers.map(({ name, figure, says }) => {
    const lines = says.map((line) => `<dd>${escaped(line)}</dd>`).join('');
    return `<div><dt>${escaped(name)}</dt><dd class="figure">${escaped(figure)}</dd>${lines}</div>`;
  });
  return `<dl class="numbers">${tiles.join('')}</dl>`;
};

/** What is behind the opening of a page, and on paper begins its second page. */
export const partsText = (parts: readonly string[]): string =>
  `<div class="parts">${parts.join('')}</div>`;

/** Closed until a reader opens it. On paper its facts are printed without its figures; `screen`: nothing of it is. */
export const partText = (title: string, content: string, kind?: 'screen'): string =>
  `<details class="${kind === undefined ? 'part' : `part ${kind}`}"><summary><h2>${escaped(title)}</h2></summary>${content}</details>`;

export const notesText = (notes: readonly string[]): string =>
  `<h2>How to read it</h2><ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>`;

export type Fact = readonly [name: string, value: string | number | null];

export const factsText = (facts: readonly Fact[]): string => {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th scope="row">${escaped(name)}</th><td>${value === null ? '–' : escaped(String(value))}</td></tr>`,
  );
  return `<table class="facts">${rows.join('')}</table>`;
};

type Grid = NonNullable<Figure['table']>;

export function figureText({ title, says, svg, legend, table }: Figure): string {
  const key = legend.map(([kind, label]) => `<b class="${kind}">${escaped(label)}</b>`).join('');
  const data =
    table === undefined ? '' : `<details><summary>figures</summary>${gridText(table)}</details>`;
  return `<figure><figcaption><h3>${escaped(title)}</h3><p>${escaped(says)}</p></figcaption><div class="wide">${svg}</div><div class="key">${key}</div>${data}</figure>`;
}

/** A table that scrolls where it is too wide. */
export function gridText({ heads, rows }: Grid): string {
  const head = heads.map((name) => `<th scope="col">${escaped(name)}</th>`).join('');
  const lines = rows.map(
    (row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`,
  );
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}
