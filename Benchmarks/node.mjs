// Times rounds of the module of the counter and of a plain JavaScript reducer, in turns.
//
//   node Benchmarks/node.mjs MODULE BUNDLE LINES ROUNDS
//
// Prints JSON: the nanoseconds of the processor for an action, in each round: of opening a bundle,
// of folding it, of verifying it, and of reducing the lines. `Benchmarks/node` makes the files.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const source = new URL('../Sources/RetracePageFile/Parts/module.js', import.meta.url);
const PageModule = new Function(`${readFileSync(source, 'utf8')}; return PageModule;`)();

const [moduleFile, bundleFile, linesFile, rounds] = process.argv.slice(2);
const module = await PageModule.load(gunzipSync(readFileSync(moduleFile)));
const bundle = readFileSync(bundleFile);
const lines = readFileSync(linesFile);
let records = 0;

// The counter as a JavaScript program has it: the reducer changes the state in place.
function reduce(state, action) {
  switch (action.type) {
    case 'added':
      state.counters.push({ name: action.name, value: 0, isFavourite: false });
      break;
    case 'counted': {
      const count = state.counters[action.id];
      if (count === undefined) state.refused += 1; else count.value += action.by;
      break;
    }
    case 'opened':
      if (action.id in state.counters) state.stack.push(action.id); else state.refused += 1;
      break;
    case 'closed':
      state.stack.length = 0;
      break;
    case 'marked': {
      const count = state.counters[action.id];
      if (count === undefined) state.refused += 1; else count.isFavourite = action.isFavourite;
      break;
    }
    default: throw new Error(`there is no action ${action.type}`);
  }
}

function reduceLines() {
  const state = { counters: [], stack: [], refused: 0 };
  const text = lines.toString('utf8');
  let count = 0;
  for (let start = 0; start < text.length; count++) {
    const end = text.indexOf('\n', start);
    reduce(state, JSON.parse(text.slice(start, end)));
    start = end + 1;
  }
  return { state, count };
}

function open() {
  module.begin();
  records = module.open(bundle).records;
}

function verify() {
  let verdict;
  do { verdict = module.ask({ verify: 1 << 16 }); } while (!verdict.isComplete);
  if (verdict.failure !== null || verdict.firstDivergence !== null || verdict.compared === 0) {
    throw new Error(`the bundle is not fine: ${JSON.stringify(verdict)}`);
  }
}

// Fails unless both ways end in the same state.
function compare() {
  open();
  const own = module.ask({ state: records });
  const { state } = reduceLines();
  const text = (counters) => JSON.stringify(
    counters.map(({ name, value, isFavourite }) => [name, value, isFavourite]));
  if (text(own.counters.map((entry) => entry.value)) !== text(state.counters)
    || own.refused !== state.refused || own.stack.entries.length !== state.stack.length + 1) {
    throw new Error('the states differ');
  }
}

const times = { open: [], fold: [], verify: [], json: [] };
function time(name, count, run) {
  const started = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(started);
  times[name].push((user + system) * 1_000 / count);
}

compare();
const { count } = reduceLines();
for (let round = -Math.ceil(rounds / 5); round < rounds; round++) {
  if (round === 0) for (const name in times) times[name] = [];
  time('open', count, open);
  // A screen needs the state, and no more.
  time('fold', count, () => module.ask({ screen: records }));
  open();
  time('verify', count, verify);
  time('json', count, reduceLines);
}
const memory = module.exports.memory.buffer.byteLength;
console.log(JSON.stringify({ memory, ...times }));
