/// A type with a name that is the same in every process and every build of an app.
///
/// The scopes of effects and the keys of cancellations contain such names. Generated code has them
/// as texts; for other types they are found at run time.
public protocol NamedType: SendableMetatype {
  /// The name of the type with the names of its module and of the types around it, such as
  /// `Notes.NoteScope`.
  static var typeName: String { get }
}

extension NamedType {
  /// Returns a name with the module of the source file that calls this; generated code uses it.
  ///
  /// - Parameters:
  ///   - name: The name without the module.
  ///   - file: The module and the name of the source file.
  public static func _name(_ name: StaticString, in file: String = #fileID) -> String {
    let module = file.utf8.prefix { $0 != UInt8(ascii: "/") }
    return "\(Substring(module)).\(name)"
  }
}

// Embedded Swift cannot find the name of a type at run time, so there a type has to declare it.
#if !hasFeature(Embedded)
  extension NamedType {
    /// The name that the compiler gives the type.
    ///
    /// The qualified name of a private type contains an address, so its short name is used, which
    /// other private types may have too.
    public static var typeName: String {
      let name = Swift._typeName(Self.self, qualified: true)
      return name.utf8.contains(UInt8(ascii: "$"))
        ? Swift._typeName(Self.self, qualified: false) : name
    }
  }
#endif
