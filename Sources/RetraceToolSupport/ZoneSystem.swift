import Retrace
import RetraceSystem

/// The files in which a system keeps the rules of time zones, and the name of its own.
struct ZoneSystem {
  /// The folders of the tz database; the first that has a zone is used.
  var folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"]
  /// The zone of the system: a link into a folder, or a copy of a file there.
  var localtime = "/etc/localtime"
  /// The file that names the zone of the system; only some systems have it.
  var timezone = "/etc/timezone"

  /// The files of this system; `TZDIR` replaces the folders, as for the C library.
  static var live: ZoneSystem {
    var system = ZoneSystem()
    if let folder = ThisProcess.environment("TZDIR"), !folder.isEmpty { system.folders = [folder] }
    return system
  }

  /// The id of rules whose file is in none of the folders.
  ///
  /// It is the name of no zone.
  static var unnamed: String { "unnamed" }

  /// The most bytes that a time zone file may have.
  static var fileSizeMax: Int { 1 << 20 }

  /// The reason why there are no rules.
  enum Problem: Error, Hashable {
    /// No folder has such a file, and the text is no rule.
    case unknown
    /// The file cannot be read.
    case unreadable(path: String, SystemError)
    /// The file is no file of the tz database.
    case damaged(path: String, ZoneFileError)
  }

  /// Returns the rules of a zone of the tz database, or of a POSIX rule.
  func rules(id: String) throws(Problem) -> ZoneRules {
    if Self.isUTC(id) { return ZoneRules(id: id, offsetSeconds: 0) }
    if Self.isName(id) {
      for folder in folders {
        do throws(Problem) {
          return try rules(path: "\(folder)/\(id)", id: id)
        } catch {
          guard case .unreadable(_, let reason) = error else { throw error }
          switch reason.code {
          case .noSuchFile, .notADirectory, .isADirectory: continue
          default: throw error
          }
        }
      }
    }
    guard let rules = ZoneRules(posixRule: id) else { throw .unknown }
    return rules
  }

  /// Returns the bytes of the file of a zone of the tz database; `nil` if there is none that can be
  /// read.
  func file(id: String) -> [UInt8]? {
    guard !Self.isUTC(id), Self.isName(id) else { return nil }
    for folder in folders {
      guard let bytes = try? read("\(folder)/\(id)"),
        (try? rules(bytes, path: folder, id: id)) != nil
      else { continue }
      return bytes
    }
    return nil
  }

  /// Returns whether a zone is UTC, whose rules need no file.
  private static func isUTC(_ id: String) -> Bool { id == "UTC" || id == "Etc/UTC" }

  /// Returns the rules in a file.
  private func rules(path: String, id: String) throws(Problem) -> ZoneRules {
    try rules(try read(path), path: path, id: id)
  }

  private func rules(_ bytes: [UInt8], path: String, id: String) throws(Problem) -> ZoneRules {
    do throws(ZoneFileError) {
      return try ZoneRules(id: id, tzif: bytes.span)
    } catch {
      throw .damaged(path: path, error)
    }
  }

  private func read(_ path: String) throws(Problem) -> [UInt8] {
    do throws(SystemError) {
      return try FileSystem.readWhole(path, limitBytes: Self.fileSizeMax)
    } catch {
      throw .unreadable(path: path, error)
    }
  }

  /// Returns whether an id can be a name in the tz database.
  ///
  /// Components that lead out of the folder, or to a hidden file, are refused.
  static func isName(_ id: String) -> Bool {
    let slash = UInt8(ascii: "/")
    var previous = slash
    for byte in id.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x5f: break
      case slash where previous != slash: break
      default: return false
      }
      previous = byte
    }
    return previous != slash && id.utf8.count <= 64
  }
}

// MARK: - The process's own zone

