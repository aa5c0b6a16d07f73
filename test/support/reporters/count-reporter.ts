// Writes how many tests have passed and which have failed so far to a file, for a caller that may stop the run early.
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export class CountReporter implements Reporter {
  readonly #file: string;
  #passed = 0;
  readonly #failed: string[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  onTestModuleEnd(module: TestModule): void {
    const before = this.#failed.length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') this.#passed += 1;
      if (state === 'failed') this.#failed.push(`${module.relativeModuleId}: ${test.fullName}`);
    }
    // A file that could not be loaded, or failed in a hook, has no failed test.
    if (module.state() === 'failed' && this.#failed.length === before) {
      this.#failed.push(`${module.relativeModuleId}: outside its tests`);
    }
    this.#write();
  }

  /** A rejection nobody awaited, or a worker that died, fails the run but belongs to no file. */
  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const error of unhandled) {
      const { name = 'Error', message, stack = '' } = error;
      const lines = stack.split('\n').map((line) => line.trim());
      const at = lines.find((line) => /\/(src|test)\//.test(line)) ?? lines[1] ?? '';
      // Which file ran is what vitest supposes: with several at work it can be another.
      const during = error['VITEST_TEST_PATH'] ?? 'no file';
      this.#failed.push(`outside every test: ${name}: ${message} ${at} (during ${during})`);
    }
    this.#write();
  }

  #write(): void {
    writeFileSync(this.#file, JSON.stringify({ passed: this.#passed, failed: this.#failed }));
  }
}
