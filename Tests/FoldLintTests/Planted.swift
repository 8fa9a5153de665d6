import RetraceArchitecture
import RetraceAvro
import RetraceState

// Code that the lint has to find. A comment says what it reports for the line.

struct Person: Equatable {
  var name: String
  var age: Int = 0
}

enum Mood: String, Equatable {
  case calm, merry
}

struct Diary: Equatable {
  var name: String = ""
  var nickname: String?
  var names: [String] = []
  var person: Person = Person(name: "")
  var people: [Person] = []
  var counts: [String: Int] = [:]
  var tags: Set<String> = []
  var mood: Mood = .calm
  var found: Int = 0
}

protocol DiaryReducer: Reducer where State == Diary, Action == String, Environment == Never {
  func update(_ state: inout Diary, _ text: String)
}

extension DiaryReducer {
  func reduce(_ state: inout Diary, _ action: String, at moment: Moment) -> Effect<String, Never> {
    update(&state, action)
    return .none
  }
}

struct Direct: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    if state.name == text { state.found += 1 }  // found: compares String with ==
    if state.name != text { state.found += 1 }  // found: compares String with ==
    if state.nickname == text { state.found += 1 }  // found: compares String with ==
    if state.name < text { state.found += 1 }  // found: orders String with <
    if state.name.hasPrefix(text) { state.found += 1 }  // found: compares String with ==
    switch text {  // found: compares String with ==
    case "one": state.found = 1
    default: break
    }
  }
}

struct ThroughHelper: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) { state.found += matches(state.name, text) }
}

private func matches(_ left: String, _ right: String) -> Int {
  left == right ? 1 : 0  // found: compares String with ==
}

struct NeedlesslyAllowed: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    state.found += 1  // lint:allow it was needed once // found: nothing here needs this allowance
    // lint:allow
    if state.name == text { state.found += 1 }
  }
}

struct ThroughClosure: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    let isSame = { (name: String) in name == text }  // found: compares String with ==
    state.names.removeAll { isSame($0) || longer($0, text) }
  }

  private func longer(_ name: String, _ text: String) -> Bool { length(name) > length(text) }

  private func length(_ text: String) -> Int { text.count }  // found: breaks String into characters
}

struct ThroughGenerics: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    if state.names.contains(text) { state.found += 1 }  // found: in Sequence.contains(_:)
    state.found += state.names.firstIndex(of: text) ?? 0  // found: in Collection.firstIndex(of:)
    state.names.sort()  // found: orders String
    state.name = state.names.max() ?? ""  // found: orders String
    state.found += repeats(of: text, in: state.names)  // found: compares String
    if state.names == [text] { state.found += 1 }  // found: compares String
    _ = again(&state, text)
  }

  /// The compiler keeps the conformance that the first call gets, for the second one.
  func again(_ state: inout Diary, _ text: String) -> Effect<String, Never> {
    let effect = Effect<String, Never>.send(text)
    if state.names.contains(text) { state.found += 1 }  // found: compares String
    return effect
  }

  private func repeats<Value: Equatable>(of value: Value, in values: [Value]) -> Int {
    values.reduce(0) { $1 == value ? $0 + 1 : $0 }
  }
}

struct ThroughSynthesized: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    if state.person == Person(name: text) { state.found += 1 }  // found: compares String
    if state.people.contains(Person(name: text)) { state.found += 1 }  // found: compares String
  }
}

struct ThroughKeys: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    state.counts[text] = 1  // found: hashes String
    state.tags.insert(text)  // found: hashes String
    if state.tags == [text] { state.found += 1 }  // found: hashes String
    if [state.tags].contains([text]) { state.found += 1 }  // found: hashes String
    state.found = AnyHashable(text) == AnyHashable(1) ? 1 : 0  // found: hashes String
  }
}

struct Characters: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    state.found = text.count  // found: breaks String into characters
    state.name = text.lowercased()  // found: maps letters
    state.name = String(text.dropLast())  // found: breaks String into characters
    state.name = String(text.suffix(1))  // found: breaks String into characters
    for character in text where character.isLetter {  // found: breaks String into characters
      state.found += 1
    }
    state.name = String(text[text.index(after: text.startIndex)...])  // found: breaks String into
    state.names = text.split(separator: ",").map(String.init)  // found: compares Character
    let small = text.unicodeScalars.first { $0.properties.isLowercase }  // found: Unicode
    state.found += small == nil ? 0 : 1
    state.mood = Mood(rawValue: text) ?? .calm  // found: compares String with ==
    state.found += text.contains(/a+/) ? 1 : 0  // found: uses a regular expression
  }
}

struct Child: Reducer {
  func reduce(_ state: inout Diary, _ action: String, at moment: Moment) -> Effect<String, Never> {
    if state.name == action { state.found += 1 }  // found: compares String with ==
    return .none
  }
}

struct Parent: Reducer {
  var body: some Reducer<Diary, String, Never> {
    EmptyReducer()
    CombineReducers { Child() }
      .onChange(NameHandler())  // found: compares String with ==
  }
}

struct Renamed<Value: Equatable & Sendable>: Reducer {
  var value: Value

  func reduce(_ state: inout Diary, _ action: String, at moment: Moment) -> Effect<String, Never> {
    if state.name == action { state.found += 1 }  // found: compares String with ==
    return .none
  }
}

struct NameHandler: ChangeHandler {
  func value(of state: borrowing Diary) -> String { state.name }

  func changed(
    from old: String, to new: String, in state: inout Diary, at moment: Moment
  ) -> Effect<String, Never> { .none }
}

struct DiaryDecider: Decider {
  func decide(
    _ command: String, on state: borrowing Diary, at moment: Moment
  ) throws(Refused) -> [String] {
    if command.uppercased().isEmpty { throw Refused() }  // found: maps letters
    return [command]
  }

  struct Refused: Error, Equatable {}
}

struct Register: Recordable {
  var counts: [String: Int64]

  static var recordedName: String { "Register" }

  static func schema(in composer: inout SchemaComposer) -> Schema {
    [String: Int64].schema(in: &composer)
  }

  func encode(into writer: inout AvroWriter) {
    counts.encode(into: &writer)  // found: hashes String
  }

  init(decoding reader: inout AvroReader) throws(AvroError) {
    counts = try [String: Int64](decoding: &reader)  // found: hashes String
  }
}
