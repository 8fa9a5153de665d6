import Glibc

// Unsafe in this file: the tables that the dynamic linker keeps of each loaded object are read by
// their layout in memory, as it is laid down in the ELF specification; nothing is unloaded by this
// package. What is written is the address of a function of the same type as the one there before.

/// The places that hold the addresses of the functions which take memory from the heap.
final class AllocationSlots {
  private struct Slot {
    let address: UInt
    let before: UInt
  }

  private var slots: [Slot] = []

  /// Lets the places lead to functions that count what this thread takes.
  ///
  /// - Returns: Whether there was a place; none is changed where the functions are not known.
  func install() -> Bool {
    guard unsafe AllocationFunctions.counting.pointee.isComplete else { return false }
    let found = find(AllocationFunctions.replacements)
    // All that this needs is taken before the first place is changed.
    slots.reserveCapacity(found.count)
    for place in found {
      guard let slot = unsafe Self.writable(place.address) else { continue }
      slots.append(unsafe Slot(address: place.address, before: slot.pointee))
      unsafe slot.pointee = place.function
    }
    return !slots.isEmpty
  }

  /// Puts back what was there.
  func restore() {
    for slot in slots {
      unsafe UnsafeMutablePointer<UInt>(bitPattern: slot.address)?.pointee = slot.before
    }
    slots = []
  }

  /// The place as one that can be written: most are protected once the program was linked.
  private static func writable(_ address: UInt) -> UnsafeMutablePointer<UInt>? {
    let pageBytes = UInt(sysconf(Int32(_SC_PAGESIZE)))
    let page = unsafe UnsafeMutableRawPointer(bitPattern: address & ~(pageBytes - 1))
    guard unsafe mprotect(page, Int(pageBytes), PROT_READ | PROT_WRITE) == 0 else { return nil }
    return unsafe UnsafeMutablePointer<UInt>(bitPattern: address)
  }

  /// The places of all loaded objects that hold the address of a function by its name.
  private func find(_ functions: [(name: String, function: UInt)]) -> [(
    address: UInt, function: UInt
  )] {
    var places: [(address: UInt, function: UInt)] = []
    // By its name, since it changes while libraries are loaded.
    let debug = unsafe dlsym(nil, "_r_debug")?.assumingMemoryBound(to: r_debug.self)
    var object = unsafe debug?.pointee.r_map
    while let loaded = unsafe object {
      if let tables = unsafe LinkTables(loaded.pointee) {
        unsafe tables.forEachImport { name, address in
          for entry in functions where unsafe strcmp(name, entry.name) == 0 {
            places.append((address, entry.function))
          }
        }
      }
      unsafe object = loaded.pointee.l_next
    }
    return places
  }
}

/// The tables by which the dynamic linker finds what a loaded object takes from others.
private struct LinkTables {
  private let base: UInt
  private var symbols: UInt = 0
  private var names: UInt = 0
  /// Address and bytes of the two tables of relocations.
  private var relocations: [(address: UInt, bytes: UInt)] = []

  init?(_ object: link_map) {
    base = unsafe UInt(object.l_addr)
    guard var entry = unsafe UnsafeRawPointer(object.l_ld)?.assumingMemoryBound(to: Elf64_Dyn.self)
    else { return nil }
    var values: [Int64: UInt] = [:]
    while unsafe entry.pointee.d_tag != 0 {
      unsafe values[entry.pointee.d_tag] = UInt(entry.pointee.d_un.d_ptr)
      unsafe entry += 1
    }
    // DT_SYMTAB, DT_STRTAB, DT_RELA with DT_RELASZ, DT_JMPREL with DT_PLTRELSZ.
    guard let symbols = values[6], let names = values[5] else { return nil }
    self.symbols = absolute(symbols)
    self.names = absolute(names)
    for (table, size) in [(Int64(7), Int64(8)), (23, 2)] {
      guard let table = values[table], let bytes = values[size] else { continue }
      relocations.append((absolute(table), bytes))
    }
  }

  /// Some objects keep distances from their base, others have had them made to addresses.
  private func absolute(_ value: UInt) -> UInt { value < base ? value + base : value }

  /// Shows the name and the place of each function or variable taken from other objects.
  func forEachImport(_ body: (UnsafePointer<CChar>, UInt) -> Void) {
    #if arch(arm64)
      let kinds: Set<UInt64> = [1025, 1026]
    #else
      let kinds: Set<UInt64> = [6, 7]
    #endif
    for table in relocations {
      guard let entries = unsafe UnsafePointer<Elf64_Rela>(bitPattern: table.address),
        let symbols = unsafe UnsafePointer<Elf64_Sym>(bitPattern: symbols)
      else { continue }
      for index in 0..<Int(table.bytes) / MemoryLayout<Elf64_Rela>.size {
        let entry = unsafe entries[index]
        guard kinds.contains(entry.r_info & 0xffff_ffff) else { continue }
        let symbol = unsafe symbols[Int(entry.r_info >> 32)]
        guard
          let name = unsafe UnsafePointer<CChar>(bitPattern: names + UInt(symbol.st_name))
        else { continue }
        unsafe body(name, base + UInt(entry.r_offset))
      }
    }
  }
}
