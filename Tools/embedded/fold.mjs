// Verifies and folds bundles with the module of an app, and prints for each the first lines of
// `replay verify`.
//
//   node Tools/embedded/fold.mjs MODULE BUNDLE…            chain and state hash of each
//   node Tools/embedded/fold.mjs --screens MODULE BUNDLE   the screen after each record, too
//   node Tools/embedded/fold.mjs --verdicts MODULE         a line for each path of a bundle that it
//                                                          reads: fine, or what is wrong
//
// MODULE may be compressed by gzip. Exits with 1 if the module refuses a bundle.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';

const source = new URL('../../Sources/RetracePageFile/Parts/module.js', import.meta.url);
const PageModule = new Function(`${readFileSync(source, 'utf8')}; return PageModule;`)();

const words = process.argv.slice(2);
const option = words[0].startsWith('--') ? words.shift() : null;
const [moduleFile, ...bundles] = words;
const bytes = readFileSync(moduleFile);
const module = await PageModule.load(moduleFile.endsWith('.gz') ? gunzipSync(bytes) : bytes);

// Returns the header and the verdict of a bundle, which is read with empty memory.
function verify(path) {
  module.begin();
  const header = module.open(readFileSync(path));
  let verdict;
  do { verdict = module.ask({ verify: 1 << 16 }); } while (!verdict.isComplete);
  return { header, verdict };
}

// Says what a page says of a bundle.
function wordsOf(path) {
  try {
    const { verdict } = verify(path);
    if (verdict.failure !== null) return verdict.failure;
    return verdict.firstDivergence === null ? 'fine' : 'another fold';
  } catch (error) {
    return error.message;
  }
}

function screens(module, last) {
  for (let record = 1; record <= last; record++) {
    const screen = module.ask({ screen: record });
    console.log(`== ${record}`);
    if (screen === null) continue;
    for (const line of screen.text) console.log(line);
    const { cursor } = screen;
    console.log(cursor === null ? 'cursor none' : `cursor ${cursor.row} ${cursor.column}`);
  }
}

if (option === '--verdicts') {
  for await (const path of createInterface(process.stdin)) console.log(wordsOf(path));
}
for (const bundle of bundles) {
  const { header, verdict } = verify(bundle);
  if (verdict.failure !== null) throw new Error(verdict.failure);
  console.log(`records         ${verdict.records}`);
  console.log(`chain           ${verdict.chain}`);
  console.log(`state hash      ${verdict.stateHash}`);
  if (option === '--screens') screens(module, header.records);
}
