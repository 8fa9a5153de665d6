import Retrace

/// Returns a text as one quoted word of a shell command, without characters that ``Output``
/// escapes.
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

/// Returns a word as it is typed in a shell, in quotes only if it needs them.
package func commandWord(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
      || byte >= 0x80 || ":-@+._/,".utf8.contains(byte)
  }
  return isPlain && !word.isEmpty && !word.unicodeScalars.contains(where: SafeText.isEscaped)
    ? word : shellWord(word)
}

/// Returns a word as it is typed in a shell, in double quotes if no character has a meaning there.
package func quotedWord(_ word: String) -> String {
  let isPlain = word.unicodeScalars.allSatisfy { scalar in
    !SafeText.isEscaped(scalar) && !"$`\"\\!".unicodeScalars.contains(scalar)
  }
  return isPlain ? "\"\(word)\"" : shellWord(word)
}
