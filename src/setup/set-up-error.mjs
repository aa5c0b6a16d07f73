// A failure the user can act on: one line saying what failed and what to do, then the end of the tool's own
// output.

const TAIL_LINES = 15;

export class SetUpError extends Error {
  /**
   * @param {string} message what failed and what to do about it
   * @param {string} [output] what the tool printed; its last lines are shown
   */
  constructor(message, output = '') {
    const tail = output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
    super(tail === '' ? message : `${message}\n${tail.replace(/^/gm, '  | ')}`);
    this.name = 'SetUpError';
  }
}
