import RetraceArchitecture
import RetraceState

// Code that the lint must not report: it uses bytes, scalars and numbers only.

struct Bytewise: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    if state.name.utf8.elementsEqual(text.utf8) { state.found += 1 }
    if state.name.utf8.lexicographicallyPrecedes(text.utf8) { state.found += 1 }
    if state.name.utf8.starts(with: "a".utf8) { state.found += 1 }
    for scalar in text.unicodeScalars where scalar == "é" { state.found += 1 }
    state.found += text.utf8.count + text.unicodeScalars.count
    state.names.removeAll { $0.utf8.elementsEqual(text.utf8) }
    state.names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

struct Assembling: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    state.name += text + "!"
    state.name.append("?")
    state.name = "\(text) \(state.found) \(state.mood)"
    if state.nickname == nil || text.isEmpty { state.nickname = text }
    let end = text.utf8.index(text.startIndex, offsetBy: 0)
    state.name = String(text[..<end]) + String(text[end...])
    state.name.replaceSubrange(state.name.startIndex..<state.name.startIndex, with: text)
    state.names = [state.names.joined(separator: ", ")]
    state.found = Int(text) ?? Int(text, radix: 16) ?? 0
    state.name = String(decoding: Array(text.utf8), as: UTF8.self)
  }
}

struct Numbers: DiaryReducer {
  private enum Place: Hashable {
    case here(Int64)
    case there
  }

  func update(_ state: inout Diary, _ text: String) {
    var counts: [Int: String] = [:]
    counts[state.found] = text
    if state.counts.isEmpty || state.tags.count > 2 { state.counts.removeAll() }
    state.found = [1, 2, 3].contains(state.found) ? 1 : [3, 1].sorted().first ?? 0
    if state.mood == .merry { state.mood = .calm }
    if Place.here(3) == .there { state.found = 0 }
  }
}

/// A name that is compared by its bytes.
struct ByteName: Hashable {
  var text: String

  static func == (left: ByteName, right: ByteName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

struct ByteNames: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    var names: Set<ByteName> = [ByteName(text: text)]
    names.insert(ByteName(text: state.name))
    state.found = names.contains(ByteName(text: "")) ? names.count : 0
  }
}

struct Effects: Reducer {
  func reduce(_ state: inout Diary, _ action: String, at moment: Moment) -> Effect<String, Never> {
    .send(action).cancellable("work")
  }
}

struct Allowed: DiaryReducer {
  func update(_ state: inout Diary, _ text: String) {
    // lint:allow the names of this test are ASCII
    if state.name == text { state.found += 1 }
    if state.name < text { state.found += 1 }  // lint:allow the names of this test are ASCII
    state.found += edge(text)
  }

  // lint:allow this function is called where keys are read
  private func edge(_ text: String) -> Int { text.count }
}

/// Not folded: nothing that conforms to a protocol of a fold calls it.
func shown(_ diary: Diary) -> Bool { diary.name == diary.name.lowercased() }
