package import Retrace

extension RecordedValues {
  /// Returns a value of a log; `nil` if this build cannot read it.
  package mutating func value(
    of encoded: RecordedCommand.Encoded, in view: borrowing ReadView
  ) -> Value? {
    // Not in a closure, which cannot capture the view.
    var json: String?
    if !knows(encoded.schema) {
      json = try? view.schema(LogFormat.commandSchemaNumber(encoded.schema))
    }
    return value(of: encoded) { _ in json }
  }
}
