package import RetraceFilter
package import RetraceState

/// A filter as a user types it, in the words of the command line.
package struct TypedFilter: Sendable {
  /// The text.
  package let text: String
  /// The condition on entries; `nil` without one.
  package let condition: EntryCondition?
  /// Why the text is no filter, as a sentence with texts of the user; `nil` if it is one.
  package let problem: String?
  private let hasDates: Bool
  private let domain: DomainState

  /// Reads a text; one without words is a filter that every entry passes.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - domain: The entities, for their names.
  ///   - calendar: The zone and the weeks in which times are read.
  ///   - moment: The present.
  /// - Complexity: O(bytes + entities of the kinds that the text names).
  package init(
    _ text: String, in domain: DomainState, _ calendar: ReportCalendar, at moment: Moment
  ) {
    (self.text, self.domain) = (text, domain)
    guard !text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) else {
      (condition, problem, hasDates) = (nil, nil, false)
      return
    }
    let expression: FilterExpression
    do throws(FilterError) {
      expression = try FilterExpression(text)
    } catch {
      (condition, problem, hasDates) = (nil, error.description, false)
      return
    }
    hasDates = expression.hasDates
    do throws(EntryConditionError) {
      condition = try EntryCondition(
        expression, in: domain, calendar.expressionContext(at: moment), excludesUnknown: true)
      problem = nil
    } catch {
      (condition, problem) = (nil, error.description)
    }
  }

  /// Returns whether the filter is the one of a text at any moment.
  ///
  /// - Complexity: As `==` of the tables.
  package func isOf(_ text: String, in domain: DomainState) -> Bool {
    !hasDates && self.text.utf8.elementsEqual(text.utf8) && isRead(in: domain)
  }

  /// Returns whether the filter was read in a state.
  ///
  /// - Complexity: As `==` of the tables.
  package func isRead(in domain: DomainState) -> Bool { self.domain == domain }

  /// Returns whether another filter has the same tests in the same state, although it may have been
  /// read at another moment.
  ///
  /// - Complexity: As `==` of the tables.
  package func hasTests(of other: TypedFilter) -> Bool {
    text.utf8.elementsEqual(other.text.utf8) && problem == other.problem
      && condition?.root == other.condition?.root
      && condition?.unknownTags == other.condition?.unknownTags && domain == other.domain
  }
}

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
