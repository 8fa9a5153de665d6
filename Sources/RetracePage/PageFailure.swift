import Retrace
import RetraceBundle

/// The reason why a page cannot show something, as a text for the user.
struct PageFailure: Error {
  let text: String

  /// - Parameter text: The reason, which may contain text of the file.
  init(_ text: String) { self.text = SafeText.line(text) }

  init(_ error: LogError) { self.init(error.description) }

  init(_ error: FoldError) {
    switch error {
    case .gap(let expected, let found):
      self.init("record \(found) follows where record \(expected) is missing")
    case .unknownSchema(let sequence, let schema), .schemaNotLoaded(let sequence, let schema):
      self.init("the schema \(schema) of record \(sequence) is missing")
    case .undecodable(let sequence, let error):
      self.init("the log is damaged from record \(sequence) on: \(error.description)")
    case .unresolved(let sequence, let schema, let difference):
      self.init(
        "record \(sequence) was written under schema \(schema), which this page cannot read: "
          + difference.description)
    case .upcasterFailed(let sequence, let name, let detail):
      self.init("the upcaster of \(name.description) failed at record \(sequence): \(detail)")
    case .schemaMismatch(let session, let schema):
      self.init(
        "the log is damaged from record \(session) on: schema \(schema) does not have the "
          + "fingerprint that the session recorded")
    case .unregisteredSession(let sequence, let session):
      self.init("session \(session) of record \(sequence) was never opened")
    }
  }
}
