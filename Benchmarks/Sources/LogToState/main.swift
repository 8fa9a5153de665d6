// From the log of a tracker's store to its last state, beside a C program over the same bytes.
//
//   log-to-state STORE [--rounds N] [--json FILE]
//
// Exit code 1: the two found different things, or the store could not be read.
import Glibc
import RetraceAvro

func fail(_ text: String, code: Int32 = 1) -> Never {
  let line = "log-to-state: \(text)\n"
  // Unsafe: C reads the text during the call only.
  _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
  exit(code)
}

let arguments = CommandLine.arguments.dropFirst()
var store: String?
var rounds = 7
var output: String?
var rest = arguments.makeIterator()
while let argument = rest.next() {
  switch argument {
  case "--rounds":
    guard let count = rest.next().flatMap({ Int($0) }), count > 0 else {
      fail("--rounds takes a count", code: 64)
    }
    rounds = count
  case "--json":
    guard let file = rest.next() else { fail("--json takes a file", code: 64) }
    output = file
  default: store = argument
  }
}
guard let store else { fail("usage: log-to-state STORE [--rounds N] [--json FILE]", code: 64) }

var measured: [Round] = []
var findings = Findings()
do throws(BenchmarkError) {
  // The first round warms the page cache and is not kept.
  for round in 0...rounds {
    let (times, found) = try measureRound(store)
    if round > 0 { measured.append(times) }
    findings = found
  }
} catch {
  switch error {
  case .store(let error): fail("\(error)")
  case .baseline(let code): fail("the C program failed with \(code)")
  case .disagreement(let ours, let theirs):
    fail("ours and C disagree:\n  ours \(ours)\n  C    \(theirs)")
  }
}

let summary = Summary(rounds: measured, findings: findings)
summary.printTable()
if let output {
  guard let file = unsafe fopen(output, "w") else { fail("\(output) cannot be written") }
  unsafe fputs(summary.json.text(indented: true), file)
  unsafe fputs("\n", file)
  unsafe fclose(file)
}
