// The process that runs the cells of a sweep over a recording. Recordings are opened once per set of instruments and serve
// every cell.
import { serveCells } from '../sweep/serve-cells.ts';
import { type BacktestWork, backtestCells } from './backtest-cells.ts';

serveCells((work) => backtestCells(work as BacktestWork));
