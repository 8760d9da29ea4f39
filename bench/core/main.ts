import { parseArgs } from 'node:util';
import { loadCommandParser } from '../../apps/runner/src/ports/command-parser.ts';
import { isLinear, type Measured, measure, renderTable } from './measure.ts';
import { subjectsOf } from './subjects.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });

const measured: Measured[] = [];
for (const subject of subjectsOf(await loadCommandParser())) {
  measured.push(await measure(subject, Number(values.rounds)));
  console.log(`${subject.name}: done`);
}
console.log(`\n${renderTable(measured)}\n`);
const bent = measured.filter((one) => !isLinear(one)).map((one) => one.name);
console.log(bent.length === 0 ? 'Everything grows in a line.' : `Grows faster than its input: ${bent.join(', ')}.`);
process.exitCode = bent.length === 0 ? 0 : 1;
