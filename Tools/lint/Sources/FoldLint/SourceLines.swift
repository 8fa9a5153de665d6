internal import Foundation

/// The lines of sources, read when they are asked for.
struct SourceLines {
  private var files: [String: [Substring]] = [:]

  /// Returns whether a line compares something with `nil`, and nothing with anything else.
  mutating func comparesOnlyWithNil(_ place: LineTable.Place) -> Bool {
    if files[place.file] == nil {
      let data = FileManager.default.contents(atPath: place.file) ?? Data()
      files[place.file] = String(decoding: data, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
    }
    let index = place.line - 1
    guard let lines = files[place.file], lines.indices.contains(index) else { return false }
    let words = lines[index].split { " (){},;".contains($0) }
    let compared = words.indices.filter { words[$0] == "==" || words[$0] == "!=" }
    return !compared.isEmpty
      && compared.allSatisfy { index in
        words.dropFirst(index + 1).first == "nil" || index > 0 && words[index - 1] == "nil"
      }
  }
}
