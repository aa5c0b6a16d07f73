// A user without rights on this machine, with a home of their own and nothing of this clone in their environment; and what they run.
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { printed } from './printed.ts';

/** `nobody` on every Linux. */
const NOBODY = 65_534;
/** What npm has to know here to reach its registry. Its own settings file cannot be read by others. */
const NPM_SETTINGS = ['registry', 'cafile', 'proxy', 'https-proxy', 'noproxy'];
/** Of the clone that this runs in. */
const FOREIGN = /^(TWAPD_|npm_|NODE_|WS_NO_|INIT_CWD$|REDIS_URL$|DATABASE_URL$|XDG_)/i;

export class Stranger {
  readonly home: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #ids: { readonly uid?: number; readonly gid?: number };

  private constructor(home: string, env: NodeJS.ProcessEnv) {
    this.home = home;
    this.#env = env;
    // Only the superuser can become somebody else.
    this.#ids = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    this.#own(home);
  }

  static async arrive(): Promise<Stranger> {
    const home = mkdtempSync(join(tmpdir(), 'twapd-installed-'));
    const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
    const env: NodeJS.ProcessEnv = { ...Object.fromEntries(inherited), HOME: home };
    env['PATH'] = (process.env['PATH'] ?? '')
      .split(delimiter)
      .filter((folder) => !/node_modules|node-gyp-bin/.test(folder))
      .join(delimiter);
    env['npm_config_cache'] = join(home, '.npm');
    for (const name of NPM_SETTINGS) {
      const value = (await printed(spawn('npm', ['config', 'get', name], { cwd: '/' }))).trim();
      if (!['', 'null', 'undefined'].includes(value))
        env[`npm_config_${name.replace('-', '_')}`] = value;
    }
    return new Stranger(home, env);
  }

  /** The id that owns what they write. */
  get uid(): number | undefined {
    return this.#ids.uid ?? process.getuid?.();
  }

  folder(name: string): string {
    const path = join(this.home, name);
    mkdirSync(path, { recursive: true });
    this.#own(path);
    return path;
  }

  /** Leads a group of its own. */
  start(program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const options = { cwd: this.home, env: { ...this.#env, ...env }, detached: true, ...this.#ids };
    return spawn(program, [...words], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /**
   * What it prints.
   * @throws StepFailed if it ends with another code than 0
   */
  run(program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    return printed(this.start(program, words, env));
  }

  #own(path: string): void {
    const { uid, gid } = this.#ids;
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  }
}
