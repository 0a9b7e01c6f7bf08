import { cpus } from 'node:os';
import { BASELINE, FLOOR } from '../contestants.mjs';
import { median, quantile } from './statistics.mjs';
import { versionOf } from './versions.mjs';

/** The tables in Markdown, those of one version of Node under another. */
export function report(results, command) {
  const versions = [...new Set(results.map(({ contestant }) => contestant.node.version))];
  return [
    madeBy(results, command),
    ...versions.map((version) =>
      tablesOf(results.filter(({ contestant }) => contestant.node.version === version)),
    ),
  ].join('\n\n');
}

function madeBy(results, command) {
  const { rounds } = results[0];
  const packages = new Set(results.flatMap(({ contestant }) => contestant.entry.packages));
  const versions = [...packages].map(versionOf).join(', ');
  return [
    `Made by \`${command}\` in ${rounds.length} rounds, on ${cpus().length} cores`,
    `(${cpus()[0].model.trim()}). Versions: ${versions}.`,
  ].join('\n');
}

function tablesOf(results) {
  const { release } = results[0].contestant;
  const [base, floor] = [BASELINE, FLOOR].map((key) =>
    results.find(({ contestant }) => contestant.entry.key === key),
  );
  const sorted = results.toSorted((a, b) => cpuOf(a, 'resting') - cpuOf(b, 'resting'));
  return [
    `### Node ${release}`,
    table(sorted, {
      '': title,
      'CPU of a turn': (result) => cpu(result, base, 'resting'),
      ...(floor && { 'above the floor': (result) => aboveFloor(result, floor, base) }),
      'no rests, one at a time': (result) => cpu(result, base, 'one'),
      'no rests, 16 at once': (result) => cpu(result, base, 'many'),
      'turns per second': (result) => median(each(result, 'many', 'turnsPerSecond')).toFixed(0),
    }),
    table(sorted, {
      '': title,
      'an answer of 10 words': (result) => cpu(result, base, 'words10'),
      '40 words': (result) => cpu(result, base, 'words40'),
      '400 words': (result) => cpu(result, base, 'words400'),
    }),
    table(sorted, {
      '': title,
      'first byte': (result) => times(result, 'one', 'firstByteMs'),
      'first word': (result) => times(result, 'one', 'firstWordMs'),
      'whole turn': (result) => times(result, 'one', 'turnMs'),
      'first byte of 16': (result) => times(result, 'many', 'firstByteMs'),
      'memory, of it heap': ({ memory }) => `${mega(memory.rss)}, ${mega(memory.heapUsed)} MB`,
      'boot, its CPU': ({ boots }) =>
        `${median(boots.map(({ ms }) => ms)).toFixed(0)}, ${median(boots.map(({ cpuMs }) => cpuMs)).toFixed(0)} ms`,
    }),
  ].join('\n\n');
}

function title({ contestant }) {
  return contestant.entry.title;
}

function cpu(result, base, load) {
  return `${grouped(cpuOf(result, load))} µs (${ratio(result, base, load).toFixed(2)})`;
}

function grouped(number) {
  return Math.round(number).toLocaleString('en').replaceAll(',', ' ');
}

function cpuOf(result, load) {
  return median(each(result, load, 'cpuMicros'));
}

/** A contestant's cost above the floor, and its ratio to the baseline's cost above the floor. */
function aboveFloor(result, floor, base) {
  if (result === floor) return '';
  const [own, its] = [result, base].map((each) => cpuOf(each, 'resting') - cpuOf(floor, 'resting'));
  return `${grouped(own)} µs (${(own / its).toFixed(2)})`;
}

/** The median of the rounds' ratios: other load in a round affects both. */
function ratio(result, base, load) {
  const bases = each(base, load, 'cpuMicros');
  return median(each(result, load, 'cpuMicros').map((micros, round) => micros / bases[round]));
}

function times(result, load, figure) {
  const all = each(result, load, figure).flat();
  return `${median(all).toFixed(1)}, ${quantile(all, 0.99).toFixed(1)} ms`;
}

function each({ rounds }, load, figure) {
  return rounds.map((round) => round[load][figure]);
}

function mega(bytes) {
  return (bytes / 1e6).toFixed(0);
}

function table(results, columns) {
  const names = Object.keys(columns);
  const rows = results.map((result) => names.map((name) => columns[name](result)));
  const lines = [names, names.map((name) => (name === '' ? '---' : '--:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
