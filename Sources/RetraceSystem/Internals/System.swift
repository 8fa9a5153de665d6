package import Glibc

/// The layer around C calls: it repeats interrupted calls, injects faults for tests, and turns
/// failures into errors.
package enum System {
  /// Makes a call that returns -1 and sets `errno` on failure; repeats it if a signal interrupted
  /// it.
  @inline(__always)
  package static func call<Number: SignedInteger>(
    _ operation: SystemError.Operation, _ path: String?, retries: Bool = true,
    acquiresResource: Bool = false, _ body: () -> Number
  ) throws(SystemError) -> Number {
    while true {
      let code: SystemError.Code
      switch verdict(for: operation, path, acquiresResource: acquiresResource) {
      case .perform:
        let result = body()
        if result >= 0 { return result }
        code = SystemError.Code(rawValue: errno)
      case .failBefore(let fault): code = fault
      case .failAfter(let fault):
        code = body() < 0 ? SystemError.Code(rawValue: errno) : fault
      }
      if retries && code == .interrupted { continue }
      throw SystemError(code, during: operation, path: path)
    }
  }

  /// Returns whether the installed fault plans make a call fail.
  ///
  /// A fault after a call is turned into a fault before it if the call acquires a resource, or if
  /// the code is `EINTR`. A real call that fails in this way has no effect either.
  @inline(__always)
  private static func verdict(
    for operation: SystemError.Operation, _ path: String?, acquiresResource: Bool
  ) -> SystemFaultPlan.Verdict {
    guard SystemFaultPlan.areAnyInstalled else { return .perform }
    let verdict = SystemFaultPlan.verdict(for: operation, path)
    if case .failAfter(let code) = verdict, acquiresResource || code == .interrupted {
      return .failBefore(code)
    }
    return verdict
  }

  @inline(__always)
  static func callReturningError(
    _ operation: SystemError.Operation, _ path: String? = nil, _ body: () -> Int32
  ) throws(SystemError) {
    let result = body()
    if result != 0 { throw SystemError(.init(rawValue: result), during: operation, path: path) }
  }
}

// Unsafe in the following: buffers are borrowed for one call, and C gets their true count.
extension System {
  /// The C function is `open`.
  static func open(_ path: String, _ flags: Int32, _ mode: UInt32) throws(SystemError) -> Int32 {
    try call(.open, path, acquiresResource: true) { unsafe Glibc.open(path, flags, mode_t(mode)) }
  }

  /// The C function is `close`; after `EINTR` the descriptor is closed on Linux.
  static func close(_ descriptor: Int32) {
    _ = Glibc.close(descriptor)
  }

  static func pread(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int, _ path: String?
  ) throws(SystemError) -> Int {
    try call(.pread, path) {
      unsafe Glibc.pread(descriptor, buffer.baseAddress, buffer.count, offset)
    }
  }

  static func pwrite(
    _ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, at offset: Int, _ path: String?
  ) throws(SystemError) -> Int {
    try call(.pwrite, path) {
      unsafe Glibc.pwrite(descriptor, buffer.baseAddress, buffer.count, offset)
    }
  }

  static func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ path: String?,
    retries: Bool = true
  ) throws(SystemError) -> Int {
    try call(.read, path, retries: retries) {
      unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    }
  }

  static func write(
    _ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, _ path: String?
  ) throws(SystemError) -> Int {
    try call(.write, path) {
      unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
    }
  }

  static func fsync(_ descriptor: Int32, _ path: String?) throws(SystemError) {
    _ = try call(.fsync, path) { Glibc.fsync(descriptor) }
  }

  static func truncate(_ descriptor: Int32, _ size: Int, _ path: String?) throws(SystemError) {
    _ = try call(.ftruncate, path) { Glibc.ftruncate(descriptor, size) }
  }

  static func status(_ descriptor: Int32, _ path: String?) throws(SystemError) -> stat {
    var status = stat()
    _ = try call(.stat, path) { unsafe fstat(descriptor, &status) }
    return status
  }

  static func status(ofPath path: String, following: Bool) throws(SystemError) -> stat {
    var status = stat()
    _ = try call(.stat, path) {
      // Passing the string directly would copy it to the heap.
      unsafe path.withCString { unsafe following ? stat($0, &status) : lstat($0, &status) }
    }
    return status
  }

  /// Waits until one of the files is ready; the C function is `poll`.
  ///
  /// - Returns: Whether one is ready; `nil` if a signal interrupted the wait.
  package static func poll(
    _ files: inout [pollfd], milliseconds: Int32
  ) throws(SystemError) -> Bool? {
    let result = unsafe Glibc.poll(&files, nfds_t(files.count), milliseconds)
    if result >= 0 { return result > 0 }
    if errno == EINTR { return nil }
    throw SystemError(.init(rawValue: errno), during: .poll)
  }
}
