import Counter
import Retrace

// What the host of the module calls, such as a page: `begin`, `schema` for each schema, `block` for
// each block in order, and `report`. Before each call, the host puts the bytes for it into the
// place that the function `input` of the runtime returns. A call that fails prints why, and returns
// 1.

private typealias Reading = LogReading<CounterApp>

// The host calls from one thread.
nonisolated(unsafe) private var reading: Reading?

@_extern(c) private func retrace_input(_ index: UInt) -> UInt8
@_extern(c) private func putchar(_ letter: Int32) -> Int32

private func input(_ count: UInt) -> [UInt8] { (0..<count).map { retrace_input($0) } }

private func print(_ line: String) {
  for byte in line.utf8 { _ = putchar(Int32(byte)) }
  _ = putchar(10)
}

private func attempt(_ body: () throws(Reading.Failure) -> Void) -> Int32 {
  do throws(Reading.Failure) {
    try body()
    return 0
  } catch {
    print(error.text)
    return 1
  }
}

/// Begins a log with the identity of its store.
@_expose(wasm, "begin") @_cdecl("retrace_begin")
func begin(_ count: UInt) -> Int32 {
  attempt { () throws(Reading.Failure) in reading = try Reading(store: input(count)) }
}

/// Adds the next schema of actions.
@_expose(wasm, "schema") @_cdecl("retrace_schema")
func schema(_ count: UInt) -> Int32 {
  attempt { () throws(Reading.Failure) in try reading?.add(schema: input(count)) }
}

/// Adds the block that is stored under a sequence.
@_expose(wasm, "block") @_cdecl("retrace_block")
func block(_ key: UInt64, _ count: UInt) -> Int32 {
  attempt { () throws(Reading.Failure) in try reading?.add(block: input(count), at: key) }
}

/// Prints the first lines of `replay verify`.
@_expose(wasm, "report") @_cdecl("retrace_report")
func report() -> Int32 {
  for line in reading?.report() ?? [] { print(line) }
  return reading == nil ? 1 : 0
}
