package import Retrace
import RetraceSystem
import TimeTracking
import TrackerFeatures
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
    var files: [String: (version: Version, calendar: CalendarFile?)] = [:]
    var source: Source?
  }

  private let paths: [String]
  private let zones: @Sendable (String) -> ZoneRules?
  private let kept = Lock(Kept())

  /// The most files of a folder.
  private static var filesMax: Int { 100 }

  /// Creates the value without reading a file.
  ///
  /// - Parameters:
  ///   - paths: The files and folders.
  ///   - zones: Returns the rules of a zone of the tz database; `nil` if there is no such zone.
  package init(_ paths: [String], zones: @escaping @Sendable (String) -> ZoneRules?) {
    self.paths = paths
    self.zones = zones
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
    let versions = versions
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

  private var versions: [String: Version] {
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
