// The process that runs the cells of a rehearsal.
import { serveCells } from '../sweep/serve-cells.ts';
import { type RehearsalWork, rehearsalCells } from './rehearsal-cells.ts';

serveCells((work) => rehearsalCells(work as RehearsalWork));
