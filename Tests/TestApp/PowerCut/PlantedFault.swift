/// A fault that an engine could have, planted in a recording.
enum PlantedFault: String, CaseIterable {
  /// Commits do not sync the pages of the data file.
  case unsyncedPages = "unsynced-pages"
  /// Commits do not sync the meta page.
  case unsyncedMeta = "unsynced-meta"
  /// The file `FORMAT` of a new store is not synced.
  case unsyncedFormat = "unsynced-format"
  /// The directory of a new store is not synced.
  case unsyncedNames = "unsynced-names"
  /// The directory above a new store is not synced.
  case unsyncedStore = "unsynced-store"
  /// The directories further up, in which one was made for the store, are not synced.
  case unsyncedParents = "unsynced-parents"
  /// The meta page is written before the pages of the commit are synced.
  case metaFirst = "meta-first"
  /// A store gets its name before its files are synced.
  case nameFirst = "name-first"
  /// A batch is acknowledged before the meta page is written.
  case acknowledgedEarly = "acknowledged-early"
  /// A batch of a store with relaxed durability is taken for durable before its commit.
  case trustedRelaxed = "trusted-relaxed"

  /// Returns the changes with the fault.
  ///
  /// - Parameters:
  ///   - changes: The recorded changes.
  ///   - stores: The paths of the stores.
  func plant(in changes: [DiskChange], on stores: [String]) -> [DiskChange] {
    let parents = Set(stores.map(DiskChange.parent))
    return switch self {
    case .unsyncedPages: changes.filter { !$0.isSync(of: "data.mdb") }
    case .unsyncedMeta: changes.map { $0.withoutDurability }
    case .unsyncedFormat: changes.filter { !$0.isSync(of: "FORMAT") }
    case .unsyncedNames: changes.filter { !$0.isSync || !$0.name.hasPrefix(".retrace-") }
    case .unsyncedStore: changes.filter { !$0.isSync || !parents.contains($0.path) }
    case .unsyncedParents:
      changes.filter { change in
        !change.isSync || !parents.contains { DiskChange.parent($0) == change.path }
      }
    case .metaFirst: moving(changes, { $0.isMeta }, before: { $0.isSync(of: "data.mdb") })
    case .nameFirst:
      moving(changes, { stores.contains($0.path) }, before: { $0.isSync(of: "FORMAT") })
    case .acknowledgedEarly: moving(changes, { $0.isOutput }, before: { $0.isMeta })
    case .trustedRelaxed: changes
    }
  }

  /// Moves each change of one kind before the nearest earlier change of another kind.
  private func moving(
    _ changes: [DiskChange], _ isMoved: (DiskChange) -> Bool,
    before isPassed: (DiskChange) -> Bool
  ) -> [DiskChange] {
    var moved: [DiskChange] = []
    var place: Int?
    for change in changes {
      if isMoved(change), let found = place {
        moved.insert(change, at: found)
        place = nil
      } else {
        if isPassed(change) { place = moved.count }
        moved.append(change)
      }
    }
    return moved
  }
}

extension DiskChange {
  fileprivate var name: Substring { path.split(separator: "/").last ?? "" }

  fileprivate var isSync: Bool {
    if case .sync = action { true } else { false }
  }

  fileprivate func isSync(of name: String) -> Bool { isSync && self.name == name }

  fileprivate var isMeta: Bool {
    if case .write(_, _, _, isDurable: true) = action { name == "data.mdb" } else { false }
  }

  fileprivate var isOutput: Bool {
    if case .output = action { true } else { false }
  }

  fileprivate static func parent(_ path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  fileprivate var withoutDurability: DiskChange {
    guard case .write(let node, let offset, let data, _) = action else { return self }
    var changed = self
    changed.action = .write(node, at: offset, data: data, isDurable: false)
    return changed
  }
}
