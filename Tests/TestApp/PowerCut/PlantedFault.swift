/// A mistake that a recording is changed to, as an engine would make it.
enum PlantedFault: String, CaseIterable {
  /// Commits do not wait for the pages of the data file.
  case unsyncedPages = "unsynced-pages"
  /// Commits do not wait for the page by which their pages are found.
  case unsyncedMeta = "unsynced-meta"
  /// The file `FORMAT` of a new store is not brought to the disk.
  case unsyncedFormat = "unsynced-format"
  /// The names in a new store are not.
  case unsyncedNames = "unsynced-names"
  /// The name of a new store is not.
  case unsyncedStore = "unsynced-store"
  /// The names of the directories above a new store, which are made with it, are not.
  case unsyncedParents = "unsynced-parents"
  /// The page by which others are found is written before the disk has those.
  case metaFirst = "meta-first"
  /// A store gets its name before the disk has its files.
  case nameFirst = "name-first"
  /// A batch is acknowledged before the last write of its commit.
  case acknowledgedEarly = "acknowledged-early"
  /// What waits for its commit is taken for durable.
  case trustedRelaxed = "trusted-relaxed"

  /// Plants the mistake.
  ///
  /// - Parameters:
  ///   - changes: What was recorded.
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

  /// Moves each change of a kind before the nearest earlier one of another.
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
