import Retrace
import TimeTracking

extension TimerFrame {
  /// The keys of the field of the filter.
  static let filterKeys = KeyTable<TimerFrame>("Filter") {
    Binding(.enter, hint: "to the list", help: "Keep the filter, and go to the list.") {
      frame throws(KeyProblem) in
      guard frame.isInFilter else { return nil }
      return try frame.enteringFilter
    }
    Binding(.escape, hint: "show all", help: "Clear the filter, and leave it.") { frame in
      guard frame.isInFilter else { return nil }
      return frame.clearingFilter + [.screen(.timer(.filterFocused(false)))]
    }
    Binding.editing({ $0.isInFilter ? $0.route.filter : nil }, passing: [.text("?")]) { _, edit in
      [.screen(.timer(.filterEdited(edit)))]
    }
  }

  /// Whether typed text goes into the filter.
  private var isInFilter: Bool { route.isFiltering && hasUser }

  /// The steps that clear the filter; none if it is empty.
  var clearingFilter: [KeyStep] {
    route.filter.text.isEmpty
      ? [] : [.screen(.timer(.filterEdited(route.filter.replacing(with: ""))))]
  }

  /// The steps that leave the field and keep the filter.
  private var enteringFilter: [KeyStep] {
    get throws(KeyProblem) {
      try entering(
        filter, route.filter, replacing: { .screen(.timer(.filterEdited($0))) },
        entering: [.screen(.timer(.filterFocused(false)))])
    }
  }
}
