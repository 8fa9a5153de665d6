package import RetraceFilter

extension FilterExpression {
  /// Whether a term asks when entries began.
  package var hasDates: Bool {
    terms.contains { term in
      switch term {
      case .range: true
      case .field(let name, _, _):
        EntryConditionKey(name: name).map { $0.isOrdered && $0 != .duration } ?? false
      case .project, .tag, .text: false
      }
    }
  }
}
