import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceRecording
import RetraceReplay
import RetraceStorage

/// Opens the stores that a power cut left and compares them with their promises.
struct StateCheck {
  /// A store at the end of the recording.
  struct Reference {
    let storeID: StoreID
    /// The chain after each record; the first value belongs to the empty log.
    let chain: [Digest]

    var head: UInt64 { UInt64(chain.count - 1) }

    init(_ path: String) throws {
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      storeID = storage.storeID
      chain = try storage.withReadView { view throws(StoreError) in
        var chain: [Digest] = []
        for sequence in 0...view.head.sequence {
          chain.append(try view.chain(at: sequence))
        }
        return chain
      }
    }
  }

  /// A promise that a state breaks.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  let references: [String: Reference]

  /// Checks stores below a directory, and changes them.
  ///
  /// - Parameters:
  ///   - folder: The directory.
  ///   - paths: The stores that are checked.
  ///   - promised: The promises of all stores.
  func check(
    _ folder: String, _ paths: [String], promised: [String: Claims.Promise]
  ) throws {
    for path in paths {
      guard let reference = references[path] else { continue }
      let store = "\(folder)/\(path)"
      let promise = promised[path]
      do {
        if try FileSystem.exists(store) {
          try read(store, reference, promise)
        } else if promise?.sequence != nil {
          throw Fault(description: "the store is gone")
        }
        try appendAndVerify(store)
      } catch {
        throw Fault(description: "\(path): \(error)")
      }
    }
  }

  /// Checks that the log is the beginning of the recorded one, by the chain after its last record,
  /// and that it has all that was promised.
  private func read(
    _ path: String, _ reference: Reference, _ promise: Claims.Promise?
  ) throws {
    let storage = try LogStorage.open(at: path, access: .read, checkingPages: true)
    defer { storage.close() }
    let (head, keys) = try storage.withReadView { view throws(StoreError) in
      var keys: [String: UInt64] = [:]
      for key in (promise?.keys ?? [:]).keys {
        keys[key] = try view.batch(ofKey: key)?.sequences.last
      }
      return (view.head, keys)
    }
    guard storage.storeID == reference.storeID || promise == nil else {
      throw Fault(description: "the store has another identity")
    }
    guard head.sequence <= reference.head, head.chain == reference.chain[Int(head.sequence)] else {
      throw Fault(description: "record \(head.sequence) was never appended")
    }
    if let promise, let sequence = promise.sequence, sequence > head.sequence {
      throw Fault(description: "ends at \(head.sequence), \(sequence) was acknowledged")
    }
    for (key, sequence) in promise?.keys ?? [:] where keys[key] != sequence {
      throw Fault(description: "key \(key) stands for \(keys[key] ?? 0), not for \(sequence)")
    }
  }

  /// Opens the store for writing, from a snapshot if there is one, appends, closes, verifies.
  private func appendAndVerify(_ path: String) throws {
    var configuration = StoreConfiguration()
    configuration.snapshots = SnapshotPolicy(interval: 8, closingInterval: 1, gapMax: 64)
    let store = try Store<TestApp>.openBlocking(at: path, configuration: configuration)
    let receipt: Receipt<TestApp>
    do {
      receipt = try store.sendBlocking([.noted("after the power cut")])
      try store.closeBlocking()
    } catch {
      store.storage.close()
      throw error
    }
    let known: Set = ["FORMAT", "anchor", "data.mdb", "derived", "lock.mdb", "owner.lock"]
    let left = try FileSystem.list(path).filter { name in
      // The mark of a store that was closed is free.
      try !known.contains(name)
        && !(name.hasPrefix("open.")
          && FileSystem.readWhole("\(path)/\(name)", limitBytes: 64)
            .starts(with: Array("RTFREE1\n".utf8)))
    }
    guard left.isEmpty else { throw Fault(description: "\(left) are left") }
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    // The session ends with the hash of a state that may come from `derived/`.
    let found = try Verifier<TestApp>.verify(storage)
    guard found.firstDivergence == nil else {
      throw Fault(description: "the fold diverges: \(String(describing: found.firstDivergence))")
    }
    guard found.records == receipt.sequence + 1, found.compared > 0 else {
      throw Fault(description: "ends at \(found.records), not at \(receipt.sequence + 1)")
    }
  }
}