extension ZoneSystem {
  /// Returns the rules that a value of `TZ` means.
  ///
  /// A leading colon changes nothing, as in the C library.
  func rules(variable: String) throws(LocalZone.Failure) -> ZoneRules {
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if text.isEmpty { return .utc }
    do throws(Problem) {
      return try text.hasPrefix("/") ? rules(ofFile: text) : rules(id: text)
    } catch {
      throw LocalZone.Failure(
        what: "The time zone of the variable TZ cannot be read.",
        why: "TZ is \(Self.shown(variable)): \(reason(error)).",
        advice: "Set TZ to a zone such as Europe/Berlin or UTC, or unset it to use the zone of the "
          + "system; the package tzdata installs the zones.",
        isEnvironment: true)
    }
  }

  /// Returns the rules of the system's own zone; UTC if the system has none.
  func localtimeRules() throws(LocalZone.Failure) -> ZoneRules {
    do throws(Problem) {
      do throws(SystemError) {
        if try !FileSystem.exists(localtime) { return .utc }
      } catch {
        throw Problem.unreadable(path: localtime, error)
      }
      return try rules(ofFile: localtime)
    } catch {
      throw LocalZone.Failure(
        what: "The time zone of this system cannot be read.",
        why: "\(localtime): \(reason(error)).",
        advice: "Install the package tzdata, link \(localtime) to one of its files, or set the "
          + "variable TZ to a zone such as Europe/Berlin or UTC.",
        isEnvironment: false)
    }
  }

  /// Returns the rules in a file, with the id that its path or its contents identify.
  private func rules(ofFile path: String) throws(Problem) -> ZoneRules {
    let name = name(ofPath: path)
    do throws(Problem) {
      let bytes = try read(path)
      return try rules(bytes, path: path, id: name ?? self.name(of: bytes, at: path))
    } catch {
      // A link to UTC needs no target, so it works without the package tzdata.
      guard case .unreadable(_, let reason) = error, reason.code == .noSuchFile, let name,
        Self.isUTC(name)
      else { throw error }
      return ZoneRules(id: name, offsetSeconds: 0)
    }
  }

  private func reason(_ problem: Problem) -> String {
    switch problem {
    case .unknown:
      let present = folders.filter { (try? FileSystem.exists($0)) == true }
      let places = (present.isEmpty ? folders : present).joined(separator: " or ")
      return "this is neither a zone in \(Self.shown(places)) nor a rule such as "
        + "CET-1CEST,M3.5.0,M10.5.0/3"
    case .unreadable(let path, let error):
      switch error.code {
      case .noSuchFile: return "there is no file \(Self.shown(path))"
      case .accessDenied: return "you do not have permission to read \(Self.shown(path))"
      case .aboveLimit: return "\(Self.shown(path)) is larger than a zone can be"
      default: return "\(Self.shown(path)) cannot be read (\(error.code))"
      }
    case .damaged(let path, let error):
      let what =
        switch error {
        case .notTZif: "is no time zone file"
        case .truncated: "ends too early"
        // The text may quote the file.
        case .invalid(let text): "is invalid: \(Self.shown(text))"
        }
      return "\(Self.shown(path)) \(what)"
    }
  }

  /// Returns foreign text for a message: short, and safe for a terminal.
  private static func shown(_ text: String) -> String {
    let limit = 100
    var result = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      result.unicodeScalars.append(
        scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) ? "\u{fffd}" : scalar)
    }
    return text.unicodeScalars.count > limit ? result + "…" : result
  }
}

// MARK: - The name of a file

extension ZoneSystem {
  /// Returns the name that a path has in the tz database.
  ///
  /// It follows links only until a path is in the database. So a link to `Europe/Oslo` has that
  /// name, even if `Europe/Oslo` is itself a link to `Europe/Berlin`.
  private func name(ofPath path: String) -> String? {
    var path = path
    for _ in 0..<8 {
      if let name = name(inPath: path) { return name }
      guard let target = try? FileSystem.readLink(path) else { break }
      path = target.hasPrefix("/") ? target : "\(Self.parent(of: path))/\(target)"
    }
    return (try? FileSystem.realPath(path)).flatMap { name(inPath: $0) }
  }

