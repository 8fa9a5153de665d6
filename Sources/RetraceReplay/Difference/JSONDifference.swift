import Retrace

/// Computes the differences between two JSON values that have no common schema.
package enum JSONDifference {
  /// Returns at most `limit` differences: of objects by member, of arrays by position.
  package static func between(
    _ old: JSONValue, _ new: JSONValue, limit: Int
  ) -> [ValueDifference] {
    var found: [ValueDifference] = []
    compare(old, new, "", limit, &found)
    return found
  }

  /// Returns the innermost values that differ, with the paths that they have in either value.
  ///
  /// A case without a payload, `{"name": {}}`, is a text. A value that only one side has differs
  /// from nothing, unless it is null.
  ///
  /// - Complexity: O(size of both values).
  package static func values(between old: JSONValue, _ new: JSONValue) -> [ValueDifference] {
    let (before, after) = (values(in: old), values(in: new))
    var rest = Dictionary(after.map { ($0.path, $0.value) }) { first, _ in first }
    var found: [ValueDifference] = []
    for (path, value) in before {
      let other = rest.removeValue(forKey: path)
      guard other != value, other != nil || value != .null else { continue }
      found.append(ValueDifference(path: path, before: value, after: other))
    }
    for (path, value) in after where rest[path] != nil && value != .null {
      found.append(ValueDifference(path: path, before: nil, after: value))
    }
    return found
  }

  /// Returns the innermost values of a value, with their paths.
  package static func values(in whole: JSONValue) -> [(path: String, value: JSONValue)] {
    switch whole {
    case .object(let members) where members.count == 1 && members[0].value == .object([]):
      [("", .string(members[0].name))]
    case .object(let members) where !members.isEmpty:
      members.flatMap { member in
        values(in: member.value).map { (joined(member.name, $0.path), $0.value) }
      }
    case .array(let items) where !items.isEmpty:
      items.enumerated().flatMap { index, item in
        values(in: item).map { (joined("[\(index)]", $0.path), $0.value) }
      }
    default: [("", whole)]
    }
  }

  private static func joined(_ path: String, _ rest: String) -> String {
    rest.isEmpty || rest.hasPrefix("[") ? path + rest : "\(path).\(rest)"
  }

  private static func compare(
    _ old: JSONValue, _ new: JSONValue, _ path: String, _ limit: Int,
    _ found: inout [ValueDifference]
  ) {
    guard found.count < limit, old != new else { return }
    switch (old, new) {
    case (.object(let before), .object(let after)):
      for member in before {
        let place = path.isEmpty ? member.name : "\(path).\(member.name)"
        guard let value = new[member.name] else {
          append(place, member.value, nil, limit, &found)
          continue
        }
        compare(member.value, value, place, limit, &found)
      }
      for member in after where old[member.name] == nil {
        let place = path.isEmpty ? member.name : "\(path).\(member.name)"
        append(place, nil, member.value, limit, &found)
      }
    case (.array(let before), .array(let after)):
      for index in 0..<max(before.count, after.count) {
        let place = "\(path)[\(index)]"
        if index >= before.count {
          append(place, nil, after[index], limit, &found)
        } else if index >= after.count {
          append(place, before[index], nil, limit, &found)
        } else {
          compare(before[index], after[index], place, limit, &found)
        }
      }
    default: append(path, old, new, limit, &found)
    }
  }

  private static func append(
    _ path: String, _ old: JSONValue?, _ new: JSONValue?, _ limit: Int,
    _ found: inout [ValueDifference]
  ) {
    if found.count < limit {
      found.append(ValueDifference(path: path, before: old, after: new))
    }
  }
}
