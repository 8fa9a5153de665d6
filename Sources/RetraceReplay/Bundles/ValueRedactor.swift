import Retrace

/// Replaces the texts in recorded values.
struct ValueRedactor: Sendable {
  /// What is done to the texts of a field.
  enum Treatment: Sendable {
    case kept
    case replaced
    /// They are expressions in the language of the app, whose public words are kept.
    case read
    /// They are replaced, whatever is said of a field within.
    case hidden
  }

  /// The treatment of a value, and the field that names it in lists.
  struct Place: Sendable {
    var treatment: Treatment
    var label: String
  }

  let redactor: TextRedactor
  /// The number of texts that were replaced, by the field.
  private(set) var replaced: [String: Int] = [:]
  /// The words of all texts that were to be replaced, for ``WordSeams``.
  private(set) var words: Set<[UInt32]> = []
  private let kept: TextFields
  private let hidden: TextFields
  private let read: TextFields
  private let offered: [String: Set<String>]
  private let start: Treatment

  /// Creates a redactor.
  ///
  /// - Parameters:
  ///   - redactor: Replaces the texts.
  ///   - kept: The fields whose texts are kept.
  ///   - hidden: The fields whose texts are always replaced.
  ///   - read: The fields whose texts are expressions.
  ///   - offered: The texts that are kept in some fields.
  ///   - isPlain: Whether the texts of all other fields are kept.
  init(
    _ redactor: TextRedactor, keeping kept: [String], hiding hidden: [String],
    reading read: [String], offering offered: [(field: String, texts: [String])], isPlain: Bool
  ) {
    self.redactor = redactor
    self.kept = TextFields(kept)
    self.hidden = TextFields(hidden)
    self.read = TextFields(read)
    self.offered = Dictionary(
      offered.map { ($0.field, Set($0.texts)) }, uniquingKeysWith: { $0.union($1) })
    start = isPlain ? .kept : .replaced
  }

  /// The place of a value that is in no field.
  func root(_ name: String) -> Place { Place(treatment: start, label: name) }

  /// Returns the place of a field.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - type: The name of its record.
  ///   - place: The place of the record.
  ///   - isText: Whether the record is but a text, and is named by the field that has it.
  func place(
    of field: String, in type: String, at place: Place, isText: Bool
  ) -> Place {
    var treatment = place.treatment
    if treatment == .hidden || hidden.contains(field, of: type) {
      treatment = .hidden
    } else if kept.contains(field, of: type) {
      treatment = .kept
    } else if treatment == .replaced, read.contains(field, of: type) {
      treatment = .read
    }
    return Place(treatment: treatment, label: isText ? place.label : "\(type).\(field)")
  }

  /// Returns the replacement of a text.
  mutating func redacted(_ text: String, at place: Place) -> String {
    guard place.treatment != .kept else { return text }
    if place.treatment != .hidden, offered[place.label]?.contains(text) == true { return text }
    words.formUnion(TextRedactor.words(in: text))
    let result = redactor.redacted(text, isExpression: place.treatment == .read)
    guard !result.utf8.elementsEqual(text.utf8) else { return text }
    replaced[place.label, default: 0] += 1
    return result
  }

  /// Returns a value with its texts replaced; an edit of a text becomes the given one.
  ///
  /// - Complexity: O(size of the value).
  mutating func redacted(
    _ value: AvroValue, at place: Place, edit: EditedDraft?
  ) -> AvroValue {
    switch value {
    case .string(let text): return .string(redacted(text, at: place))
    case .array(let items):
      var result: [AvroValue] = []
      for item in items { result.append(redacted(item, at: place, edit: edit)) }
      return .array(result)
    case .map(let entries):
      var result: [AvroValue.Entry] = []
      for entry in entries {
        result.append(
          AvroValue.Entry(
            redacted(entry.name, at: place), redacted(entry.value, at: place, edit: edit)))
      }
      return .map(result)
    case .union(let branch, let value):
      return .union(branch: branch, redacted(value, at: place, edit: edit))
    case .record(let name, let fields):
      if let edit, name == TextReplacement.recordedName { return whole(edit) }
      let isText = Self.isText(name, fields)
      var result: [AvroValue.Entry] = []
      for field in fields {
        let inner = self.place(of: field.name, in: name, at: place, isText: isText)
        result.append(
          AvroValue.Entry(field.name, redacted(field.value, at: inner, edit: edit)))
      }
      return .record(name: name, fields: result)
    default: return value
    }
  }

  /// Returns the edit that replaces the whole text, as a replaced text has to be typed: a letter
  /// that is inserted changes the replacements of those after it.
  private mutating func whole(_ edit: EditedDraft) -> AvroValue {
    let text = redacted(edit.draft.text, at: edit.place)
    return .record(
      name: TextReplacement.recordedName,
      fields: [
        AvroValue.Entry("start", .long(0)), AvroValue.Entry("end", .long(.max)),
        AvroValue.Entry("text", .string(text)),
        AvroValue.Entry("cursor", .long(edit.draft.cursor)),
      ])
  }

  /// Returns whether a record is but a text: a draft, or a record of texts alone.
  static func isText(_ name: String, _ fields: [AvroValue.Entry]) -> Bool {
    if name == TextDraft.recordedName || name == TextReplacement.recordedName { return true }
    return fields.count > 1
      && fields.allSatisfy { if case .string = $0.value { true } else { false } }
  }
}
