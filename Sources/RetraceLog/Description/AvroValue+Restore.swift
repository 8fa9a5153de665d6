import RetraceArchitecture
package import RetraceAvro

extension AvroValue {
  /// The target of an undo or a redo, such as `undo of #50`; `nil` for another value.
  ///
  /// The value is recognized by the recorded name of its links, so the app's code is not needed.
  /// The text replaces the edits, which would fill many lines.
  package var restoreText: String? {
    guard case .record(_, let fields) = self else { return nil }
    if let links = self["links"], case .record(RestoreLinks.recordedName, _) = links,
      case .long(let target)? = links["target"], case .boolean(let isRedo)? = links["isRedo"]
    {
      let text = isRedo ? "redo of undo #\(target)" : "undo of #\(target)"
      guard case .array(let left)? = self["unrestored"], !left.isEmpty else { return text }
      return "\(text) without \(left.count) field\(left.count == 1 ? "" : "s")"
    }
    guard fields.count == 1, fields[0].name == "case",
      case .union(_, .record(_, let payloads)) = fields[0].value
    else { return nil }
    return payloads.lazy.compactMap { $0.value.restoreText }.first
  }
}
