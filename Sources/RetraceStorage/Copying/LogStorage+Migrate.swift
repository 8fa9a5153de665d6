import Retrace

extension LogStorage {
  /// Copies a log of an older format version into a new store of the current version.
  ///
  /// Every record keeps its sequence, moment, payload and state hash. The chain changes, because it
  /// covers the version. The store keeps its identity. When this returns, the copy is on disk and
  /// verified from the first record to the last; the original is unchanged.
  ///
  /// From the start of the copy until this open of the store is closed, no process can open the
  /// original for writing, because the copy would lack later records.
  ///
  /// - Parameter destination: The directory to create; its parent must exist.
  /// - Returns: A description of the copy.
  /// - Complexity: O(bytes of the log), read twice, written once and hashed twice.
  /// - Throws: ``StoreError/Code/destinationExists``; `inUse` if another process has the original
  ///   open for writing; `damaged` if the log does not verify; `incompatible` if the log already
  ///   has the current version; storage failures.
  package func migrate(to destination: String) throws(StoreError) -> CopiedStore {
    guard version != LogFormat.version else {
      throw StoreError(
        .incompatible, what: "The store \(path) was not migrated.",
        why: "It has format version \(version), which is the current one.",
        advice: "Use it as it is.")
    }
    if let writers = try excludeOtherWriters() {
      throw StoreError(
        .inUse(pids: writers), what: "The store \(path) was not migrated.",
        why: "Another process has it open for writing.",
        advice: "Close the app that uses it, and try again.")
    }
    return try withReadView { (view) throws(StoreError) in
      try view.verify()
      return try copyRecords(of: view, to: destination)
    }
  }

  private func copyRecords(
    of view: borrowing ReadView, to destination: String
  ) throws(StoreError) -> CopiedStore {
    let last = view.head.sequence
    let format = try FormatFile.read(store)
    var schemas: [UInt32: String] = [:]
    // The numbers of each kind of schema have no gaps.
    for base in [0, LogFormat.commandSchemaNumber(0)] {
      var number = base + 1
      while let json = try view.schema(number) {
        schemas[number] = json
        number += 1
      }
    }
    return try StoreCopy.make(
      at: destination, of: path, format: format.current, schemas: schemas, from: version,
      doing: "be migrated"
    ) { (copier) throws(StoreError) in
      guard last > 0 else { return }
      try view.forEachRecord(from: 1, through: last) { (envelope, payload) throws(StoreError) in
        try copier.append(envelope, payload)
      }
    } check: { (head) throws(StoreError) in
      guard head.sequence == last else {
        throw StoreError.damaged(
          head.sequence + 1, "The migrated log does not end with record \(last)", in: destination)
      }
    }
  }
}

extension StoreCopy {
  /// Creates a store of the current version from records.
  ///
  /// - Parameters:
  ///   - destination: The directory to create.
  ///   - origin: The path of the store that the records come from, for messages.
  ///   - format: The identity of the store.
  ///   - schemas: The JSON of the schemas by number.
  ///   - version: The format version of the records.
  ///   - action: The verb phrase for error messages, such as `be migrated`.
  ///   - body: Appends the records.
  ///   - check: Checks the end of the copy.
  static func make(
    at destination: String, of origin: String, format: FormatFile, schemas: [UInt32: String],
    from version: UInt8, doing action: String,
    _ body: (inout RecordCopier) throws(StoreError) -> Void,
    check: (Head) throws(StoreError) -> Void
  ) throws(StoreError) -> CopiedStore {
    let copy = try StoreCopy(to: destination, of: origin, doing: action)
    do throws(StoreError) {
      try copy.fillEmpty(format, mapBytes: LogStorage.defaultMapBytes)
      let storage = try LogStorage.open(at: copy.path, access: .write)
      defer { storage.close() }
      var copier = RecordCopier(into: storage, from: version, schemas: schemas)
      try body(&copier)
      try copier.finish()
    } catch {
      copy.abandon()
      throw error
    }
    return try copy.finish(check)
  }
}
