import Glibc

/// The size of a map in a limited address space.
enum AddressSpace {
  /// The limit of this process on its address space in bytes; `nil` if unlimited.
  ///
  /// The C function is `getrlimit`.
  static var limitBytes: Int? {
    var limit = rlimit()
    // Unsafe: C writes to a local variable.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
      return nil
    }
    // `RLIM_INFINITY` is the highest number, which does not fit into `Int`.
    return Int(exactly: limit.rlim_cur)
  }

  /// Returns the wanted map size, or a smaller one if the address space is limited.
  ///
  /// With a limit, the size is halved until the map takes at most half of the free address space,
  /// but it does not get smaller than the data file. If the map did not fit, LMDB would fail in the
  /// middle of opening, so the size is determined first.
  ///
  /// - Parameters:
  ///   - wanted: The wanted size in bytes, in whole pages.
  ///   - dataBytes: The size of the data file in bytes.
  /// - Complexity: One system call without a limit, else two for each size that is tried.
  /// - Throws: `.outOfMemory` if not even the data file fits.
  static func mapSize(wanted: Int, dataBytes: Int) throws(LMDBError) -> Int {
    guard limitBytes != nil else { return wanted }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    var size = wanted
    while size > dataBytes, size > 1 << 20 {
      let (double, overflows) = size.multipliedReportingOverflow(by: 2)
      if !overflows, hasRoom(for: double) { return size }
      size = size / 2 / page * page
    }
    let least = min(wanted, max(dataBytes, 1 << 20) / page * page + page)
    guard hasRoom(for: least) else { throw LMDBError(.outOfMemory, during: .setMapSize) }
    return least
  }

  /// Returns the size of a new map for data that outgrew the old one.
  ///
  /// Without a limit this is 0, which makes LMDB use the size that is stored in the data file.
  ///
  /// - Throws: As ``mapSize(wanted:dataBytes:)``.
  static func enlargedMapSize(dataBytes: Int) throws(LMDBError) -> Int {
    guard limitBytes != nil else { return 0 }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let wanted = max(dataBytes, 1 << 20).multipliedReportingOverflow(by: 2)
    return try mapSize(
      wanted: wanted.overflow ? dataBytes : wanted.partialValue / page * page, dataBytes: dataBytes)
  }

  /// Returns whether a map of this size is possible now; the C functions are `mmap` and `munmap`.
  private static func hasRoom(for bytes: Int) -> Bool {
    // Unsafe: the pages are never accessed, and unmapped at once.
    guard
      let room = unsafe mmap(
        nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      unsafe room != MAP_FAILED
    else { return false }
    unsafe munmap(room, bytes)
    return true
  }
}

extension LMDBEnvironment {
  /// The limit of this process on its address space in bytes; `nil` if unlimited.
  ///
  /// With a limit, environments are opened with smaller maps than requested.
  package static var addressSpaceLimitBytes: Int? { AddressSpace.limitBytes }
}
