import RetraceArchitecture
import RetraceState

/// The operations of the rows, on the engine's table and on its yardsticks.
protocol EntryHolder {
  init()
  mutating func append(_ entry: consuming Entry)
  /// Returns the start of an entry, read with `read`, which copies nothing.
  func start(_ id: Int) -> Int64?
  /// Returns the start of an entry, read with the subscript.
  func startBySubscript(_ id: Int) -> Int64?
  /// Sets the duration and returns the previous one.
  mutating func close(_ id: Int, _ duration: Int64) -> Int64?
}

extension EntityTable<EntryID, Entry>: EntryHolder {
  @inline(__always)
  mutating func append(_ entry: consuming Entry) { insert(entry) }

  @inline(__always)
  func start(_ id: Int) -> Int64? { read(EntryID(value: Int64(id))) { $0.start } }

  @inline(__always)
  func startBySubscript(_ id: Int) -> Int64? { self[EntryID(value: Int64(id))]?.start }

  @inline(__always)
  mutating func close(_ id: Int, _ duration: Int64) -> Int64? {
    modify(EntryID(value: Int64(id))) { $0.close(duration) }
  }
}

extension PlainRadix<Entry>: EntryHolder {
  @inline(__always)
  func start(_ id: Int) -> Int64? { read(id) { $0.start } }

  @inline(__always)
  func startBySubscript(_ id: Int) -> Int64? { self[id]?.start }

  @inline(__always)
  mutating func close(_ id: Int, _ duration: Int64) -> Int64? {
    modify(id) { $0.close(duration) }
  }
}

extension [Int: Entry]: EntryHolder {
  init() { self = [:] }

  @inline(__always)
  mutating func append(_ entry: consuming Entry) { self[count] = entry }

  @inline(__always)
  func start(_ id: Int) -> Int64? { self[id]?.start }

  @inline(__always)
  func startBySubscript(_ id: Int) -> Int64? { self[id]?.start }

  @inline(__always)
  mutating func close(_ id: Int, _ duration: Int64) -> Int64? { self[id]?.close(duration) }
}

extension Entry {
  @inline(__always)
  mutating func close(_ duration: Int64) -> Int64 {
    let before = self.duration ?? 0
    self.duration = duration
    return before
  }
}
