import SwiftSyntax

/// The types that are written from the lists of a target.
struct WrittenTypes {
  /// The files of the types.
  private(set) var files: [GeneratedFile] = []
  /// The text of all types, which are recorded too.
  private(set) var text = ""
  /// What the files of the lists import, which the parts of the types need.
  private(set) var partImports = ImportList()
  /// What the codecs of the types need.
  private(set) var codecImports = ImportList()
  private let digest: String
  private let changes: EntityChangesWriter
  private var names: Set<String> = []

  /// Makes the types of a target that has none yet.
  init(digest: String, changes: EntityChangesWriter) {
    (self.digest, self.changes) = (digest, changes)
  }

  /// Adds the types of the lists in one file of the target.
  mutating func add(listsIn tree: SourceFileSyntax) throws(ModuleList.Problem) {
    let entities = try EntityListWriter.lists(in: tree, changes)
    let screens = try ScreenListWriter.lists(in: tree)
    if entities.isEmpty && screens.isEmpty { return }
    partImports.add(from: tree)
    codecImports.add(from: tree)
    for file in entities.flatMap(\.files) + screens.flatMap(\.files) { add(file, tree) }
    for file in entities.flatMap(\.changes) where names.insert(file.written.name).inserted {
      add(file.written, file.entity)
      // The entity's own initialiser may be written by hand, and that of the changes is generated.
      codecImports.raise(
        toName: file.initialised, at: file.written.access, in: file.entity, changes.index)
    }
  }

  private mutating func add(_ file: WrittenFile, _ tree: SourceFileSyntax) {
    var imports = ImportList()
    imports.add(from: tree)
    imports.raise(toWrite: file)
    imports.raise(toName: file.types, at: file.access, in: tree, changes.index)
    files.append(
      GeneratedFile(
        name: file.name, digest: digest, imports: imports,
        declarations: [String(file.text.dropLast())]))
    text += file.text
  }
}
