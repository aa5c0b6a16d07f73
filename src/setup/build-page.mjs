// Builds the page from src/page into dist/page with esbuild: one script, one style sheet, both named after their content,
// and the licences of what they contain. Run by `npm run build`, and by the set-up of a clone when its sources changed.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { licencesOf } from './licences.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** Packages whose code becomes part of the script. */
const BUNDLED = ['preact', '@preact/signals', '@preact/signals-core', 'uplot'];
/** The only source of it outside src/page. */
const SHARED = 'src/values/text/written-figures.ts';
const STAMP = 'sources.sha256';

/** Whether what is built is what the sources and the installed packages make. */
export function isPageBuilt(root = ROOT) {
  try {
    return readFileSync(join(root, 'dist/page', STAMP), 'utf8') === sourcesHash(root);
  } catch {
    // Unexamined: a page that cannot be read is built, and building it fails with the reason.
    return false;
  }
}

/** Replaces dist/page only once everything is built. */
async function buildPage(root = ROOT) {
  const { build } = await import('esbuild');
  const from = join(root, 'src/page');
  const { outputFiles } = await build({
    entryPoints: [join(from, 'main.tsx'), join(from, 'page.css')],
    outdir: join(root, 'dist/page'),
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    tsconfig: join(from, 'tsconfig.json'),
  });
  const next = join(root, `dist/page.${process.pid}`);
  mkdirSync(next, { recursive: true });
  let index = readFileSync(join(from, 'index.html'), 'utf8');
  for (const { path, contents } of outputFiles) {
    const ending = path.endsWith('.css') ? 'css' : 'js';
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12);
    const name = `page-${hash}.${ending}`;
    writeFileSync(join(next, name), contents);
    index = index.replace(ending === 'css' ? 'STYLE' : 'SCRIPT', `/page/${name}`);
  }
  writeFileSync(join(next, 'index.html'), index);
  const packages = BUNDLED.map((name) => join(root, 'node_modules', name));
  writeFileSync(join(next, 'licences.txt'), licencesOf(packages));
  writeFileSync(join(next, STAMP), sourcesHash(root));
  rmSync(join(root, 'dist/page'), { recursive: true, force: true });
  renameSync(next, join(root, 'dist/page'));
}

function sourcesHash(root) {
  const hash = createHash('sha256');
  const folder = join(root, 'src/page');
  const names = readdirSync(folder, { recursive: true }).filter((name) => /\.\w+$/.test(name));
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(folder, name)));
  for (const name of [SHARED, 'package-lock.json']) hash.update(readFileSync(join(root, name)));
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
