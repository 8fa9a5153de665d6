import Retrace

extension NameCompletion {
  /// Returns the line of the suggestions; if it does not fit, the chosen one is the first.
  func line(fitting columns: Int) -> Screen.Line {
    let line = line(from: 0)
    return TextWidth.of(line.text) > columns ? self.line(from: chosen) : line
  }

  private func line(from first: Int) -> Screen.Line {
    let kind = kind == .project ? "project" : "tag"
    var runs = [Screen.Run("right: ", .faint)]
    for step in suggestions.indices {
      let number = (first + step) % suggestions.count
      let suggestion = suggestions[number]
      if step > 0 { runs.append(Screen.Run(", ", .faint)) }
      let name = (suggestion.isNew ? "new \(kind) " : "\(kind) ") + suggestion.name
      runs.append(Screen.Run(name, number == chosen ? .selected : .faint))
    }
    return Screen.Line(runs)
  }
}
