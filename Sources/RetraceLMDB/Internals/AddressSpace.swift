import Glibc

/// How much of the address space a map may take where that is limited.
enum AddressSpace {
  /// The limit of this process on its address space in bytes; `nil` without one.
  ///
  /// The C function is `getrlimit`.
  static var limitBytes: Int? {
    var limit = rlimit()
    // Unsafe: C writes to a local variable.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
      return nil
    }
    // No limit is the highest number.
    return Int(exactly: limit.rlim_cur)
  }

  /// The size of a map: what is wanted, or the half of it, or the half of that, so that as much
  /// again is left for the rest of the process; at least what the data file has.
  ///
  /// It is found out before LMDB opens anything, since a map that does not fit would be noticed in
  /// the middle of that.
  ///
  /// - Parameters:
  ///   - wanted: The size wanted, in bytes; whole pages.
  ///   - dataBytes: The size of the data file.
  /// - Complexity: One system call without a limit, else two for each size that is tried.
  /// - Throws: `.outOfMemory` if not even the data file fits.
  static func mapBytes(wanted: Int, dataBytes: Int) throws(LMDBError) -> Int {
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

  /// The size of a map that takes the place of one which the data outgrew; 0, for the size that the
  /// data file names, without a limit.
  ///
  /// - Throws: As ``mapBytes(wanted:dataBytes:)``.
  static func largerMapBytes(dataBytes: Int) throws(LMDBError) -> Int {
    guard limitBytes != nil else { return 0 }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let wanted = max(dataBytes, 1 << 20).multipliedReportingOverflow(by: 2)
    return try mapBytes(
      wanted: wanted.overflow ? dataBytes : wanted.partialValue / page * page, dataBytes: dataBytes)
  }

  /// Whether so many bytes can be mapped at the moment; the C functions are `mmap` and `munmap`.
  private static func hasRoom(for bytes: Int) -> Bool {
    // Unsafe: the pages are never touched, and given back at once.
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
  /// The limit of this process on its address space in bytes; `nil` without one.
  ///
  /// Where there is one, environments are opened with smaller maps than were asked for.
  public static var addressSpaceLimitBytes: Int? { AddressSpace.limitBytes }
}
