import Retrace

/// Computes the differences between two JSON values that have no common schema.
enum JSONDifference {
  /// Returns at most `limit` differences: of objects by member, of arrays by position.
  static func between(
    _ old: JSONValue, _ new: JSONValue, at path: String = "", limit: Int
  ) -> [ValueDifference] {
    var found: [ValueDifference] = []
    compare(old, new, path, limit, &found)
    return found
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
