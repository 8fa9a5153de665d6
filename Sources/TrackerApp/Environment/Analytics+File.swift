import Retrace
public import RetraceRecording
import RetraceSystem
public import TrackerFeatures

extension CommitObserver<TimeTracker> {
  /// Returns an observer that passes the events of the commits of this process to a sink.
  ///
  /// A replay has no observers, so it tells nothing. Events are no records, because they follow
  /// from the log.
  ///
  /// - Parameters:
  ///   - scene: The scene that this process shows.
  ///   - sink: The sink.
  public static func analytics(in scene: SceneID, to sink: AnalyticsSink) -> CommitObserver {
    CommitObserver { commit in
      guard let moment = commit.moment else { return }
      let events = AnalyticsEvent.events(of: commit.actions, in: scene, before: commit.before)
      if !events.isEmpty { sink.track(events, moment) }
    }
  }
}

/// A local file to which events of analytics are appended, a JSON object a line.
public final class AnalyticsFile: Sendable {
  private let path: String
  private let worker = WorkerThread(name: "track-analytics")
  private let firstProblem = Lock<String?>(nil)

  /// Names the file, which is created with the first event, for the user alone.
  public init(at path: String) { self.path = path }

  /// The sink of the file, which writes on a thread of its own.
  public var sink: AnalyticsSink {
    AnalyticsSink { [self] events, moment in
      let lines = events.map { Self.line($0, moment) }.joined()
      worker.submit { self.append(lines) }
    }
  }

  /// Waits until all events are written, and returns why one was not; `nil` if all were.
  public func finish() -> String? {
    worker.waitForSubmittedJobs()
    return firstProblem.withLock { $0 }
  }

  private func append(_ lines: String) {
    do throws(SystemError) {
      let file = try OpenFile.open(path, [.write, .create, .append])
      let bytes = Array(lines.utf8)
      try file.append(bytes.span)
    } catch {
      firstProblem.withLock { $0 = $0 ?? "\(error)" }
    }
  }

  private static func line(_ event: AnalyticsEvent, _ moment: Moment) -> String {
    let (name, detail) = event.parts
    var object: JSONValue = ["moment": .string("\(moment.timestamp)"), "event": .string(name)]
    if let detail {
      object = [
        "moment": .string("\(moment.timestamp)"), "event": .string(name),
        "detail": .string(detail),
      ]
    }
    return object.text() + "\n"
  }
}
