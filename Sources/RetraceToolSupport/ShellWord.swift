import RetraceScreen

/// Quotes a text as one word of a shell command, without characters that are escaped when printed.
package func shellWord(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: SafeText.isEscaped) else {
    return "'" + text.replacing("'", with: "'\\''") + "'"
  }
  // Line ends and the like are octal numbers in the quotes of `$'…'`.
  var word = "$'"
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": word += "\\n"
    case "\t": word += "\\t"
    case "'", "\\": word += "\\\(scalar)"
    case _ where SafeText.isEscaped(scalar):
      for byte in String(scalar).utf8 {
        let digits = String(byte, radix: 8)
        word += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
      }
    default: word.unicodeScalars.append(scalar)
    }
  }
  return word + "'"
}