  private static func parent(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
  }

  /// Returns the part of a path below a folder of the database, or below any folder `zoneinfo`.
  private func name(inPath path: String) -> String? {
    let bytes = Array(path.utf8)
    for folder in folders + ["zoneinfo"] {
      let prefix = Array((folder + "/").utf8)
      let isWhole = folder.hasPrefix("/")
      guard bytes.count > prefix.count else { continue }
      let starts = isWhole ? 0...0 : 1...(bytes.count - prefix.count)
      for start in starts.reversed()
      where bytes[start...].starts(with: prefix) && (isWhole || bytes[start - 1] == 0x2f) {
        let rest = bytes[(start + prefix.count)...]
        let isCopy = rest.starts(with: Array("posix/".utf8))
        let name = String(decoding: isCopy ? rest.dropFirst(6) : rest, as: UTF8.self)
        if Self.isName(name), !Self.isIndirect(name) { return name }
      }
    }
    return nil
  }

  /// Returns whether a file of the database is a copy of another file, or not a zone.
  private static func isIndirect(_ name: String) -> Bool {
    ["localtime", "posixrules", "right", "posix", "Factory"].contains(name)
      || name.hasPrefix("right/") || name.hasPrefix("posix/")
  }

  /// Returns the name of the zone whose file has these bytes.
  ///
  /// Of several names, the one that the system gives to its own zone is preferred, then the main
  /// names, which `zone1970.tab` lists.
  private func name(of bytes: [UInt8], at path: String) -> String {
    if path == localtime, let text = try? FileSystem.readWhole(timezone, limitBytes: 4_096) {
      let name = String(decoding: text.prefix { $0 > 0x20 }, as: UTF8.self)
      if isName(name, of: bytes) { return name }
    }
    var best: (rank: Int, name: String)?
    for folder in folders {
      let main = mainNames(in: folder)
      for name in names(in: folder) where isName(name, of: bytes, in: [folder]) {
        let rank = main.contains(name) ? 0 : name == "Etc/UTC" ? 1 : 2
        if best.map({ rank < $0.rank }) ?? true { best = (rank, name) }
      }
      if let best { return best.name }
    }
    return Self.unnamed
  }

  private func isName(_ name: String, of bytes: [UInt8], in folders: [String]? = nil) -> Bool {
    guard Self.isName(name), !Self.isIndirect(name) else { return false }
    for folder in folders ?? self.folders {
      let path = "\(folder)/\(name)"
      // The size is compared first, because most files differ in it.
      guard let info = try? FileSystem.info(path), info.isRegular, info.sizeBytes == bytes.count,
        let other = try? FileSystem.readWhole(path, limitBytes: Self.fileSizeMax)
      else { continue }
      if other == bytes { return true }
    }
    return false
  }

  /// Returns the paths of all files below a folder, relative to it, at most 4,096.
  func names(in folder: String) -> [String] {
    var found: [String] = []
    var waiting = [""]
    while let prefix = waiting.popLast(), found.count < 4_096 {
      for name in (try? FileSystem.list("\(folder)/\(prefix)")) ?? [] {
        let path = prefix + name
        guard Self.isName(path), !Self.isIndirect(path),
          let info = try? FileSystem.linkInfo("\(folder)/\(path)")
        else { continue }
        if info.isDirectory { waiting.append(path + "/") } else { found.append(path) }
      }
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the names in the third column of the database's table of zones.
  private func mainNames(in folder: String) -> Set<String> {
    let path = "\(folder)/zone1970.tab"
    guard let bytes = try? FileSystem.readWhole(path, limitBytes: Self.fileSizeMax) else {
      return []
    }
    var names: Set<String> = []
    for line in bytes.split(separator: 0x0a) where line.first != UInt8(ascii: "#") {
      let fields = line.split(separator: 0x09)
      if fields.count > 2 { names.insert(String(decoding: fields[2], as: UTF8.self)) }
    }
    return names
  }
}
