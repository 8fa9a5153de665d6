// Verifies and folds bundles with the module of an app, and prints for each the first lines of
// `replay verify`.
//
//   node Tools/embedded/fold.mjs MODULE BUNDLE…            chain and state hash of each
//   node Tools/embedded/fold.mjs --screens MODULE BUNDLE   the screen after each record, too
//
// Exits with 1 if the module refuses a bundle.
import { readFileSync } from 'node:fs';

const source = new URL('../../Sources/RetracePageFile/Parts/module.js', import.meta.url);
const PageModule = new Function(`${readFileSync(source, 'utf8')}; return PageModule;`)();

const words = process.argv.slice(2);
const showsScreens = words[0] === '--screens';
const [moduleFile, ...bundles] = showsScreens ? words.slice(1) : words;

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

for (const bundle of bundles) {
  const module = await PageModule.load(readFileSync(moduleFile));
  const header = module.open(readFileSync(bundle));
  let verdict;
  do { verdict = module.ask({ verify: 1 << 16 }); } while (!verdict.isComplete);
  if (verdict.failure !== null) throw new Error(verdict.failure);
  console.log(`records         ${verdict.records}`);
  console.log(`chain           ${verdict.chain}`);
  console.log(`state hash      ${verdict.stateHash}`);
  if (showsScreens) screens(module, header.records);
}
