import Generator

/// A filter: files of one target on standard input, the generated file on standard output.
///
/// Input: lines `header TEXT`, then for each file a line `file BYTES PATH`, the bytes, a newline.
/// Output: a line `written` and the text, `nothing`, or `refused` and a line for each reason.
func readFiles() -> (header: [String], files: [SourceText])? {
  var header: [String] = []
  var files: [SourceText] = []
  while let line = readLine() {
    if line.hasPrefix("header ") {
      header.append(String(line.dropFirst("header ".count)))
      continue
    }
    let parts = line.split(separator: " ", maxSplits: 2)
    guard parts.count == 3, parts[0] == "file", let count = Int(parts[1]) else { return nil }
    var text = ""
    while text.utf8.count <= count {
      guard let next = readLine(strippingNewline: false) else { return nil }
      text += next
    }
    guard text.utf8.last == 0x0a else { return nil }
    text.unicodeScalars.removeLast()
    files.append(SourceText(path: String(parts[2]), text: text))
  }
  return (header, files)
}

guard let (header, files) = readFiles() else {
  fatalError("generate: the input is not as Tools/generate/run writes it")
}
let output = Generator.run(files, header: header)
if let text = output.text {
  print("written")
  print(text, terminator: "")
} else if output.refusals.isEmpty {
  print("nothing")
} else {
  print("refused")
  for refusal in output.refusals { print(refusal) }
}
