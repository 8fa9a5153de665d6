import Retrace
import TimeTracking

extension LogItem {
  /// The row of the item itself.
  var row: LogRow {
    if let group, group.entries.count > 1, member == nil { return .group(group, isOpen: false) }
    return .entry(entry, key: group?.key, isMember: member != nil)
  }

  /// The first row of the item on a page that shows an item before it.
  var firstRow: LogRow {
    if let group, member == 0 { return .group(group, isOpen: true) }
    return row
  }
}

extension TimerFrame {
  /// The entries of the selected row, the one with the latest place first; empty if none is
  /// selected.
  var selectedEntries: [IdentifiedEntry] { selectedRow.map { page.rows[$0].entries } ?? [] }

  /// Returns the step that selects a row.
  ///
  /// The heading of a group that began above the page is shown at its place.
  func selecting(_ row: LogRow) -> KeyStep {
    guard case .group(let group, isOpen: true) = row, page.continuedHeading != nil,
      page.items.first?.group?.key == group.key, let newest = group.entries.first
    else { return selecting(row, top: route.top) }
    return selecting(row, top: top(at: newest.logPlace))
  }

  /// Returns the step that selects a row, and scrolls.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - top: The place of the first item of the page.
  func selecting(_ row: LogRow, top: EntryPlace?) -> KeyStep {
    switch row {
    case .group(let group, isOpen: _): .screen(.timer(.groupSelected(group.key, top: top)))
    case .entry(let entry, key: _, isMember: _): .screen(.timer(.selected(entry.id, top: top)))
    case .day: .screen(.timer(.selected(nil, top: top)))
    }
  }

  /// Returns the steps that open or close a group, and select its heading.
  ///
  /// The page scrolls if the heading and the first entry of the opened group would not be on it.
  func toggling(_ group: EntryGroup, isOpen: Bool) -> [KeyStep] {
    var steps: [KeyStep] = []
    let select = selecting(.group(group, isOpen: isOpen), top: top(toggling: group, isOpen: isOpen))
    if route.group != group.key
      || select != selecting(.group(group, isOpen: isOpen), top: route.top)
    {
      steps.append(select)
    }
    return steps + [.screen(.timer(.groupToggled(group.key)))]
  }

  private func top(toggling group: EntryGroup, isOpen: Bool) -> EntryPlace? {
    guard edge != nil, let newest = group.entries.first else { return route.top }
    if isOpen {
      let isContinued = page.continuedHeading != nil && page.items.first?.group?.key == group.key
      return isContinued ? top(at: newest.logPlace) : route.top
    }
    var opened = log.with(open: route.expanded(toggling: group.key))
    let shown = LogPage(&opened, from: route.top, shape)
    if shown.items.contains(where: { $0.place == newest.logPlace }) { return route.top }
    return top(showing: newest.logPlace, in: opened)
  }

  /// The steps that delete the entries of the selected row, and select the next row that stays.
  var deletingSelection: [KeyStep] {
    get throws(KeyProblem) {
      let ids = selectedEntries.map { $0.id }.sorted()
      guard let index = selectedRow, ids.count <= DeletionOffer.entriesMax else {
        return try telling(.tooManyEntries(Int64(ids.count)))
      }
      func stays(_ row: LogRow) -> Bool { row.entries.contains { !ids.contains($0.id) } }
      let next =
        page.rows.dropFirst(index + 1).first(where: stays)
        ?? page.rows.prefix(index).last(where: stays)
      let deletes = ids.map { TimeEntryCommand.delete($0, reason: nil) }
      var (entry, group): (TimeEntryID?, EntryGroupKey?) = (nil, nil)
      switch next {
      case .group(let next, isOpen: _): group = next.key
      case .entry(let next, key: _, isMember: _): entry = next.id
      case .day, nil: break
      }
      return [
        .command(.entry(deletes.count == 1 ? deletes[0] : .several(deletes))),
        .screen(.timer(.deleted(ids, selecting: entry, group: group))),
      ]
    }
  }
}
