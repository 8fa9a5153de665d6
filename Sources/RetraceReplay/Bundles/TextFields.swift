import Retrace

/// A list of recorded fields, each by the recorded name of its type and its own, as in
/// `Trip.zone`; a type alone stands for all of its fields.
struct TextFields: Sendable {
  private var fields: [String: Set<String>] = [:]
  private var types: Set<String> = []

  init(_ names: [String]) {
    for name in names {
      // The name of a type may have a dot of its own.
      if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) {
        let field = name[name.utf8.index(after: dot)...]
        fields[String(name[..<dot]), default: []].insert(String(field))
      }
      types.insert(name)
    }
  }

  func contains(_ field: String, of type: String) -> Bool {
    types.contains(type) || fields[type]?.contains(field) == true
  }
}
