// Hands the log of a store to the module of an app, and prints what the module makes of it: the
// first lines of `replay verify`.
//
//   node Tools/embedded/fold.mjs MODULE STORE…
//
// `mdb_dump` reads the store. Exits with 1 if the module refuses a log.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [moduleFile, ...stores] = process.argv.slice(2);
const program = new WebAssembly.Module(readFileSync(moduleFile));

// The keys and values of a database, in order.
function entries(store, database) {
  const text = execFileSync('mdb_dump', ['-s', database, store], { maxBuffer: 2 ** 30 });
  const lines = text.toString('latin1').split('\n').filter((line) => line.startsWith(' '));
  const bytes = lines.map((line) => Buffer.from(line.slice(1), 'hex'));
  const keys = bytes.filter((_, index) => index % 2 === 0);
  return keys.map((key, index) => [key, bytes[2 * index + 1]]);
}

function fold(store) {
  const host = {
    print: (start, count) => console.log(Buffer.from(memory(), start, count).toString()),
    number: (start, count) => Number(Buffer.from(memory(), start, count).toString()),
  };
  const instance = new WebAssembly.Instance(program, { host });
  const memory = () => instance.exports.memory.buffer;

  function call(name, bytes, ...before) {
    // The memory is another buffer after it has grown.
    const place = instance.exports.input(bytes.length) >>> 0;
    new Uint8Array(memory(), place, bytes.length).set(bytes);
    if (instance.exports[name](...before, bytes.length) !== 0) process.exit(1);
  }

  const [, identity] = entries(store, 'meta').find(([key]) => key.toString() === 'store');
  call('begin', identity);
  // The schemas of commands have numbers from 2^31 on.
  const schemas = entries(store, 'schemas').filter(([key]) => key[0] < 0x80);
  for (const [, json] of schemas) call('schema', json);
  for (const [key, bytes] of entries(store, 'log')) call('block', bytes, key.readBigUInt64BE());
  instance.exports.report();
}

for (const store of stores) fold(store);
