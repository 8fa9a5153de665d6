import OpenCombine
import Retrace
import RetraceRecording
import Workload

/// The same tree in OpenCombine: each view is shared by the selectors below it.
func combineTree(_ store: Store<WorkloadApp>, _ deliveries: Deliveries) -> [AnyObject] {
  let states = UncheckedSubject(store.state)
  var kept: [AnyObject] = []
  for number in 0..<treeSize.views {
    let view = states.subject.map { $0.timeline.entries }.removeDuplicates()
      .multicast(subject: CurrentValueSubject(store.state.timeline.entries))
    for selector in 0..<treeSize.selectors {
      let id = shownEntry(number, selector)
      kept.append(
        view.map { $0[id]?.revision }.removeDuplicates().sink { _ in deliveries.add() })
    }
    kept.append(view.connect() as AnyObject)
  }
  kept.append(store.observe { states.subject.send($0) })
  return kept
}

/// A subject that only the thread of the benchmark uses.
private final class UncheckedSubject: @unchecked Sendable {
  let subject: CurrentValueSubject<WorkloadState, Never>

  init(_ state: WorkloadState) { subject = CurrentValueSubject(state) }
}
