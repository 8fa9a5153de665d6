package import Retrace
import RetraceSystem
import TimeTracking
package import TrackerFeatures
import TrackerFormats

/// The calendar files whose events the app shows.
///
/// A path is a file, or a folder with files named `*.ics`. A file is read again when its time, its
/// size or its identity has changed. A file that cannot be read has no events.
package final class CalendarFiles: Sendable {
  /// What a file was like when it was read.
  fileprivate struct Version: Hashable {
    var identity: FileIdentity
    var sizeBytes: Int
    var modified: Int64
  }

  /// What the events were read from.
  private struct Source: Equatable {
    var versions: [String: Version]
    var days: ClosedRange<Int32>
    var range: Range<Moment>
    var zone: ZoneRules
  }

  private struct Kept {
    var paths: [String]
    var files: [String: (version: Version, calendar: CalendarFile?)] = [:]
    var source: Source?
  }

  /// What became of changing the paths.
  package enum Outcome: Sendable {
    case changed([String])
    case failed(FileFailure)
  }

  private let zones: @Sendable (String) -> ZoneRules?
  private let change: (@Sendable (String) -> Outcome)?
  private let kept: Lock<Kept>

  /// The most files of a folder.
  private static var filesMax: Int { 100 }

  /// Creates the value without reading a file.
  ///
  /// - Parameters:
  ///   - paths: The files and folders.
  ///   - zones: Returns the rules of a zone of the tz database; `nil` if there is no such zone.
  ///   - change: Changes the setting to a typed text, and returns its paths; `nil` if it cannot be
  ///     changed.
  package init(
    _ paths: [String], zones: @escaping @Sendable (String) -> ZoneRules?,
    change: (@Sendable (String) -> Outcome)? = nil
  ) {
    (self.zones, self.change) = (zones, change)
    kept = Lock(Kept(paths: paths))
  }

  /// The paths with a colon between two, as the settings show and change them; `nil` if they cannot
  /// be changed.
  var text: String? {
    change == nil ? nil : kept.withLock { $0.paths }.joined(separator: ":")
  }

  /// Changes the setting to a typed text; events are of the new paths from then on.
  ///
  /// - Returns: Why it was not changed; `nil` if it was.
  func set(_ text: String) -> FileFailure? {
    switch change?(text) {
    case nil: return nil
    case .failed(let failure): return failure
    case .changed(let paths):
      kept.withLock { $0.paths = paths }
      return nil
    }
  }

  /// Returns the events of some days; `nil` if neither the days nor a file has changed since the
  /// last call.
  ///
  /// - Parameters:
  ///   - days: The numbers of the days since 1970-01-01.
  ///   - range: The time of the days.
  ///   - zone: The zone of the user, in which are whole days and times without a zone.
  /// - Complexity: O(files) if nothing has changed. Else as `CalendarFile.init(_:zones:)` for each
  ///   changed file, and as `CalendarFile.occurrences(in:floating:limit:)` for each file.
  func newEvents(
    of days: ClosedRange<Int32>, in range: Range<Moment>, floating zone: ZoneRules
  ) -> [SceneEvent]? {
    let versions = versions(of: kept.withLock { $0.paths })
    let source = Source(versions: versions, days: days, range: range, zone: zone)
    return kept.withLock { kept in
      guard kept.source != source else { return nil }
      kept.source = source
      kept.files = kept.files.filter { versions[$0.key] == $0.value.version }
      for (path, version) in versions where kept.files[path] == nil {
        kept.files[path] = (version, read(path))
      }
      return kept.files.keys.sorted().flatMap { path in
        let occurrences = kept.files[path]?.calendar?.occurrences(in: range, floating: zone)
        return (occurrences?.occurrences ?? []).map { Self.event($0, of: path) }
      }
    }
  }

  private func versions(of paths: [String]) -> [String: Version] {
    var versions: [String: Version] = [:]
    for path in paths {
      guard let info = try? FileSystem.info(path) else { continue }
      guard info.isDirectory else {
        versions[path] = Version(info)
        continue
      }
      let names = ((try? FileSystem.list(path)) ?? []).filter { $0.hasSuffix(".ics") }.sorted()
      for name in names.prefix(Self.filesMax) {
        guard let info = try? FileSystem.info("\(path)/\(name)") else { continue }
        versions["\(path)/\(name)"] = Version(info)
      }
    }
    return versions
  }

  private func read(_ path: String) -> CalendarFile? {
    guard let bytes = try? FileSystem.readWhole(path, limitBytes: CalendarFile.bytesMax) else {
      return nil
    }
    return try? CalendarFile(bytes, zones: zones)
  }

  /// Returns an occurrence as the state has it.
  ///
  /// Its id follows from the path and the id in the file, so the log has no ids of other programs.
  private static func event(_ occurrence: CalendarOccurrence, of path: String) -> SceneEvent {
    let event = occurrence.event
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in "\(path)\n\(event.id)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return SceneEvent(
      id: Int64(bitPattern: hash), title: event.title, start: event.start, end: event.end,
      isWholeDay: occurrence.isWholeDay)
  }
}

extension CalendarFiles.Version {
  fileprivate init(_ info: FileInfo) {
    self.init(identity: info.identity, sizeBytes: info.sizeBytes, modified: info.modified)
  }
}
